import type { TextMap } from "../log/actions.js";
import { isObject, parseJson } from "../log/json.js";
import type { DataType, Field, StructType } from "../schema/schema.js";
import { lowerBound, upperBound } from "./bounds.js";

/** What the writer of a data file knows of one column. */
export interface ColumnStats {
  /** As DuckDB's RETURN_STATS prints values in the time zone UTC. */
  readonly min?: string;
  readonly max?: string;
  readonly nullCount?: number;
  /** A NaN is no bound and lies within none, so such a column has no bounds. */
  readonly hasNan?: boolean;
}

export interface FileStats {
  readonly numRecords: number;
  /** By quoted path: `"id"`, `"address"."street"`; a quote within a name is doubled. */
  readonly columns: ReadonlyMap<string, ColumnStats>;
}

/**
 * The `stats` text of an add action. Booleans, binaries, lists and maps have no bounds. Only the first leaf columns
 * count, 32 or as many as `delta.dataSkippingNumIndexedCols` says (-1: all), as in Spark; partition columns are not in
 * the file. Source: the Delta protocol, "Per-file Statistics".
 */
export function formatStats(
  stats: FileStats,
  schema: StructType,
  table: { readonly configuration?: TextMap; readonly partitionColumns?: readonly string[] } = {},
): string {
  const fields = schema.fields.filter(({ name }) => !table.partitionColumns?.includes(name));
  const limit = Number(table.configuration?.["delta.dataSkippingNumIndexedCols"] ?? 32);
  const collect = (pick: Pick): string =>
    nest(fields, "", { left: limit < 0 ? Number.POSITIVE_INFINITY : limit }, stats.columns, pick) ?? "{}";

  const minValues = collect((type, { min, hasNan }) =>
    min === undefined || hasNan ? undefined : lowerBound(type, min),
  );
  const maxValues = collect((type, { max, hasNan }) =>
    max === undefined || hasNan ? undefined : upperBound(type, max),
  );
  const nullCount = collect((_type, { nullCount: count }) => count?.toString());
  return `{"numRecords":${stats.numRecords},"minValues":${minValues},"maxValues":${maxValues},"nullCount":${nullCount}}`;
}

/** How many rows a file holds by its statistics, those that a deletion vector hides included; undefined when untold. */
export function numRecords(stats: string | undefined): number | undefined {
  if (stats === undefined) return undefined;
  const parsed = parseJson(stats);
  const count = isObject(parsed) ? parsed["numRecords"] : undefined;
  return typeof count === "number" ? count : undefined;
}

type Pick = (type: DataType, column: ColumnStats) => string | undefined;

/** The picked statistics as JSON text in the schema's shape; undefined when there are none. */
function nest(
  fields: readonly Field[],
  prefix: string,
  leaves: { left: number },
  columns: FileStats["columns"],
  pick: Pick,
): string | undefined {
  const members: string[] = [];
  for (const { name, type } of fields) {
    if (leaves.left <= 0) break;
    const path = `${prefix}"${name.replaceAll('"', '""')}"`;
    let value: string | undefined;
    if (type.kind === "struct") value = nest(type.fields, `${path}.`, leaves, columns, pick);
    else {
      leaves.left -= 1;
      const column = columns.get(path);
      value = column === undefined ? undefined : pick(type, column);
    }
    if (value !== undefined) members.push(`${JSON.stringify(name)}:${value}`);
  }
  return members.length === 0 ? undefined : `{${members.join(",")}}`;
}
