import fc from "fast-check";
import { expect } from "vitest";
import { caseQuery, type DecoderCase, sourcesOf } from "./decoder-cases.js";
import type { DecoderSession } from "./decoder-session.js";

export const sample = <T>(values: fc.Arbitrary<T>, count = 300): T[] =>
  fc.sample(values, { numRuns: count, seed: 20261130 });

/** Asks for all rows at once; a malformed value is expected as undefined. */
export async function expectValues<T>(
  session: DecoderSession,
  use: Omit<DecoderCase, "rows">,
  inputs: readonly T[],
  literals: (input: T) => readonly string[],
  model: (input: T) => string | null | undefined,
): Promise<void> {
  const rows = await session.rows(
    caseQuery({ ...use, rows: inputs.map((input) => ({ values: literals(input) })) }, "call"),
    sourcesOf(use),
  );
  const shown = rows.map(([, value, reason], i) => [literals(inputs[i] as T), reason === null ? value : undefined]);
  expect(shown).toEqual(inputs.map((input) => [literals(input), model(input)]));
}

/** A number from its digits and how many of them are decimals. */
export function fixed(unscaled: bigint, scale: number): string {
  const digits = `${unscaled < 0n ? -unscaled : unscaled}`.padStart(scale + 1, "0");
  const [whole, decimals] = [digits.slice(0, digits.length - scale), digits.slice(digits.length - scale)];
  return `${unscaled < 0n ? "-" : ""}${whole}${scale === 0 ? "" : `.${decimals}`}`;
}
