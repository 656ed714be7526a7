import type { SqlText } from "../../model/position.js";
import type { TokenReader } from "../token-reader.js";
import { removeLive } from "./live.js";

/** The text of a query: all that is left of the statement. Its own syntax is checked where it is compiled. */
export function readQuery(reader: TokenReader): SqlText {
  if (reader.done) throw reader.failure(["a query"]);
  return removeLive(reader.cutRest());
}

/**
 * The text of one relation, as it may stand after FROM: `[STREAM] name [WITH (…)]`, `STREAM(name)`, `(query)` or
 * `[STREAM] function(…)`.
 */
export function readRelation(reader: TokenReader): SqlText {
  const from = reader.index;
  const next = reader.peek(1);
  if (next?.kind === "word" || next?.kind === "quoted") reader.take("STREAM");
  if (reader.sees("(")) reader.readGroup("a query");
  else {
    reader.readParts("a table, STREAM(table) or a query in brackets");
    if (reader.sees("(")) reader.readGroup("a relation");
    if (reader.sees("WITH", "(")) {
      reader.take("WITH");
      reader.readGroup("an option");
    }
  }
  return removeLive(reader.cut(from), { relation: true });
}
