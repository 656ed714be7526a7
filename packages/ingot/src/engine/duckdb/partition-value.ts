import type { DataType } from "../../model/data-type.js";
import { duckdbType, quoteText } from "../../sql/lower/lower-text.js";

/**
 * SQL for the value of a partition column, which is text in the log; the empty text means NULL. A binary is the text
 * that its bytes make in UTF-8. Source: the Delta protocol, "Partition Value Serialization".
 */
export function partitionValue(type: DataType, text: string | null | undefined): string {
  if (text === null || text === undefined || text === "") return `NULL::${duckdbType(type)}`;
  // The parser of SQL ends at a zero character, and a BLOB literal takes backslashes for escapes.
  if (type.kind === "binary" || text.includes("\0")) {
    const bytes = `from_hex('${Buffer.from(text).toString("hex")}')`;
    return type.kind === "binary" ? bytes : `decode(${bytes})::${duckdbType(type)}`;
  }
  return `CAST(${quoteText(text)} AS ${duckdbType(type)})`;
}
