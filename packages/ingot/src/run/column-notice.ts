import type { ColumnNotice } from "../model/batch.js";
import type { EventLevel } from "../model/event.js";

/** Values that are not where one looks for them are a warning; a column more, fewer or renamed is news. */
export function levelOf({ kind }: ColumnNotice): EventLevel {
  return kind === "told-apart" || kind === "not-read" || kind === "as-text" ? "WARN" : "INFO";
}

/** One line: the file, how many more, what is said. */
export function describeNotice({ path, files, detail }: ColumnNotice): string {
  const others = files === 1 ? "" : ` and ${files - 1} more ${files === 2 ? "file" : "files"}`;
  return `${path}${others}: ${detail}`;
}
