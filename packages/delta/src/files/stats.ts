import type { TextMap } from "../log/actions.js";
import { isOn } from "../log/configuration.js";
import { type FieldPath, startsWith } from "../schema/field-path.js";
import type { DataType, Field, StructType } from "../schema/schema.js";
import { parseColumnList } from "../schema/stats-property.js";
import { lowerBound, upperBound } from "./bounds.js";
import { recordsIn } from "./stats-text.js";

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

/** What of a table decides which columns have statistics. */
export interface StatsTable {
  readonly configuration?: TextMap;
  /** Names as in the schema that is given with it. */
  readonly partitionColumns?: readonly string[];
  /** The same columns, place by place, under their users' names, where column mapping gives files others. */
  readonly logical?: StructType;
}

/**
 * The `stats` text of an add action. Booleans, binaries, lists and maps have no bounds. Only those columns count that
 * `delta.dataSkippingStatsColumns` lists (a struct means all within it), else the first leaf columns, 32 or as many as
 * `delta.dataSkippingNumIndexedCols` says (-1: all), as in Spark; partition columns are not in the file. Bounds are
 * marked as tight where deletion vectors may make them wide. Source: the Delta protocol, "Per-file Statistics".
 *
 * @param schema the columns as the file has them: physical names
 */
export function formatStats(stats: FileStats, schema: StructType, table: StatsTable = {}): string {
  const { configuration = {}, partitionColumns = [], logical = schema } = table;
  const isChosen = chooseColumns(configuration);
  const columns = schema.fields.flatMap((field, i) =>
    partitionColumns.includes(field.name) ? [] : [{ field, logical: logical.fields[i] ?? field }],
  );
  const collect = (pick: Pick): string =>
    nest(columns, { file: "", users: [] }, isChosen(), stats.columns, pick) ?? "{}";

  const minValues = collect((type, { min, hasNan }) =>
    min === undefined || hasNan ? undefined : lowerBound(type, min),
  );
  const maxValues = collect((type, { max, hasNan }) =>
    max === undefined || hasNan ? undefined : upperBound(type, max),
  );
  const nullCount = collect((_type, { nullCount: count }) => count?.toString());
  const tight = isOn(configuration, "delta.enableDeletionVectors") ? ',"tightBounds":true' : "";
  return `{"numRecords":${stats.numRecords},"minValues":${minValues},"maxValues":${maxValues},"nullCount":${nullCount}${tight}}`;
}

/** Whether a leaf column, by its users' path, has statistics; to be asked once for each, in their order. */
function chooseColumns(configuration: TextMap): () => (path: FieldPath) => boolean {
  const text = configuration["delta.dataSkippingStatsColumns"] ?? undefined;
  const listed = text?.trim() === "" ? [] : text === undefined ? undefined : parseColumnList(text);
  if (listed !== undefined) return () => (path) => listed.some((column) => startsWith(path, column));
  const limit = Number(configuration["delta.dataSkippingNumIndexedCols"] ?? 32);
  return () => {
    let left = limit < 0 ? Number.POSITIVE_INFINITY : limit;
    return () => {
      left -= 1;
      return left >= 0;
    };
  };
}

/** How many rows a file holds by its statistics, those that a deletion vector hides included; undefined when untold. */
export function numRecords(stats: string | undefined): number | undefined {
  return stats === undefined ? undefined : recordsIn(stats);
}

type Pick = (type: DataType, column: ColumnStats) => string | undefined;

/** A column as the file has it, and as users know it. */
interface Column {
  readonly field: Field;
  readonly logical: Field;
}

/** The picked statistics as JSON text in the schema's shape; undefined when there are none. */
function nest(
  fields: readonly Column[],
  above: { readonly file: string; readonly users: FieldPath },
  isChosen: (path: FieldPath) => boolean,
  columns: FileStats["columns"],
  pick: Pick,
): string | undefined {
  const members: string[] = [];
  for (const { field, logical } of fields) {
    const { name, type } = field;
    const path = { file: `${above.file}"${name.replaceAll('"', '""')}"`, users: [...above.users, logical.name] };
    let value: string | undefined;
    if (type.kind === "struct") {
      const users = logical.type.kind === "struct" ? logical.type.fields : type.fields;
      const inner = type.fields.map((innerField, i) => ({ field: innerField, logical: users[i] ?? innerField }));
      value = nest(inner, { ...path, file: `${path.file}.` }, isChosen, columns, pick);
    } else if (isChosen(path.users)) {
      const column = columns.get(path.file);
      value = column === undefined ? undefined : pick(type, column);
    }
    if (value !== undefined) members.push(`${JSON.stringify(name)}:${value}`);
  }
  return members.length === 0 ? undefined : `{${members.join(",")}}`;
}
