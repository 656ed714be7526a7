import { Console } from "node:console";
import { readFileSync } from "node:fs";
import { IngotError } from "../model/error.js";
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

// Faults that nobody waits for, e.g. a timer or a promise that a definitions file left behind.
for (const event of ["uncaughtException", "unhandledRejection"] as const) {
  process.on(event, (error) => {
    fail(error, argv, io).then((code) => process.exit(code));
  });
}

// Node ends when nothing is left to wait for, an await that can never settle included.
let finished = false;
process.on("beforeExit", () => {
  if (finished) return;
  finished = true;
  const error = new IngotError(
    "DEFINITIONS_FILE_FAILED",
    "The command cannot go on: a definitions file awaits what never comes",
    {
      hint: "Look for a top-level `await` of a promise that nothing resolves.",
    },
  );
  fail(error, argv, io).then((code) => process.exit(code));
});

process.exitCode = await main(argv, io, version);
finished = true;
