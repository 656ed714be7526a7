import type { ResultSet } from "../engine/engine.js";
import { formatCell } from "./format-cell.js";

/** Cells longer than this are cut, as in Spark's `show`. */
const CELL = 20;

/**
 * A result in the boxes of Spark's `show` (`Dataset.showString`): values right-aligned and cut to `truncate` characters;
 * with 0 whole, and left-aligned. Column names are never cut.
 */
export function showTable(result: ResultSet, truncate = CELL): string {
  const cut = (text: string): string => {
    const characters = [...text];
    if (truncate <= 0 || characters.length <= truncate) return text;
    return truncate < 4 ? characters.slice(0, truncate).join("") : `${characters.slice(0, truncate - 3).join("")}...`;
  };
  const header = result.columns.map((column) => printable(column.name));
  const body = result.rows.map((row) =>
    result.columns.map((column, i) => cut(printable(formatCell(row[i] ?? null, column.type)))),
  );
  const widths = header.map((name, i) => Math.max(3, width(name), ...body.map((row) => width(row[i] ?? ""))));
  const rule = `+${widths.map((w) => "-".repeat(w)).join("+")}+`;
  const pad = (cell: string, i: number): string => {
    const blanks = " ".repeat((widths[i] ?? 0) - width(cell));
    return truncate > 0 ? blanks + cell : cell + blanks;
  };
  const line = (cells: readonly string[]) => `|${cells.map(pad).join("|")}|`;
  const rows = [rule, line(header), rule, ...body.map(line), rule];
  if (result.truncated) rows.push(`only showing top ${result.rows.length} row${result.rows.length === 1 ? "" : "s"}`);
  return rows.join("\n");
}

/** Control characters would break the box; Spark prints the common ones escaped. */
function printable(text: string): string {
  return text
    .replaceAll("\n", "\\n")
    .replaceAll("\r", "\\r")
    .replaceAll("\t", "\\t")
    .replaceAll("\f", "\\f")
    .replaceAll("\b", "\\b")
    .replaceAll("\u000B", "\\v")
    .replaceAll("\u0007", "\\a");
}

/** Columns on a terminal as Spark counts them (`Utils.stringHalfWidth`): UTF-16 units, East Asian wide ones twice. */
function width(text: string): number {
  return text.length + (text.match(WIDE)?.length ?? 0);
}

const WIDE =
  /[\u1100-\u115F\u2E80-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE10-\uFE19\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6]/g;
