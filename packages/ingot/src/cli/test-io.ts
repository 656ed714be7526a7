import type { Io } from "./io.js";

/** For tests: an outside world that remembers what was written. */
export interface TestIo extends Io {
  readonly out: () => string;
  readonly err: () => string;
}

export function testIo(
  more: Partial<Io> & { readonly isTTY?: boolean; readonly columns?: number; readonly rows?: number } = {},
): TestIo {
  const { isTTY = false, columns = 80, rows = 24, ...io } = more;
  const [out, err]: [string[], string[]] = [[], []];
  const stream = (to: string[]) => ({ isTTY, columns, rows, write: (text: string) => void to.push(text) });
  return {
    stdout: stream(out),
    stderr: stream(err),
    cwd: "/p",
    env: {},
    clock: () => new Date("2026-10-01T12:00:00Z"),
    user: "me",
    onInterrupt: () => () => {},
    readStdin: async () => "",
    ...io,
    out: () => out.join(""),
    err: () => err.join(""),
  };
}
