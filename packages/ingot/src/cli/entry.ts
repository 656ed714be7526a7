import { Console } from "node:console";
import { readFileSync } from "node:fs";
import { IngotError } from "../model/error.js";
import { EXIT } from "../model/error-catalogue.js";
import { fail, main } from "./main.js";
import { processIo } from "./process-io.js";

/** Entry of the command line: `bin/ingot.js` imports the built form of this file. */
const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as {
  version: string;
};

// A reader that goes away early (`ingot query … | head`) is no fault.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(0);
  throw error;
});
// Only results go to stdout; what a definitions file prints is none.
globalThis.console = new Console(process.stderr);
const io = processIo();
const argv = process.argv.slice(2);

let finished = false;

// Faults that nobody waits for, e.g. a timer or a promise that a definitions file left behind.
for (const event of ["uncaughtException", "unhandledRejection"] as const) {
  process.on(event, (error) => end(ofDefinitions(error)));
}

// Node ends when nothing is left to wait for, an await that can never settle included.
process.on("beforeExit", () => {
  if (finished) return;
  end(
    new IngotError("DEFINITIONS_FILE_FAILED", "The command cannot go on: a definitions file awaits what never comes", {
      hint: "Look for a top-level `await` of a promise that nothing resolves.",
    }),
  );
});

// A definitions file that calls process.exit must not pass for a run that is done.
process.on("exit", () => {
  if (finished) return;
  process.stderr.write(
    "error[DEFINITIONS_FILE_FAILED]: a definitions file ended the process\n  next: Take the call of process.exit out.\n",
  );
  process.exitCode = EXIT.projectInvalid;
});

process.exitCode = await main(argv, io, version);
finished = true;

/** Tells an error and ends. Where it cannot be told, as when the program was replaced on disk meanwhile, that is the end too. */
function end(error: unknown): void {
  finished = true;
  fail(error, argv, io).then(
    (code) => process.exit(code),
    (fault) => {
      process.stderr.write(`error[INTERNAL_ERROR]: ${error}\n  could not be told in full: ${fault}\n`);
      process.exit(EXIT.bug);
    },
  );
}

/** Definitions run from a bundle with a name of its own (`define/import-bundle.ts`): a fault from there is the user's. */
function ofDefinitions(error: unknown): unknown {
  if (error instanceof IngotError || !(error instanceof Error) || !/ingot-[0-9a-f-]{36}\.mjs/.test(error.stack ?? ""))
    return error;
  return new IngotError(
    "DEFINITIONS_FILE_FAILED",
    `A definitions file failed after it was loaded: ${error.name}: ${error.message}`,
    {
      hint: "Await what it starts, or handle its error there.",
      cause: error,
    },
  );
}
