import type { Argument, FromItem, Pivot, PivotValue, Unpivot, UnpivotGroup } from "./ast.js";
import { seesColumnAlias, seesTableAlias } from "./keywords.js";
import { close, offsetOf, type Parser, readColumn, readGroup, readList, unexpected, unsupported } from "./parser.js";

/** `PIVOT (…)` or `UNPIVOT (…)` after a relation; undefined where none stands. */
export function parsePivot(parser: Parser, input: FromItem): FromItem | undefined {
  const { reader } = parser;
  const at = offsetOf(parser);
  const isPivot = reader.take("PIVOT", "(");
  if (!isPivot && !takeUnpivot(parser)) return undefined;
  const item = isPivot ? readPivot(parser, at, input) : readUnpivot(parser, at, input);
  close(parser);
  if (!reader.take("AS") && !seesTableAlias(reader)) return item;
  const alias = reader.readIdentifier();
  if (reader.sees("(")) throw unexpected(parser, ["the end of the query"]);
  return { ...item, alias };
}

function readPivot(parser: Parser, at: number, input: FromItem): Pivot {
  const { reader } = parser;
  const aggregates = readList(parser, (inner) => ({ expression: inner.rules.expression(inner), ...readAlias(inner) }));
  if (!reader.take("FOR")) throw unexpected(parser, [",", "FOR"]);
  const column = (inner: Parser) => inner.rules.value(inner);
  const by = reader.sees("(") ? readGroup(parser, column) : [column(parser)];
  if (!reader.take("IN")) throw unexpected(parser, ["IN"]);
  const values = readGroup(parser, (inner) => readPivotValue(inner, by.length));
  return { kind: "pivot", at, input, aggregates, by, values, columns: [] };
}

/** `value [AS name]`, or `(value, …) [AS name]` for several columns. */
function readPivotValue(parser: Parser, width: number): PivotValue {
  const at = offsetOf(parser);
  const expression = parser.rules.expression(parser);
  const values = expression.kind === "row" ? expression.args.map((a) => a.expression) : [expression];
  if (values.length !== width)
    throw unsupported(
      parser,
      `A value of ${values.length} parts for ${width} columns`,
      "Give a value for each column.",
    );
  const { name } = readAlias(parser);
  return { at, values, ...(name === undefined ? {} : { alias: name }) };
}

function readAlias(parser: Parser): Pick<Argument, "name"> {
  const { reader } = parser;
  // FOR is no name here.
  return reader.take("AS") || (seesColumnAlias(reader) && !reader.sees("FOR")) ? { name: reader.readIdentifier() } : {};
}

/** `UNPIVOT [INCLUDE NULLS | EXCLUDE NULLS] (` */
function takeUnpivot({ reader }: Parser): boolean {
  const start = reader.index;
  if (!reader.take("UNPIVOT")) return false;
  const nulls = reader.sees("INCLUDE", "NULLS") || reader.sees("EXCLUDE", "NULLS");
  if (nulls) reader.index += 2;
  if (reader.take("(")) return true;
  reader.index = start;
  return false;
}

function readUnpivot(parser: Parser, at: number, input: FromItem): Unpivot {
  const { reader } = parser;
  const includeNulls = reader.tokens[reader.index - 3]?.text.toUpperCase() === "INCLUDE";
  const values = reader.sees("(") ? readGroup(parser, readColumn) : [readColumn(parser)];
  if (!reader.take("FOR")) throw unexpected(parser, ["FOR"]);
  const name = readColumn(parser);
  if (!reader.take("IN")) throw unexpected(parser, ["IN"]);
  const groups = readGroup(parser, (inner) => readUnpivotGroup(inner, values.length));
  return { kind: "unpivot", at, input, includeNulls, values, name, groups, columns: [] };
}

/** `column [AS name]`, or `(column, …) [AS name]` for several values. */
function readUnpivotGroup(parser: Parser, width: number): UnpivotGroup {
  const at = offsetOf(parser);
  const { reader } = parser;
  const path = (inner: Parser) =>
    ({ kind: "column", at: offsetOf(inner), path: inner.reader.readParts("a column") }) as const;
  const columns = reader.sees("(") ? readGroup(parser, path) : [path(parser)];
  if (columns.length !== width)
    throw unsupported(parser, `${columns.length} columns for ${width} values`, "Give a column for each value.");
  const { name } = readAlias(parser);
  return { at, columns, ...(name === undefined ? {} : { alias: name }) };
}
