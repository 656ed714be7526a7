import { positionAt } from "../../model/position.js";
import type { Moment, Relation } from "../../model/query.js";
import type { Expression, RelationRef } from "./ast.js";
import { nameInText } from "./parse-identifier.js";
import { offsetBehind, offsetOf, type Parser, problem, readGroup, unsupported } from "./parser.js";

/**
 * `table_changes('t', from [, to])`, `table_changes_by_path('folder', from [, to])`: the rows that the versions of a range
 * inserted, updated and deleted, both ends included, each a version or a moment; of Delta Lake.
 */
export function parseTableChanges(parser: Parser, stream: boolean): RelationRef {
  const { reader } = parser;
  const start = reader.index;
  const at = offsetOf(parser);
  if (stream) {
    const hint = "Write STREAM t WITH (readChangeFeed = true, startingVersion = 0).";
    throw unsupported(parser, "STREAM of table_changes", hint, start);
  }
  const name = reader.readName().toLowerCase();
  const [table, from, to, ...more] = readGroup(parser, parser.rules.expression);
  if (table === undefined || from === undefined || more.length > 0) {
    const hint = `Write ${name}('t', 0), or ${name}('t', 0, 5) for the versions 0 to 5.`;
    throw problem(
      parser,
      "WRONG_NUM_ARGS.WITHOUT_SUGGESTION",
      `${name} takes a table, a start and perhaps an end`,
      hint,
      start,
    );
  }
  if (table.kind !== "literal" || table.type !== "string")
    throw unsupported(parser, `This as the table of ${name}`, "Write its name as a string: 't'.", start);
  const relation: Relation = {
    id: `r${parser.relations.length}`,
    stream: false,
    at: positionAt(reader.sql, at),
    ...(name === "table_changes"
      ? { kind: "table", name: nameInText(parser, table.value, name, start) }
      : { kind: "path", path: table.value }),
    options: {
      changeFeed: true,
      from: readMoment(parser, from, start),
      ...(to === undefined ? {} : { to: readMoment(parser, to, start) }),
    },
  };
  parser.relations.push(relation);
  const end = offsetBehind(parser);
  return { kind: "relation", at, relation, columns: [], text: { start: at, end }, behind: end };
}

/** Whether the function's name comes next. */
export function seesTableChanges({ reader }: Parser): boolean {
  return reader.sees("TABLE_CHANGES", "(") || reader.sees("TABLE_CHANGES_BY_PATH", "(");
}

function readMoment(parser: Parser, value: Expression, start: number): Moment {
  if (value.kind === "literal") {
    if (value.type === "number" && /^\d+L?$/i.test(value.value))
      return { version: String(BigInt(value.value.replace(/L$/i, ""))) };
    if (["string", "timestamp"].includes(value.type)) return { timestamp: value.value };
  }
  const hint = "Write a version such as 0, or a moment such as '2026-10-01 08:30:00'.";
  throw unsupported(parser, "This as an end of a range of changes", hint, start);
}
