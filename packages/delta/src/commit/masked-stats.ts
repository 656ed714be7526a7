import { numRecords } from "../files/stats.js";
import { isObject, parseJson } from "../log/json.js";
import type { MaskedFile } from "./change.js";

/**
 * The statistics of a file whose deleted rows change. With more of them bounds still hold, but may be wider than the
 * rows that are left. Where rows come back, bounds that were tight for the others do not hold for them, and only the
 * count stays: it is that of the data file, deleted rows included.
 * Source: the Delta protocol, "Per-file Statistics" (`tightBounds`).
 */
export function maskedStats({ file, deletionVector }: MaskedFile): string | undefined {
  const { stats, deletionVector: before } = file;
  if (stats === undefined) return undefined;
  const parsed = parseJson(stats);
  const isTight = !isObject(parsed) || parsed["tightBounds"] !== false;
  const comesBack = before !== undefined && (deletionVector?.cardinality ?? 0n) < before.cardinality;
  if (comesBack && isTight) return `{"numRecords":${numRecords(stats)}}`;
  if (deletionVector === undefined || !isTight) return stats;
  return withLooseBounds(stats, isObject(parsed) && parsed["tightBounds"] !== undefined);
}

/** The text stays as it is but for the flag: parsing would round decimals of many digits. */
function withLooseBounds(stats: string, isStated: boolean): string {
  const text = stats.trim();
  if (isStated) return replaceFlag(text);
  return text === "{}" ? '{"tightBounds":false}' : `${text.slice(0, -1)},"tightBounds":false}`;
}

const PART = /"(?:[^"\\]|\\.)*"|[{}[\]]|[^"{}[\]]+/g;

/** Sets `tightBounds` of the outermost object; a column may have the same name. */
function replaceFlag(text: string): string {
  let depth = 0;
  let isFlag = false;
  return text.replace(PART, (part) => {
    if (part === "{" || part === "[") depth += 1;
    else if (part === "}" || part === "]") depth -= 1;
    else if (isFlag) {
      isFlag = false;
      return part.replace(/true|null/, "false");
    } else isFlag = depth === 1 && part === '"tightBounds"';
    return part;
  });
}
