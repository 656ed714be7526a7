import type { Field } from "../../../model/data-type.js";
import type { BinaryFileRead } from "../../../model/file-read.js";
import { quoteText } from "../../../sql/lower/lower-text.js";
import { quotePath } from "../quote-path.js";
import type { LocatedFile } from "./located-file.js";
import { fieldColumns } from "./relation-parts.js";

/** A row a file. `path` is Hadoop's text of it, in which nothing is escaped. */
export function binaryRows(read: BinaryFileRead, columns: readonly Field[], files: readonly LocatedFile[]): string {
  const wanted = fieldColumns(read, columns, files);
  const parts = files.map((file, i) => {
    const values: Readonly<Record<string, string>> = {
      path: quoteText(`file:${file.path}`),
      modificationtime: `make_timestamptz(${file.mtimeMs}::BIGINT * 1000)`,
      length: `${file.size}::BIGINT`,
      content: "content",
    };
    const taken = wanted.map(({ name }, c) => `${values[name.toLowerCase()] ?? "NULL"} AS c${c}`);
    return `SELECT ${[`${i} AS file`, "1::BIGINT AS record", "NULL::VARCHAR[] AS other", ...taken].join(", ")} FROM read_blob(${quotePath(file.path)})`;
  });
  return parts.join(" UNION ALL ");
}
