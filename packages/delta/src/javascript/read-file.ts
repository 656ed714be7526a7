import { DeltaError, reasonOf } from "../error.js";
import { resolvePath } from "../log/path.js";
import type { Store } from "../store/store.js";
import { JulianTime, oldCalendar } from "./julian-times.js";
import { openParquet, type ParquetFile, UnknownCodec } from "./parquet-file.js";
import { parsePartitionValue } from "./partition-value.js";
import { byName, columnMatch, type DataFile, type ReadPlan } from "./read-plan.js";
import { type ReadValue, valueReader } from "./read-value.js";
import type { Value } from "./value.js";

export interface FileRow {
  /** From 0. */
  readonly position: number;
  readonly row: Readonly<Record<string, Value>>;
  /** The plan's further columns; null where the file lacks one. */
  readonly further: Readonly<Record<string, Value>>;
}

/**
 * All rows of a data file, those that a deletion vector hides included, one row group at a time. Columns that the file
 * lacks are NULL.
 *
 * @throws DeltaError DELTA_UNSUPPORTED_FEATURES_FOR_READ for a codec that is not at hand and for times of the Julian
 * calendar, DELTA_TABLE_UNREADABLE when the file is missing or damaged, or has columns of types that those of
 * the table cannot be read from
 */
export async function* readFile(store: Store, file: DataFile, plan: ReadPlan): AsyncGenerator<FileRow[]> {
  const path = resolvePath(plan.table, file.path);
  try {
    const parquet = await openParquet(store, path);
    const columns = [...tableColumns(parquet, file, plan)];
    const further = [...furtherColumns(parquet, plan)];
    const stored = [...new Set([...columns, ...further].flatMap((column) => column.stored ?? []))];
    let position = 0;
    for (let group = 0; group < parquet.rowCounts.length; group += 1) {
      const rows: FileRow[] = [];
      for (const raw of await parquet.readGroup(group, stored)) {
        rows.push({ position, row: pick(raw, columns), further: pick(raw, further) });
        position += 1;
      }
      yield rows;
    }
  } catch (cause) {
    if (cause instanceof DeltaError) throw cause;
    const { table, version } = plan;
    if (cause instanceof UnknownCodec)
      throw new DeltaError("DELTA_UNSUPPORTED_FEATURES_FOR_READ", `${path} cannot be read: ${cause.message}.`, {
        table,
        version,
        path,
        hint: "Use an engine that knows the codec.",
      });
    if (cause instanceof JulianTime)
      throw new DeltaError("DELTA_UNSUPPORTED_FEATURES_FOR_READ", `${path} cannot be read: ${cause.message}.`, {
        table,
        version,
        path,
        hint: "Read the table with Spark; once it writes the rows anew, every reader knows their times.",
      });
    throw new DeltaError("DELTA_TABLE_UNREADABLE", `${path} of ${table} cannot be read: ${reasonOf(cause)}.`, {
      table,
      version,
      path,
      hint: "Restore the file from a backup, or the table to a version without it.",
      cause,
    });
  }
}

interface FileColumn {
  readonly name: string;
  /** In the file; undefined: it is not there. */
  readonly stored: string | undefined;
  readonly read: ReadValue;
}

function* tableColumns(parquet: ParquetFile, file: DataFile, plan: ReadPlan): Generator<FileColumn> {
  const rules = { match: columnMatch(plan, parquet.columns), calendar: oldCalendar(parquet.keyValues) };
  for (const { name, type, physical, isPartition } of plan.columns) {
    if (isPartition) {
      const value = parsePartitionValue(type, file.partitionValues[physical.name]);
      yield { name, stored: undefined, read: () => value };
      continue;
    }
    const node = rules.match(parquet.columns, physical);
    if (node === undefined) yield { name, stored: undefined, read: () => null };
    else yield { name, stored: node.element.name, read: valueReader(node, type, physical.type, rules) };
  }
}

function* furtherColumns(parquet: ParquetFile, plan: ReadPlan): Generator<FileColumn> {
  for (const { as, name, type } of plan.further) {
    const node = byName(parquet.columns, { name });
    if (node === undefined) yield { name: as, stored: undefined, read: () => null };
    else
      yield {
        name: as,
        stored: node.element.name,
        read: valueReader(node, type, type, { match: byName, calendar: oldCalendar(parquet.keyValues) }),
      };
  }
}

function pick(raw: Readonly<Record<string, unknown>>, columns: readonly FileColumn[]): Record<string, Value> {
  const row: Record<string, Value> = {};
  for (const { name, stored, read } of columns) row[name] = read(stored === undefined ? undefined : raw[stored]);
  return row;
}
