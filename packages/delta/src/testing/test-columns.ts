import type { TableColumns } from "../files/column-bounds.js";
import type { Comparison, Condition, Literal } from "../files/condition.js";
import type { AddFile, TextMap } from "../log/actions.js";
import type { DataType, Field, PrimitiveName } from "../schema/schema.js";

export function field(name: string, type: DataType | PrimitiveName, metadata: Field["metadata"] = {}): Field {
  return { name, type: typeof type === "string" ? { kind: type } : type, nullable: true, metadata };
}

/** As much of a snapshot as pruning needs. */
export function table(
  fields: readonly Field[],
  partitionColumns: readonly string[] = [],
  configuration: TextMap = {},
): TableColumns {
  return { table: "/t", schema: { kind: "struct", fields }, metadata: { configuration, partitionColumns } };
}

export function file(fields: Partial<AddFile>): AddFile {
  return { path: "f", uri: "f", partitionValues: {}, size: 1, modificationTime: 1, dataChange: true, ...fields };
}

/** Compares the column `c`. */
export function is(operator: Comparison, value: Literal | null): Condition {
  return { kind: "compare", column: ["c"], operator, value };
}
