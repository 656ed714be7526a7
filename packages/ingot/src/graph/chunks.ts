import type { Dataset } from "../model/definition.js";
import { IngotError } from "../model/error.js";
import { formatName, sameName } from "../model/name.js";

/** More would be a list of keys. */
const MOST_CHUNKS = 1000;

/**
 * The chunks that `--chunks 'GJAHR 2018..2024'` asks for, in their order: the values of the column that the backfill
 * declares. A range counts up by one and keeps leading zeros (`001..012`); several stand with commas between.
 *
 * @throws IngotError BAD_CHUNKS
 */
export function parseChunks(text: string, { name, backfill }: Dataset): string[] {
  const column = backfill?.chunkBy ?? "";
  const bad = (why: string) =>
    new IngotError("BAD_CHUNKS", `--chunks '${text}': ${why}`, {
      object: formatName(name),
      hint: `Write the column and its values: --chunks '${column} 2018..2024', or '${column} 2018,2020..2022'.`,
    });
  const [, written, list] = /^\s*`?([^\s`]+)`?\s+(\S.*?)\s*$/s.exec(text) ?? [];
  if (written === undefined || list === undefined) throw bad("a column and a range are wanted");
  if (!sameName(written, column)) throw bad(`${formatName(name)} is loaded by ${column}, not by ${written}`);
  const values = list.split(",").flatMap((item) => {
    const [, from, to = from] = /^\s*(\d+)(?:\s*\.\.\s*(\d+))?\s*$/.exec(item) ?? [];
    if (from === undefined || to === undefined) throw bad(`${item.trim()} is neither a number nor a range a..b`);
    if (to.length < from.length || BigInt(to) < BigInt(from)) throw bad(`${from}..${to} counts down`);
    if (BigInt(to) - BigInt(from) >= BigInt(MOST_CHUNKS))
      throw bad(`${from}..${to} is more than ${MOST_CHUNKS} chunks`);
    return countUp(from, to);
  });
  const twice = values.find((value, i) => values.indexOf(value) < i);
  if (twice !== undefined) throw bad(`${twice} is there twice`);
  if (values.length > MOST_CHUNKS) throw bad(`that is more than ${MOST_CHUNKS} chunks`);
  return values;
}

function countUp(from: string, to: string): string[] {
  const count = Number(BigInt(to) - BigInt(from)) + 1;
  return Array.from({ length: count }, (_, i) => String(BigInt(from) + BigInt(i)).padStart(from.length, "0"));
}
