import { positionAt } from "../../model/position.js";
import type { AsOf, Relation } from "../../model/query.js";
import { isToken } from "../token-reader.js";
import type { FromItem } from "./ast.js";
import { seesTableName, wordOf } from "./keywords.js";
import { parseAlias } from "./parse-alias.js";
import { parseCall } from "./parse-call.js";
import { parseIdentifier } from "./parse-identifier.js";
import { close, offsetOf, type Parser, problem, readList, unexpected, unsupported } from "./parser.js";
import { type FileOption, readFileRead } from "./read-files.js";

/** `[STREAM] name`, `STREAM (name)`, `[STREAM] read_files(…)`, each with its moment and its alias. */
export function parseTable(parser: Parser): FromItem {
  const { reader } = parser;
  const next = reader.peek(1);
  // A table that is called stream stands before nothing that could be a table itself.
  const stream = reader.sees("STREAM") && (isToken(next, "(") || next?.kind === "word" || next?.kind === "quoted");
  if (stream) reader.take("STREAM");
  const word = wordOf(reader.peek());
  if (!stream && isToken(next, "(") && word !== "READ_FILES" && word !== "IDENTIFIER") return parseFunction(parser);
  const grouped = stream && reader.take("(");
  const source = parseSource(parser, stream);
  if (grouped) close(parser);
  takeWholeSample(parser);
  if (reader.sees("IDENTIFIED", "BY") || reader.sees("CHANGES")) throw unexpected(parser, []);
  const alias = parseAlias(parser);
  if (source.kind === "cte") return { ...source, ...alias, alias: alias.alias ?? source.cte.name };
  return { ...source, ...alias };
}

/** `TABLESAMPLE (100 PERCENT)` takes every row; other samples are drawn at random. */
function takeWholeSample({ reader }: Parser): void {
  const isWhole =
    reader.peek(2)?.text === "100" && wordOf(reader.peek(3)) === "PERCENT" && isToken(reader.peek(4), ")");
  if (reader.sees("TABLESAMPLE", "(") && isWhole) reader.index += 5;
}

/** A function that gives rows; which ones there are is known to the binder. */
function parseFunction(parser: Parser): FromItem {
  const at = offsetOf(parser);
  const start = parser.reader.index;
  const call = parseCall(parser);
  if (call.kind !== "call") throw unsupported(parser, "This in place of a table", "Name a table.", start);
  return { kind: "function", at, call, ...parseAlias(parser) };
}

function parseSource(parser: Parser, stream: boolean): FromItem & { kind: "relation" | "cte" } {
  const { reader } = parser;
  const index = reader.index;
  const at = offsetOf(parser);
  if (!seesTableName(reader)) throw unexpected(parser, ["a table"]);
  const identifier = parseIdentifier(parser);
  const name = identifier ?? reader.readParts("a table");
  const files = identifier === undefined && reader.sees("(") ? parseFiles(parser, name, index) : undefined;
  const asOf = parseAsOf(parser);
  const cte = name.length === 1 && files === undefined ? parser.ctes.get(name.join().toLowerCase()) : undefined;
  if (cte !== undefined) {
    if (stream)
      throw unsupported(parser, `STREAM of the CTE ${cte.name}`, "Put STREAM on the tables within it.", index);
    if (asOf.asOf !== undefined) throw unsupported(parser, `AS OF on the CTE ${cte.name}`, "Put it on a table.", index);
    return { kind: "cte", at, cte, columns: [] };
  }
  const read = { id: `r${parser.relations.length}`, stream, at: positionAt(reader.sql, at) };
  const path = files === undefined ? folderPath(parser, name, index) : undefined;
  const relation: Relation =
    files !== undefined
      ? { ...read, kind: "files", files }
      : path !== undefined
        ? { ...read, kind: "path", path, ...asOf }
        : { ...read, kind: "table", name, ...asOf };
  parser.relations.push(relation);
  return { kind: "relation", at, relation, columns: [] };
}

/** ``delta.`path` ``. */
function folderPath(parser: Parser, name: readonly string[], index: number): string | undefined {
  const [format = "", path = ""] = name;
  if (name.length !== 2 || parser.reader.tokens[index + 2]?.kind !== "quoted") return undefined;
  if (format.toLowerCase() === "delta") return path;
  if (!/^(csv|json|parquet|orc|avro|text|binaryfile|xml)$/i.test(format) || !path.includes("/")) return undefined;
  const hint = "Use read_files('path', format => 'csv', …).";
  throw problem(parser, "NOT_SUPPORTED", `Reading ${format}.\`…\` is not supported`, hint, index);
}

/** `VERSION AS OF 3`, `TIMESTAMP AS OF '2026-10-01'` */
function parseAsOf(parser: Parser): { asOf?: AsOf } {
  const { reader } = parser;
  const start = reader.index;
  reader.take("FOR");
  const isVersion = reader.take("VERSION", "AS", "OF") || reader.take("SYSTEM_VERSION", "AS", "OF");
  const isTime = !isVersion && (reader.take("TIMESTAMP", "AS", "OF") || reader.take("SYSTEM_TIME", "AS", "OF"));
  if (!isVersion && !isTime) {
    reader.index = start;
    return {};
  }
  const value = parser.rules.value(parser);
  if (value.kind === "literal" && isVersion && value.type === "number" && /^\d+$/.test(value.value))
    return { asOf: { version: BigInt(value.value) } };
  if (value.kind === "literal" && isTime && ["string", "timestamp", "date"].includes(value.type))
    return { asOf: { timestamp: value.value } };
  const what = `This form of ${isVersion ? "VERSION" : "TIMESTAMP"} AS OF`;
  throw unsupported(parser, what, "Write VERSION AS OF 3 or TIMESTAMP AS OF '2026-10-01'.", start);
}

/** `read_files('path', option => value, …)`; other table functions are refused. */
function parseFiles(parser: Parser, name: readonly string[], index: number) {
  const { reader } = parser;
  if (name.join(".").toLowerCase() !== "read_files") {
    const hint = "read_files reads files; other rows come from tables.";
    const what = `The table function ${name.join(".")} is not supported yet`;
    throw problem(parser, "UNSUPPORTED_FUNCTION", what, hint, index);
  }
  reader.expect("(");
  const options = reader.sees(")") ? [] : readList(parser, parseOption);
  close(parser);
  return readFileRead(options, reader.at(index));
}

function parseOption(parser: Parser): FileOption {
  const { reader } = parser;
  const at = reader.at();
  const named = isToken(reader.peek(1), "=>");
  const name = named ? reader.readName("an option") : undefined;
  reader.take("=>");
  const start = reader.index;
  const value = parser.rules.expression(parser);
  if (value.kind !== "literal") {
    const hint = "Write a string, number or boolean.";
    throw problem(parser, "BAD_OPTION", "An option of read_files takes a constant", hint, start);
  }
  return { ...(name === undefined ? {} : { name }), value: value.value, at, valueAt: reader.at(start) };
}
