import type { BatchFile, Manifest } from "../model/batch.js";
import type { DataType, Field } from "../model/data-type.js";
import type { Dataset, DatasetKind, QueryFlow } from "../model/definition.js";
import { IngotError } from "../model/error.js";
import type { CsvRead } from "../model/file-read.js";
import { completeName, nameKey, type TableName } from "../model/name.js";
import { type Position, type SqlText, sqlText } from "../model/position.js";
import type { CompiledQuery, Relation } from "../model/query.js";
import type { TableState } from "../model/table.js";
import type { Compiler } from "../sql/compiler.js";
import type { GraphFlow, GraphInput, GraphNode } from "./graph.js";
import { isTable } from "./graph.js";
import type { Places } from "./places.js";

// For tests: short ways to write down definitions, graphs and tables.

export const DEFAULTS = { catalog: "spark_catalog", schema: "default" };
export const PLACES: Places = { ...DEFAULTS, root: "/p", storage: "/p/state", warehouse: "/p/tables", catalogs: {} };

/** Line `line` of the one definitions file. */
export const at = (line = 1): Position => ({ file: "/p/all.sql", line, column: 1 });

export const tableName = (text: string): TableName => completeName(text.split("."), DEFAULTS);
export const keyOf = (text: string): string => nameKey(tableName(text));

/** `id bigint, name string`; atomic types only. */
export function columns(text: string): Field[] {
  return text.split(", ").map((column) => {
    const [name = "", kind = ""] = column.split(" ");
    return { name, type: { kind } as DataType, nullable: true };
  });
}

export function dataset(name: string, kind: DatasetKind = "streaming-table", more: Partial<Dataset> = {}): Dataset {
  return { kind, name: tableName(name), at: at(), expectations: [], properties: {}, ...more };
}

export function queryFlow(target: string, query = "SELECT a int", more: Partial<QueryFlow> = {}): QueryFlow {
  const name = tableName(target);
  return {
    kind: "query",
    name: name.table,
    target: name,
    at: at(),
    defaults: DEFAULTS,
    query: sqlText(query),
    ...more,
  };
}

export function compiled(more: Partial<CompiledQuery> = {}): CompiledQuery {
  return {
    reads: [],
    schema: columns("a int"),
    duckdb: "SELECT 1",
    deterministic: true,
    preservesRows: false,
    ...more,
  };
}

export function graphFlow(
  flow: QueryFlow,
  inputs: Readonly<Record<string, GraphInput>>,
  query: Partial<CompiledQuery> = {},
): GraphFlow {
  return { flow, query: compiled(query), inputs: new Map(Object.entries(inputs)) };
}

export function graphNode(of: Dataset, flows: readonly GraphFlow[], more: Partial<GraphNode> = {}): GraphNode {
  const location = isTable(of) ? { location: `/p/tables/${of.name.table}` } : {};
  const key = nameKey(of.name);
  return {
    key,
    dataset: of,
    schema: columns("a int"),
    streaming: false,
    flows,
    upstream: new Set(),
    ...location,
    ...more,
  };
}

export function tableState(more: Partial<TableState> = {}): TableState {
  return {
    location: "/p/tables/t",
    id: "id-1",
    version: 0n,
    schema: columns("a int"),
    partitionBy: [],
    clusterBy: [],
    properties: {},
    transactions: new Map(),
    ...more,
  };
}

export function batchFile(name: string, more: Partial<BatchFile> = {}): BatchFile {
  const form = { size: 10, mtimeMs: 1, records: 2, skipLines: 1, lineEnd: "\n", longestLine: 5 } as const;
  return { path: `/p/landing/${name}`, sha256: name, ...form, ...more };
}

export function manifest(batch: number, inputs: Manifest["inputs"], more: Partial<Manifest> = {}): Manifest {
  return { format: 1, batch, mode: "append", fingerprint: "f", created: "2026-10-01T00:00:00.000Z", inputs, ...more };
}

/** A read of `path` as CSV with one declared column and a header that must name it. */
export function csvRead(path: string, more: Partial<DeclaredCsvRead> = {}): DeclaredCsvRead {
  const form = { path, format: "csv", schema: columns("a int"), header: true, enforceSchema: false } as const;
  return { ...CSV_DEFAULTS, ...form, ...more };
}

export type DeclaredCsvRead = CsvRead & { readonly schema: readonly Field[] };

/** The files of a read as an input of a flow. */
export function filesInput(path: string, stream = true): GraphInput & { readonly kind: "files" } {
  const read = csvRead(path);
  return { kind: "files", stream, read, columns: read.schema };
}

/** What `read_files` gives where a schema is declared and nothing else said. */
export const CSV_DEFAULTS = {
  recursiveFileLookup: false,
  includeExistingFiles: true,
  allowOverwrites: false,
  ignoreMissingFiles: false,
  ignoreCorruptFiles: false,
  onMissing: "fail",
  onEmpty: "warn",
  schemaHints: [],
  inferColumnTypes: false,
  schemaEvolutionMode: "none",
  cleanColumnNames: false,
  mode: "PERMISSIVE",
  encoding: "UTF-8",
  multiLine: false,
  header: false,
  enforceSchema: true,
  sep: ",",
  quote: '"',
  escape: "\\",
  nullValue: "",
  ignoreLeadingWhiteSpace: false,
  ignoreTrailingWhiteSpace: false,
} as const;

/**
 * Stands in for the compiler with a language of one form: `SELECT a int, b string FROM STREAM x, y@3, 'folder', /delta`.
 * It types `*` as all columns of what it reads, and gives the columns' text for DuckDB's.
 */
export const testCompiler: Compiler = {
  async relations(query) {
    return readsOf(query);
  },
  async compile(query, schemas) {
    const [, list = ""] = /^SELECT (.*?)(?: FROM |$)/.exec(query.text) ?? [];
    const schema = list === "*" ? [...schemas.values()].flat() : columns(list);
    return compiled({ reads: readsOf(query), schema, duckdb: list });
  },
};

function readsOf({ text, segments }: SqlText): Relation[] {
  const [, list] = / FROM (.*)$/.exec(text) ?? [];
  return (list?.split(", ") ?? []).map((item, i) => {
    const [, stream, name = "", version] = /^(STREAM )?([^@]+)(?:@(\d+))?$/.exec(item) ?? [];
    const asOf = version === undefined ? {} : { asOf: { version: BigInt(version) } };
    const read = { id: `r${i}`, stream: stream !== undefined, at: segments[0] ?? at(), ...asOf };
    if (name.startsWith("'")) return { ...read, kind: "files", files: csvRead(name.slice(1, -1)) };
    if (name.startsWith("/")) return { ...read, kind: "path", path: name };
    return { ...read, kind: "table", name: name.split(".") };
  });
}

/** The error that a call throws, with those that it carries. */
export function thrown(call: () => unknown): IngotError {
  try {
    call();
  } catch (error) {
    if (error instanceof IngotError) return error;
    throw error;
  }
  throw new Error("nothing was thrown");
}

export async function rejected(promise: Promise<unknown>): Promise<IngotError> {
  const result = await promise.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (result instanceof IngotError) return result;
  throw result ?? new Error("nothing was thrown");
}
