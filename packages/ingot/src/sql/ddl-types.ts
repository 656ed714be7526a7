import { type AtomicName, type DataType, type Field, formatType } from "../model/data-type.js";
import { IngotError } from "../model/error.js";
import { nearest } from "../model/nearest.js";
import { type Position, type SqlText, sqlText } from "../model/position.js";
import { scan, unterminatedError } from "./lexer.js";
import { quoteName, quoteString } from "./quote.js";
import { TokenReader } from "./token-reader.js";

/**
 * A type as Spark's DDL writes it: `DECIMAL(10,2)`, `STRUCT<x: INT NOT NULL, y: ARRAY<STRING>>`.
 *
 * @throws IngotError BAD_SCHEMA with the place; NOT_SUPPORTED for a type of Spark that Ingot cannot keep
 */
export function parseType(ddl: SqlText | string): DataType {
  const reader = readerOf(ddl);
  const type = readType(reader);
  if (!reader.done) throw reader.failure(["the end of the type"], "BAD_SCHEMA");
  return type;
}

/**
 * The columns of a DDL text: ``a BIGINT NOT NULL, `b c` STRING COMMENT 'x'``.
 *
 * @throws IngotError BAD_SCHEMA, NOT_SUPPORTED as {@link parseType}; COLUMN_ALREADY_EXISTS, case aside
 */
export function parseSchema(ddl: SqlText | string): Field[] {
  const reader = readerOf(ddl);
  const fields = readFields(reader, 0);
  if (!reader.done) throw reader.failure([",", "the end of the schema"], "BAD_SCHEMA");
  return fields;
}

/** Columns as DDL text that {@link parseSchema} reads back; DDL cannot say that an array or map holds no NULL. */
export function formatDdl(fields: readonly Field[]): string {
  return fields.map((f) => formatField(f, " ")).join(", ");
}

/** A type as DDL text that {@link parseType} reads back. */
export function formatDdlType(type: DataType): string {
  switch (type.kind) {
    case "decimal":
      return `DECIMAL(${type.precision},${type.scale})`;
    case "interval":
      return formatType(type).toUpperCase();
    case "array":
      return `ARRAY<${formatDdlType(type.element)}>`;
    case "map":
      return `MAP<${formatDdlType(type.key)}, ${formatDdlType(type.value)}>`;
    case "struct":
      return `STRUCT<${type.fields.map((f) => formatField(f, ": ")).join(", ")}>`;
    default:
      return type.kind.toUpperCase();
  }
}

function formatField(field: Field, separator: string): string {
  const notNull = field.nullable ? "" : " NOT NULL";
  const comment = field.comment === undefined ? "" : ` COMMENT ${quoteString(field.comment)}`;
  return `${quoteName(field.name)}${separator}${formatDdlType(field.type)}${notNull}${comment}`;
}

/** Deeper types are no schema but an attack on the stack. */
const MAX_DEPTH = 200;

const ATOMIC: Readonly<Record<string, AtomicName>> = {
  BOOLEAN: "boolean",
  TINYINT: "tinyint",
  BYTE: "tinyint",
  SMALLINT: "smallint",
  SHORT: "smallint",
  INT: "int",
  INTEGER: "int",
  BIGINT: "bigint",
  LONG: "bigint",
  FLOAT: "float",
  REAL: "float",
  DOUBLE: "double",
  STRING: "string",
  BINARY: "binary",
  DATE: "date",
  TIMESTAMP: "timestamp",
  TIMESTAMP_LTZ: "timestamp",
  TIMESTAMP_NTZ: "timestamp_ntz",
  VOID: "void",
};
const DECIMAL = new Set(["DECIMAL", "DEC", "NUMERIC"]);

/** Types of Spark that Ingot cannot keep, each with what to write instead. */
const REFUSED: Readonly<Record<string, string>> = {
  VARCHAR: "Use STRING; an expectation can check the length, which Spark's VARCHAR(n) does.",
  CHAR: "Use STRING; Spark's CHAR(n) pads and checks the length.",
  CHARACTER: "Use STRING; Spark's CHAR(n) pads and checks the length.",
  INTERVAL: "Keep the number of days, months or seconds as INT or DECIMAL.",
  VARIANT: "Keep the JSON text as STRING.",
  TIME: "Keep the time of day as STRING or as seconds.",
  GEOMETRY: "Keep the well-known binary as BINARY.",
  GEOGRAPHY: "Keep the well-known binary as BINARY.",
};

/** Reads one type, as far as it goes. */
export function readType(reader: TokenReader, depth = 0): DataType {
  if (depth > MAX_DEPTH) throw reader.error("BAD_SCHEMA", "The type is nested too deep", `Keep it under ${MAX_DEPTH}.`);
  const token = reader.peek();
  const word = token?.kind === "word" ? token.text.toUpperCase() : "";
  if (DECIMAL.has(word)) return readDecimal(reader);
  if (word === "ARRAY" || word === "MAP" || word === "STRUCT") return readNested(reader, word, depth + 1);
  if (Object.hasOwn(REFUSED, word)) {
    throw reader.error("NOT_SUPPORTED", `The type ${word} is not supported`, REFUSED[word] ?? "");
  }
  const kind = Object.hasOwn(ATOMIC, word) ? ATOMIC[word] : undefined;
  if (kind === undefined) {
    throw reader.failure(["a type"], "BAD_SCHEMA", suggestType(word));
  }
  reader.index += 1;
  if (kind === "string" && reader.sees("COLLATE")) {
    throw reader.error("NOT_SUPPORTED", "COLLATE is not supported", "Leave it out: strings compare by their bytes.");
  }
  return kind === "timestamp" && reader.take("WITHOUT", "TIME", "ZONE") ? { kind: "timestamp_ntz" } : { kind };
}

function readDecimal(reader: TokenReader): DataType {
  const start = reader.index;
  reader.index += 1;
  if (!reader.take("(")) return { kind: "decimal", precision: 10, scale: 0 };
  const precision = readInteger(reader);
  const scale = reader.take(",") ? readInteger(reader) : 0;
  expect(reader, ")");
  if (precision >= 1 && precision <= 38 && scale <= precision) return { kind: "decimal", precision, scale };
  throw new IngotError("BAD_SCHEMA", `DECIMAL(${precision},${scale}) is no type`, {
    at: reader.at(start),
    hint: "The precision is 1 to 38, the scale 0 to the precision.",
  });
}

function readInteger(reader: TokenReader): number {
  const token = reader.peek();
  if (token === undefined || !/^\d{1,9}$/.test(token.text)) throw reader.failure(["a whole number"], "BAD_SCHEMA");
  reader.index += 1;
  return Number(token.text);
}

function readNested(reader: TokenReader, word: "ARRAY" | "MAP" | "STRUCT", depth: number): DataType {
  reader.index += 1;
  if (word === "STRUCT") {
    if (reader.take("<>")) return { kind: "struct", fields: [] };
    expect(reader, "<");
    const fields = reader.sees(">") ? [] : readFields(reader, depth);
    expect(reader, ">");
    return { kind: "struct", fields };
  }
  expect(reader, "<");
  const first = readType(reader, depth);
  if (word === "ARRAY") {
    expect(reader, ">");
    return { kind: "array", element: first, containsNull: true };
  }
  expect(reader, ",");
  const value = readType(reader, depth);
  expect(reader, ">");
  return { kind: "map", key: first, value, valueContainsNull: true };
}

/** `name type [NOT NULL] [COMMENT 'text'], …`; within a struct (depth > 0) a colon may follow the name. */
function readFields(reader: TokenReader, depth: number): Field[] {
  const fields: Field[] = [];
  const names = new Set<string>();
  do {
    const token = reader.peek();
    if (token?.kind !== "word" && token?.kind !== "quoted") throw reader.failure(["a column name"], "BAD_SCHEMA");
    const at = reader.at();
    const name = reader.readIdentifier();
    if (names.has(name.toLowerCase())) throw doubledColumn(name, at);
    names.add(name.toLowerCase());
    if (depth > 0) reader.take(":");
    const type = readType(reader, depth);
    const nullable = !reader.take("NOT", "NULL");
    if (!reader.take("COMMENT")) fields.push({ name, type, nullable });
    else if (reader.peek()?.kind !== "string") throw reader.failure(["a string"], "BAD_SCHEMA");
    else fields.push({ name, type, nullable, comment: reader.readString() });
  } while (reader.take(","));
  return fields;
}

function readerOf(ddl: SqlText | string): TokenReader {
  const sql = typeof ddl === "string" ? sqlText(ddl) : ddl;
  const { tokens, unterminated } = scan(sql.text);
  if (unterminated !== undefined) throw unterminatedError(sql, unterminated, "BAD_SCHEMA");
  return new TokenReader(sql, tokens);
}

function expect(reader: TokenReader, symbol: string): void {
  if (!reader.take(symbol)) throw reader.failure([symbol], "BAD_SCHEMA");
}

function suggestType(word: string): string {
  const names = [...Object.keys(ATOMIC), ...DECIMAL, "ARRAY", "MAP", "STRUCT"];
  const near = word === "" ? undefined : nearest(word, names);
  return near === undefined ? `The types are ${names.join(", ")}.` : `Did you mean ${near}?`;
}

export function doubledColumn(name: string, at: Position): IngotError {
  return new IngotError("COLUMN_ALREADY_EXISTS", `The column ${name} is there already`, {
    at,
    object: name,
    hint: "Names are compared without case: rename one of the two.",
  });
}
