import { readFileSync } from "node:fs";
import { main } from "./main.js";
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
process.exitCode = await main(process.argv.slice(2), processIo(), version);
