import type { DataType } from "../../../model/data-type.js";

/**
 * SQL for the text in which the log keeps a partition column's value; NULL for NULL and for the empty text, which the
 * protocol does not tell apart. Moments are in UTC. Source: the Delta protocol, "Partition Value Serialization".
 */
export function partitionText(type: DataType, value: string): string {
  switch (type.kind) {
    case "string":
      return `nullif(${value}, '')`;
    case "binary":
      return `nullif(decode(${value}), '')`;
    case "float":
    case "double":
      return `CASE WHEN isnan(${value}) THEN 'NaN' WHEN isinf(${value}) THEN CASE WHEN ${value} > 0 THEN 'Infinity' ELSE '-Infinity' END ELSE ${value}::VARCHAR END`;
    case "timestamp":
      return `strftime(${value} AT TIME ZONE 'UTC', '%Y-%m-%dT%H:%M:%S.%fZ')`;
    case "timestamp_ntz":
      return `strftime(${value}, '%Y-%m-%d %H:%M:%S.%f')`;
    default:
      return `${value}::VARCHAR`;
  }
}
