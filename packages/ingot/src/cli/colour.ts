import picocolors from "picocolors";
import type { Io, Stream } from "./io.js";

export type Colours = ReturnType<typeof picocolors.createColors>;

/** NO_COLOR, FORCE_COLOR, TERM=dumb and --no-color (which sets NO_COLOR) are heard; else a terminal has colour. */
export function coloursFor(stream: Stream, env: Io["env"]): Colours {
  const forced = env["FORCE_COLOR"];
  const enabled =
    env["NO_COLOR"] !== undefined && env["NO_COLOR"] !== ""
      ? false
      : forced !== undefined && forced !== "" && forced !== "0"
        ? true
        : stream.isTTY && env["TERM"] !== "dumb";
  return picocolors.createColors(enabled);
}
