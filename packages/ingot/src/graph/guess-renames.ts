import type { ContractColumn } from "../model/drift.js";
import { editDistance } from "../model/nearest.js";
import { compareTypes } from "./compare-types.js";

/** A column that is gone, and one that came, which may be the same under another name. */
export interface Rename {
  readonly from: ContractColumn;
  readonly into: ContractColumn;
  /** 0 to 1, in hundredths. */
  readonly confidence: number;
}

/** What speaks for a rename: the same type or a wider one, the same place among the columns, a name that is alike. */
const WEIGHTS = { sameType: 0.4, widerType: 0.2, place: 0.3, name: 0.3 };
const LEAST = 0.6;

/**
 * Guesses which columns of a source were renamed, by what is known without its rows. Each column is in one guess, the
 * surest first.
 */
export function guessRenames(before: readonly ContractColumn[], now: readonly ContractColumn[]): Rename[] {
  const gone = before.filter((column) => !isIn(now, column));
  const came = now.filter((column) => !isIn(before, column));
  const guesses = gone
    .flatMap((from) =>
      came.map((into) => ({
        from,
        into,
        confidence: confidenceOf(from, into, before.indexOf(from) === now.indexOf(into)),
      })),
    )
    .filter(({ confidence }) => confidence >= LEAST)
    .sort((a, b) => b.confidence - a.confidence);
  const found: Rename[] = [];
  for (const guess of guesses)
    if (!found.some(({ from, into }) => from === guess.from || into === guess.into)) found.push(guess);
  return found;
}

function confidenceOf(from: ContractColumn, into: ContractColumn, isSamePlace: boolean): number {
  const type = compareTypes(from.type, into.type);
  if (type !== "same" && type !== "widened") return 0;
  const [a, b] = [from.name.toLowerCase(), into.name.toLowerCase()];
  const likeness = 1 - editDistance(a, b) / Math.max(a.length, b.length);
  const sum =
    (type === "same" ? WEIGHTS.sameType : WEIGHTS.widerType) +
    (isSamePlace ? WEIGHTS.place : 0) +
    WEIGHTS.name * likeness;
  return Math.round(sum * 100) / 100;
}

function isIn(columns: readonly ContractColumn[], { name }: ContractColumn): boolean {
  return columns.some((other) => other.name.toLowerCase() === name.toLowerCase());
}
