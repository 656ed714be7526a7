import type { Contents } from "./inspect-csv.js";

/** The columns of Spark's source `binaryFile`. */
const FIELDS = [
  { name: "path", type: { kind: "string" }, nullable: false },
  { name: "modificationTime", type: { kind: "timestamp" }, nullable: false },
  { name: "length", type: { kind: "bigint" }, nullable: false },
  { name: "content", type: { kind: "binary" }, nullable: true },
] as const;

export function inspectBinary(): Contents {
  return { records: 1, fields: FIELDS };
}
