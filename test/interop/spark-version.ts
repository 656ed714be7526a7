/** Prints the version of the Spark server that its argument names: for processes with an environment of their own. */
import { openSession } from "../../packages/ingot/src/engine/spark/connect/open-session.js";

const { signal } = new AbortController();
const session = await openSession(process.argv[2] ?? "", signal).catch((error) => error);
if (session instanceof Error) {
  process.stdout.write(`${session.message}\n`);
} else {
  process.stdout.write(`${await session.version(signal)}\n`);
  await session.close();
}
