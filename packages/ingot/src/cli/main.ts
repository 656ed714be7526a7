import { CommanderError } from "commander";
import { IngotError } from "../model/error.js";
import { EXIT } from "../model/error-catalogue.js";
import { coloursFor } from "./colour.js";
import type { Io } from "./io.js";
import { createProgram } from "./program.js";
import { errorJson, formatError } from "./report-error.js";

/** Runs a command line (without node and script) and gives the exit code of the process. */
export async function main(argv: readonly string[], io: Io, version: string): Promise<number> {
  const world = argv.includes("--no-color") ? { ...io, env: { ...io.env, NO_COLOR: "1" } } : io;
  let exitCode: number = EXIT.ok;
  const program = createProgram(world, version, (code) => {
    exitCode = code;
  });
  try {
    if (argv.length === 0) {
      world.stdout.write(program.helpInformation());
      return EXIT.ok;
    }
    await program.parseAsync([...argv], { from: "user" });
    return exitCode;
  } catch (error) {
    if (!(error instanceof CommanderError)) return await fail(error, argv, world);
    if (error.exitCode === 0) return EXIT.ok;
    return error.code === "commander.help" ? EXIT.usage : await fail(usageError(error, argv), argv, world);
  }
}

/** What the parser of the command line says, in the form of every other error: `error: …`, `(Did you mean …?)`. */
function usageError(error: CommanderError, argv: readonly string[]): IngotError {
  const [first = "", suggestion] = error.message.split("\n");
  const command = /^[a-z]/.test(argv[0] ?? "") && error.code !== "commander.unknownCommand" ? ` ${argv[0]}` : "";
  return new IngotError("USAGE", first.replace(/^error: /, ""), {
    hint: suggestion?.replace(/^\((.*)\)$/, "$1") ?? `See: ingot${command} --help`,
  });
}

/** Tells an error that ends the process, and gives its exit code. */
export async function fail(error: unknown, argv: readonly string[], io: Io): Promise<number> {
  const { toIngotError } = await import("../run/failure.js");
  const known = error instanceof IngotError ? error : toIngotError(error);
  if (argv.includes("--json") || argv.includes("--json-stream"))
    io.stdout.write(`${JSON.stringify(errorJson(known))}\n`);
  io.stderr.write(`${formatError(known, coloursFor(io.stderr, io.env), io.cwd)}\n`);
  return known.exitCode;
}
