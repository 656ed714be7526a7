import type { Literal } from "../files/condition.js";
import { parseDate, parseMicros } from "../files/date-time.js";
import { keyOfLiteral, type SortKey } from "../files/sort-key.js";
import type { DataType } from "../schema/schema.js";
import type { Value } from "./value.js";

/** Whether `valueKey` knows the type. */
export function hasOrder({ kind }: DataType): boolean {
  return kind !== "struct" && kind !== "array" && kind !== "map" && kind !== "void";
}

/** A value, which is not NULL, in the form in which `compareKeys` compares it. Throws TypeError for nested types. */
export function valueKey(type: DataType, value: Value): SortKey {
  switch (type.kind) {
    // Years beyond 0000 to 9999 are not in statistics, whose texts the other function knows.
    case "date":
      return BigInt(parseDate(value as string));
    case "timestamp":
    case "timestamp_ntz":
      return parseMicros(value as string, "UTC");
    default:
      return keyOfLiteral(type, value as Literal);
  }
}
