import { positionAt } from "../../model/position.js";
import type { AsOf, Relation } from "../../model/query.js";
import { isToken } from "../token-reader.js";
import type { FromItem } from "./ast.js";
import type { FileOption } from "./files/file-options.js";
import { readFileRead } from "./files/read-files.js";
import { seesTableName, wordOf } from "./keywords.js";
import { parseAlias } from "./parse-alias.js";
import { parseCall } from "./parse-call.js";
import { parseIdentifier } from "./parse-identifier.js";
import { parseSampled } from "./parse-sample.js";
import { parseTableChanges, seesTableChanges } from "./parse-table-changes.js";
import { parseTableOptions } from "./parse-table-options.js";
import { close, offsetBehind, offsetOf, type Parser, problem, readList, unexpected, unsupported } from "./parser.js";

/**
 * `[STREAM] name`, `STREAM (name)`, `[STREAM] read_files(…)`, each with its moment, its options, its watermark and its
 * alias; `table_changes(…)`.
 */
export function parseTable(parser: Parser): FromItem {
  const { reader } = parser;
  const begin = offsetOf(parser);
  const next = reader.peek(1);
  // A table that is called stream stands before nothing that could be a table itself.
  const stream = reader.sees("STREAM") && (isToken(next, "(") || next?.kind === "word" || next?.kind === "quoted");
  if (stream) reader.take("STREAM");
  if (seesTableChanges(parser)) return parseSampled(parser, parseTableChanges(parser, stream));
  const word = wordOf(reader.peek());
  if (isToken(reader.peek(1), "(")) refuseReader(parser, word);
  if (!stream && isToken(next, "(") && word !== "READ_FILES" && word !== "IDENTIFIER") return parseFunction(parser);
  const grouped = stream && reader.take("(");
  const source = parseSource(parser, { begin, stream, grouped });
  if (reader.sees("IDENTIFIED", "BY") || reader.sees("CHANGES")) throw unexpected(parser, []);
  if (source.kind === "cte") {
    const item = parseSampled(parser, source, source.cte.name);
    return item.kind === "cte" ? { ...item, alias: item.alias ?? source.cte.name } : item;
  }
  return parseSampled(parser, source, source.relation.kind === "table" ? source.relation.name.at(-1) : undefined);
}

/** Functions that read what is no table, each with what to write instead. */
const READERS: Readonly<Record<string, string>> = {
  CLOUD_FILES: "It is the older name of read_files: read_files('path', format => 'csv', …).",
  READ_KAFKA: "Write the messages to files, and read those with read_files.",
  READ_KINESIS: "Write the records to files, and read those with read_files.",
  READ_PUBSUB: "Write the messages to files, and read those with read_files.",
  READ_PULSAR: "Write the messages to files, and read those with read_files.",
  READ_STATESTORE: "A pipeline keeps no state store: its checkpoints are manifests below the storage.",
};

function refuseReader(parser: Parser, word: string): void {
  const hint = Object.hasOwn(READERS, word) ? READERS[word] : undefined;
  if (hint === undefined) return;
  const name = word.toLowerCase();
  throw problem(parser, "UNSUPPORTED_FUNCTION", `The table function ${name} is not supported yet`, hint);
}

/** A function that gives rows; which ones there are is known to the binder. */
function parseFunction(parser: Parser): FromItem {
  const at = offsetOf(parser);
  const start = parser.reader.index;
  const call = parseCall(parser);
  if (call.kind !== "call") throw unsupported(parser, "This in place of a table", "Name a table.", start);
  return { kind: "function", at, call, ...parseAlias(parser) };
}

interface SourceStart {
  /** Offset of STREAM, or of the name. */
  readonly begin: number;
  readonly stream: boolean;
  /** Whether a parenthesis is open that ends behind the name. */
  readonly grouped: boolean;
}

function parseSource(parser: Parser, { begin, stream, grouped }: SourceStart): FromItem & { kind: "relation" | "cte" } {
  const { reader } = parser;
  const index = reader.index;
  const at = offsetOf(parser);
  if (!seesTableName(reader)) throw unexpected(parser, ["a table"]);
  const identifier = parseIdentifier(parser);
  const name = identifier ?? reader.readParts("a table");
  const files = identifier === undefined && reader.sees("(") ? parseFiles(parser, name, index, stream) : undefined;
  refuseAt(parser, name);
  const asOf = parseAsOf(parser);
  if (grouped) close(parser);
  const options = files === undefined ? parseTableOptions(parser, stream) : {};
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
        ? { ...read, kind: "path", path, ...asOf, ...options }
        : { ...read, kind: "table", name, ...asOf, ...options };
  parser.relations.push(relation);
  const end = offsetBehind(parser);
  return { kind: "relation", at, relation, columns: [], text: { start: begin, end }, behind: end };
}

/** ``delta.`path` ``. */
function folderPath(parser: Parser, name: readonly string[], index: number): string | undefined {
  const [format = "", path = ""] = name;
  if (name.length !== 2 || parser.reader.tokens[index + 2]?.kind !== "quoted") return undefined;
  if (format.toLowerCase() === "delta") {
    const [, version] = /@(v\d+|\d{17})$/i.exec(path) ?? [];
    if (version === undefined) return path;
    const hint = /^v/i.test(version) ? `VERSION AS OF ${version.slice(1)}` : "TIMESTAMP AS OF '2026-10-01 12:00:00'";
    throw unsupported(parser, `A path that ends in @${version}`, `Write ${hint} behind the path without it.`, index);
  }
  if (!/^(csv|json|parquet|orc|avro|text|binaryfile|xml)$/i.test(format) || !path.includes("/")) return undefined;
  const hint = "Use read_files('path', format => 'csv', …).";
  throw problem(parser, "NOT_SUPPORTED", `Reading ${format}.\`…\` is not supported`, hint, index);
}

/** `t@v3`, a writing of Databricks alone. */
function refuseAt(parser: Parser, name: readonly string[]): void {
  if (parser.reader.peek()?.text !== "@") return;
  const hint = `Write ${name.join(".")} VERSION AS OF 3, or TIMESTAMP AS OF '2026-10-01'.`;
  throw problem(parser, "PARSE_SYNTAX_ERROR", "Syntax error at or near '@': Spark has no such time travel", hint);
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
  const isText = value.kind === "literal" && (value.type === "number" || value.type === "string");
  if (isText && isVersion && /^\d+$/.test(value.value)) return { asOf: { version: BigInt(value.value) } };
  if (value.kind === "literal" && isTime && ["string", "timestamp", "date"].includes(value.type))
    return { asOf: { timestamp: value.value } };
  const what = `This form of ${isVersion ? "VERSION" : "TIMESTAMP"} AS OF`;
  throw unsupported(parser, what, "Write VERSION AS OF 3 or TIMESTAMP AS OF '2026-10-01'.", start);
}

/** `read_files('path', option => value, …)`; other table functions are refused. */
function parseFiles(parser: Parser, name: readonly string[], index: number, stream: boolean) {
  const { reader } = parser;
  if (name.join(".").toLowerCase() !== "read_files") {
    const hint = "read_files reads files; other rows come from tables.";
    const what = `The table function ${name.join(".")} is not supported yet`;
    throw problem(parser, "UNSUPPORTED_FUNCTION", what, hint, index);
  }
  reader.expect("(");
  const options = reader.sees(")") ? [] : readList(parser, parseOption);
  close(parser);
  return readFileRead(options, reader.at(index), { stream });
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
