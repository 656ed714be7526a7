import type { Field } from "../../model/data-type.js";
import type { Contents } from "./inspect-csv.js";

/** The columns of Spark's source `binaryFile`. */
export const BINARY_FIELDS: readonly Field[] = [
  { name: "path", type: { kind: "string" }, nullable: false },
  { name: "modificationTime", type: { kind: "timestamp" }, nullable: false },
  { name: "length", type: { kind: "bigint" }, nullable: false },
  { name: "content", type: { kind: "binary" }, nullable: true },
];

export function inspectBinary(): Contents {
  return { records: 1, fields: BINARY_FIELDS };
}
