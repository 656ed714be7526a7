import { userInfo } from "node:os";
import { text } from "node:stream/consumers";
import type { Io, Stream } from "./io.js";

/** The real process. */
export function processIo(): Io {
  return {
    stdout: stream(process.stdout),
    stderr: stream(process.stderr),
    cwd: process.cwd(),
    env: process.env,
    clock: () => new Date(),
    get user() {
      try {
        return userInfo().username;
      } catch {
        return "unknown";
      }
    },
    onInterrupt(listener) {
      process.on("SIGINT", listener);
      process.on("SIGTERM", listener);
      return () => {
        process.off("SIGINT", listener);
        process.off("SIGTERM", listener);
      };
    },
    readStdin: () => text(process.stdin),
  };
}

function stream(target: NodeJS.WriteStream): Stream {
  return {
    write: (chunk) => {
      target.write(chunk);
    },
    isTTY: target.isTTY === true,
    // Asked each time: a window changes its size.
    // A terminal that does not know its size says 0.
    get columns() {
      return target.columns || 80;
    },
    get rows() {
      return target.rows || 24;
    },
  };
}
