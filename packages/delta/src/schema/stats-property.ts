import type { TextMap } from "../log/actions.js";
import { type FieldPath, formatPath, startsWith } from "./field-path.js";

const STATS_COLUMNS = "delta.dataSkippingStatsColumns";
const PART = /\s*(?:`((?:[^`]|``)+)`|([^`.,\s]+))\s*([.,]|$)/y;

/** The columns that `delta.dataSkippingStatsColumns` lists: `a, b.c, `odd.name``. Undefined for what is no such list. */
export function parseColumnList(text: string): FieldPath[] | undefined {
  const paths: string[][] = [[]];
  let at = 0;
  for (;;) {
    PART.lastIndex = at;
    const [all, quoted, plain, separator] = PART.exec(text) ?? [];
    const name = quoted?.replaceAll("``", "`") ?? plain;
    if (all === undefined || name === undefined) return undefined;
    paths.at(-1)?.push(name);
    at += all.length;
    if (separator === "") return paths;
    if (separator === ",") paths.push([]);
  }
}

/** The properties with a column renamed, or left out, where the list of columns with statistics names it. */
export function changeStatsColumns(configuration: TextMap, path: FieldPath, renamed: string | undefined): TextMap {
  const text = configuration[STATS_COLUMNS];
  const listed = typeof text === "string" ? parseColumnList(text) : undefined;
  if (listed === undefined || !listed.some((column) => startsWith(column, path))) return configuration;
  const kept = listed.flatMap((column) => {
    if (!startsWith(column, path)) return [column];
    return renamed === undefined ? [] : [[...path.slice(0, -1), renamed, ...column.slice(path.length)]];
  });
  return { ...configuration, [STATS_COLUMNS]: kept.map(formatPath).join(",") };
}
