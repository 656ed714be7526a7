import { describe, expect, it } from "vitest";
import { dayOf } from "../calendar.js";
import { units } from "../gold/fact-table.js";
import { SCALES } from "../volumes.js";
import type { World } from "../world.js";
import { DECIMALS, rateOf } from "./exchange-rates.js";

const start = dayOf("2025-01-01");
const world: World = {
  seed: "1",
  client: "100",
  isFirst: true,
  release: "ecc",
  start,
  days: 1,
  unknownProducts: 0,
  volumes: SCALES.tiny,
};

/**
 * Hundredths of EUR by the specification's own words: the true amount is stored × 10^(2 − decimals); a positive rate
 * multiplies by rate × TFACT / FFACT, a negative one divides.
 */
function byTheBook(stored: number, currency: string, text: string, ffact: number): number {
  const amount = (stored / 100) * 10 ** (2 - (DECIMALS.get(currency) ?? 2));
  const rate = units(text) / 100_000;
  const euro = rate > 0 ? (amount * rate) / ffact : amount / -rate / ffact;
  return euro * 100;
}

describe("rateOf", () => {
  it.each(["USD", "GBP", "CHF", "JPY", "HUF", "TND", "KRW"])("converts %s as the specification says", (currency) => {
    for (const day of ["2024-06-03", "2024-07-06", "2025-01-01"].map(dayOf)) {
      const rate = rateOf(world, currency, day);
      const ffact = currency === "JPY" ? (day >= dayOf("2024-07-01") ? 1000 : 100) : 1;
      for (const stored of [1, 100, 123_456, 98_765_432]) {
        const exact = byTheBook(stored, currency, rate.text, ffact);
        expect(Math.abs(rate.toEuro(stored) - exact)).toBeLessThanOrEqual(0.5 + exact * 1e-12);
      }
    }
  });

  it("goes by the Friday before on weekends", () => {
    const [friday, sunday] = ["2025-01-03", "2025-01-05"].map((day) => rateOf(world, "USD", dayOf(day)).text);
    expect(sunday).toBe(friday);
  });
});
