import type { Field } from "../../model/data-type.js";
import type { TextRead } from "../../model/file-read.js";
import { countLines } from "./count-lines.js";
import type { Contents } from "./inspect-csv.js";

/** The column of Spark's source `text`. */
export const TEXT_FIELDS: readonly Field[] = [{ name: "value", type: { kind: "string" }, nullable: true }];

/** Each line is a record, a blank one too; or the whole file is one. */
export async function inspectText(read: TextRead, text: AsyncIterable<Buffer>): Promise<Contents> {
  const { lines, lineEnd } = await countLines(text);
  const fields = read.schema === undefined ? { fields: TEXT_FIELDS } : {};
  if (read.wholeText) return { records: 1, ...fields };
  return { records: lines.lines, lineEnd, longestLine: lines.longest, ...fields };
}
