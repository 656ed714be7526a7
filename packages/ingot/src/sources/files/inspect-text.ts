import type { TextRead } from "../../model/file-read.js";
import { LineCounter } from "./count-lines.js";
import { type Contents, RAW_SEPARATOR } from "./inspect-csv.js";

/** Each line is a record, a blank one too; or the whole file is one. */
export async function inspectText(read: TextRead, text: AsyncIterable<Buffer>): Promise<Contents> {
  const lines = new LineCounter();
  let hasRawSeparator = false;
  for await (const chunk of text) {
    hasRawSeparator ||= chunk.includes(RAW_SEPARATOR);
    lines.add(chunk);
  }
  lines.finish();
  const fields = read.schema === undefined ? { fields: [VALUE] } : {};
  if (read.wholeText) return { records: 1, ...fields };
  return {
    records: lines.lines,
    lineEnd: hasRawSeparator ? "mixed" : (lines.lineEnd() ?? "mixed"),
    longestLine: lines.longest,
    ...fields,
  };
}

const VALUE = { name: "value", type: { kind: "string" }, nullable: true } as const;
