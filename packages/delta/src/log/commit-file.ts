import { reasonOf } from "../error.js";
import { type Action, type CommitInfo, commitInfoOf, type DeletionVector, type TextMap } from "./actions.js";
import { formatJson, isObject, type Json, type JsonObject, parseJson } from "./json.js";
import { decodePath } from "./path.js";

/**
 * The actions of a commit file: one JSON object a line. Unknown actions and fields are ignored, as the protocol asks.
 * Throws a plain Error that names the line and the field when the text is not what the protocol describes.
 */
export function parseCommit(text: string): Action[] {
  return eachLine(text, parseActions);
}

/** What a commit says of itself, without a look at its other actions. Throws a plain Error as `parseCommit` does. */
export function parseCommitInfo(text: string): CommitInfo | undefined {
  const lines = text.match(/^[ \t]*\{[ \t]*"commitInfo".*$/gm) ?? [];
  return commitInfoOf(lines.flatMap((line) => parseCommit(line)));
}

/** The objects of a file with one JSON object a line. Throws a plain Error as `parseCommit` does. */
export function parseLines(text: string): JsonObject[] {
  return eachLine(text, (row) => [row]);
}

/** The actions of one row; there is one in it, by the protocol. Throws a plain Error that names the field. */
export function parseActions(row: JsonObject): Action[] {
  const actions: Action[] = [];
  for (const kind of Object.keys(row)) {
    const action = parseAction(kind, row[kind]);
    if (action !== undefined) actions.push(action);
  }
  return actions;
}

function eachLine<T>(text: string, read: (row: JsonObject) => T[]): T[] {
  if (text.trim() === "") throw new Error("the file is empty");
  return text.split("\n").flatMap((line, index) => {
    if (line.trim() === "") return [];
    try {
      const row = parseJson(line);
      if (!isObject(row)) throw new Error("is no JSON object");
      return read(row);
    } catch (cause) {
      throw new Error(`line ${index + 1}: ${reasonOf(cause)}`, { cause });
    }
  });
}

/** The text of a commit file; one action a line, so that `parseCommit` gives the same actions back. */
export function formatCommit(actions: readonly Action[]): string {
  return actions.map((action) => `${formatJson(toWire(action))}\n`).join("");
}

/** On the wire a file's `path` is the URI. */
function toWire(action: Action): JsonObject {
  return Object.fromEntries(
    Object.entries(action).map(([kind, fields]) => {
      if (!("uri" in fields)) return [kind, fields];
      const { uri, path: _decoded, ...rest } = fields;
      // "Should always be set to false for cdc actions", so the field has no place in the type.
      return [kind, { path: uri, ...rest, ...(kind === "cdc" ? { dataChange: false } : {}) }];
    }),
  );
}

function parseAction(kind: string, value: Json | undefined): Action | undefined {
  if (value === null || value === undefined) return undefined;
  const parse = Object.hasOwn(PARSERS, kind) ? PARSERS[kind] : undefined;
  if (parse === undefined) return undefined;
  if (!isObject(value)) throw new Error(`${kind} is no JSON object`);
  try {
    return parse(value);
  } catch (cause) {
    throw new Error(`${kind}: ${reasonOf(cause)}`, { cause });
  }
}

/** Written out field by field: a checkpoint may hold 100,000 of them, and spreading objects costs half of the time. */
const PARSERS: Readonly<Record<string, (fields: JsonObject) => Action>> = {
  add: (fields) => {
    const uri = required(fields, "path", text);
    return {
      add: {
        path: decodePath(uri),
        uri,
        partitionValues: required(fields, "partitionValues", columnTexts),
        size: required(fields, "size", integer),
        modificationTime: required(fields, "modificationTime", integer),
        dataChange: required(fields, "dataChange", flag),
        stats: optional(fields, "stats", text),
        tags: optional(fields, "tags", textMap),
        deletionVector: optional(fields, "deletionVector", deletionVector),
        baseRowId: optional(fields, "baseRowId", long),
        defaultRowCommitVersion: optional(fields, "defaultRowCommitVersion", long),
        clusteringProvider: optional(fields, "clusteringProvider", text),
      },
    };
  },
  remove: (fields) => {
    const uri = required(fields, "path", text);
    return {
      remove: {
        path: decodePath(uri),
        uri,
        deletionTimestamp: optional(fields, "deletionTimestamp", integer),
        dataChange: required(fields, "dataChange", flag),
        extendedFileMetadata: optional(fields, "extendedFileMetadata", flag),
        partitionValues: optional(fields, "partitionValues", columnTexts),
        size: optional(fields, "size", integer),
        stats: optional(fields, "stats", text),
        tags: optional(fields, "tags", textMap),
        deletionVector: optional(fields, "deletionVector", deletionVector),
        baseRowId: optional(fields, "baseRowId", long),
        defaultRowCommitVersion: optional(fields, "defaultRowCommitVersion", long),
      },
    };
  },
  cdc: (fields) => {
    const uri = required(fields, "path", text);
    return {
      cdc: {
        path: decodePath(uri),
        uri,
        partitionValues: required(fields, "partitionValues", columnTexts),
        size: required(fields, "size", integer),
        tags: optional(fields, "tags", textMap),
      },
    };
  },
  metaData: (fields) => ({
    metaData: {
      id: required(fields, "id", text),
      name: optional(fields, "name", text),
      description: optional(fields, "description", text),
      format: required(fields, "format", (format) => ({
        provider: required(object(format), "provider", text),
        options: optional(object(format), "options", textMap) ?? {},
      })),
      schemaString: required(fields, "schemaString", text),
      partitionColumns: required(fields, "partitionColumns", texts),
      configuration: optional(fields, "configuration", textMap) ?? {},
      createdTime: optional(fields, "createdTime", integer),
    },
  }),
  protocol: (fields) => ({
    protocol: {
      minReaderVersion: required(fields, "minReaderVersion", integer),
      minWriterVersion: required(fields, "minWriterVersion", integer),
      readerFeatures: optional(fields, "readerFeatures", texts),
      writerFeatures: optional(fields, "writerFeatures", texts),
    },
  }),
  txn: (fields) => ({
    txn: {
      appId: required(fields, "appId", text),
      version: required(fields, "version", long),
      lastUpdated: optional(fields, "lastUpdated", integer),
    },
  }),
  domainMetadata: (fields) => ({
    domainMetadata: {
      domain: required(fields, "domain", text),
      configuration: required(fields, "configuration", text),
      removed: required(fields, "removed", flag),
    },
  }),
  commitInfo: (fields) => ({ commitInfo: fields }),
};

function deletionVector(value: Json): DeletionVector {
  const fields = object(value);
  return {
    storageType: required(fields, "storageType", text),
    pathOrInlineDv: required(fields, "pathOrInlineDv", text),
    offset: optional(fields, "offset", integer),
    sizeInBytes: required(fields, "sizeInBytes", integer),
    cardinality: required(fields, "cardinality", long),
  };
}

function optional<T>(fields: JsonObject, key: string, read: (value: Json) => T): T | undefined {
  const value = fields[key];
  if (value === undefined || value === null) return undefined;
  try {
    return read(value);
  } catch (cause) {
    throw new Error(`${key} ${reasonOf(cause)}`, { cause });
  }
}

function required<T>(fields: JsonObject, key: string, read: (value: Json) => T): T {
  const value = optional(fields, key, read);
  if (value === undefined) throw new Error(`${key} is missing`);
  return value;
}

function text(value: Json): string {
  if (typeof value === "string") return value;
  throw new Error("is no text");
}

function flag(value: Json): boolean {
  if (typeof value === "boolean") return value;
  throw new Error("is neither true nor false");
}

/** Parquet's longs come as bigint. */
function integer(value: Json): number {
  const number = typeof value === "bigint" ? Number(value) : value;
  if (typeof number === "number" && Number.isSafeInteger(number)) return number;
  throw new Error("is no integer below 2^53");
}

function long(value: Json): bigint {
  if (typeof value === "bigint" || (typeof value === "number" && Number.isInteger(value))) return BigInt(value);
  throw new Error("is no integer");
}

function object(value: Json): JsonObject {
  if (isObject(value)) return value;
  throw new Error("is no JSON object");
}

function texts(value: Json): readonly string[] {
  if (Array.isArray(value)) return value.map(text);
  throw new Error("is no array of texts");
}

/** By the names of columns, one of which may be `constructor`: without what every object has. */
function columnTexts(value: Json): TextMap {
  return Object.setPrototypeOf(textMap(value), null);
}

/** The object itself, which nobody else holds. */
function textMap(value: Json): TextMap {
  const map = object(value);
  for (const key in map) {
    const item = map[key];
    if (item !== null && typeof item !== "string") throw new Error("is no text");
  }
  return map as TextMap;
}
