import type { Watermark } from "./ast.js";
import { parseInterval, seesInterval } from "./parse-interval.js";
import { offsetBehind, offsetOf, type Parser, problem, unexpected, unsupported } from "./parser.js";

/** `WATERMARK column DELAY OF INTERVAL …` behind a relation, or nothing. */
export function parseWatermark(parser: Parser): { watermark?: Watermark } {
  const { reader } = parser;
  // Before a comma, a parenthesis or the end the word is an alias.
  const next = reader.peek(1);
  if (!reader.sees("WATERMARK") || (next?.kind !== "word" && next?.kind !== "quoted")) return {};
  const begin = offsetOf(parser);
  reader.expect("WATERMARK");
  const start = reader.index;
  const time = parser.rules.expression(parser);
  if (time.kind !== "column" || !reader.sees("DELAY", "OF"))
    throw unsupported(parser, "A watermark on what is no column", "Compute the column in a view before.", start);
  reader.expect("DELAY", "OF");
  if (!reader.sees("INTERVAL") || !seesInterval(parser)) throw unexpected(parser, ["INTERVAL"]);
  const index = reader.index;
  const at = offsetOf(parser);
  const delay = parseInterval(parser);
  if (delay.value < 0n) {
    const what = "A watermark's delay is negative";
    throw problem(parser, "INVALID_PARAMETER_VALUE", what, "Write INTERVAL 10 MINUTES.", index);
  }
  return { watermark: { at, time, text: { start: begin, end: offsetBehind(parser) } } };
}
