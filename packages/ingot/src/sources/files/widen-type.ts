import { type DataType, type DecimalType, sameType } from "../../model/data-type.js";

const INTEGERS: readonly string[] = ["tinyint", "smallint", "int", "bigint"];

/** The type that holds all values of both exactly, where it is a number of the same kind; undefined where none is. */
export function widenType(a: DataType, b: DataType): DataType | undefined {
  if (sameType(a, b)) return a;
  const [i, j] = [a, b].map(({ kind }) => INTEGERS.indexOf(kind)) as [number, number];
  if (i >= 0 && j >= 0) return i > j ? a : b;
  if (a.kind === "float" && b.kind === "double") return b;
  if (a.kind === "double" && b.kind === "float") return a;
  return a.kind === "decimal" && b.kind === "decimal" ? widenDecimal(a, b) : undefined;
}

function widenDecimal(a: DecimalType, b: DecimalType): DecimalType | undefined {
  const scale = Math.max(a.scale, b.scale);
  const precision = Math.max(a.precision - a.scale, b.precision - b.scale) + scale;
  return precision > 38 ? undefined : { kind: "decimal", precision, scale };
}

/** Whether a column can take each value of a type as it is, or as its text. */
export function isHeldBy(type: DataType, column: DataType): boolean {
  const wide = widenType(type, column);
  return (wide !== undefined && sameType(wide, column)) || (column.kind === "string" && isPlain(type));
}

/** Whether a value has one text by Spark's CAST: no array, map or struct. */
export function isPlain({ kind }: DataType): boolean {
  return kind !== "array" && kind !== "map" && kind !== "struct";
}
