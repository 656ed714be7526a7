import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { text } from "./decoder-cases.js";
import { type DecoderSession, openDecoders } from "./decoder-session.js";
import { expectValues, fixed, sample } from "./expect-values.js";
import { T006, WITH_UNITS } from "./units.js";

let session: DecoderSession;
const sources = new Map([["ecc", WITH_UNITS]]);
beforeAll(async () => {
  session = await openDecoders();
});
afterAll(() => session.close());

/** A fraction of whole numbers, by the rules of school. */
type Rational = readonly [over: bigint, under: bigint];
const plus = ([a, b]: Rational, [c, d]: Rational): Rational => [a * d + c * b, b * d];
const times = ([a, b]: Rational, [c, d]: Rational): Rational => [a * c, b * d];
const ratio = (a: bigint, b: bigint): Rational => [a, b];

/** By the formula of SAP's documentation: to the SI unit, and from it back to the other one. */
function convert(quantity: bigint, scale: number, from: string, to: string, decimals: number): string | undefined {
  const [a, b] = [T006.find(([code]) => code === from), T006.find(([code]) => code === to)];
  if (a === undefined || b === undefined) return undefined;
  const isOther = a !== b;
  if (isOther && (a[1] !== b[1] || a[1] === "AAAADL" || a[2] === 0n || b[2] === 0n)) return undefined;
  const start = ratio(quantity, 10n ** BigInt(scale));
  const factor = ([, , zaehl, nennr, exp10]: (typeof T006)[number]): Rational =>
    times(ratio(zaehl, nennr), exp10 < 0 ? ratio(1n, 10n ** BigInt(-exp10)) : ratio(10n ** BigInt(exp10), 1n));
  const constant = ([, , , , , addko]: (typeof T006)[number]): Rational =>
    ratio(BigInt(addko.replace(".", "")) * (addko.includes(".") ? 1n : 1_000_000n), 1_000_000n);
  const si = plus(times(start, factor(a)), constant(a));
  const [less, [n, d]] = [constant(b), factor(b)];
  const [over, under] = isOther ? times(plus(si, [-less[0], less[1]]), [d, n]) : start;
  const absolute = (over < 0n ? -over : over) * 10n ** BigInt(decimals);
  const rounded = (2n * absolute + under) / (2n * under);
  return fixed(over < 0n ? -rounded : rounded, decimals);
}

/** Units to which each quantity of DECIMAL(13,3) fits. */
const TARGETS = ["KG", "LB", "TO", "NAM", "KM", '"', "K", "CEL", "FAH", "JHR", "3H", "ST"];

describe("sap_convert_unit", () => {
  it.each(
    TARGETS.flatMap(
      (to) =>
        [
          [to, 0],
          [to, 4],
        ] as const,
    ),
  )("to %s with %i decimals is the exact quotient, rounded half up once", async (to, decimals) => {
    const quantity = fc.oneof(
      fc.bigInt({ min: -(10n ** 13n) + 1n, max: 10n ** 13n - 1n }),
      fc.bigInt({ min: -5000n, max: 5000n }),
    );
    const unit = fc.constantFrom<string>(...T006.map(([code]) => code), "XXX", "kg");
    await expectValues(
      session,
      { decoder: "convert_unit", types: ["DECIMAL(13,3)", "STRING"], constants: { to, decimals }, source: WITH_UNITS },
      sample(fc.tuple(quantity, unit), 400),
      ([q, from]) => [fixed(q, 3), text(from)],
      ([q, from]) => convert(q, 3, from, to, decimals),
    );
  });
  it("to the unit that the row names is the same", async () => {
    const from = fc.constantFrom<string>(...T006.map(([code]) => code), "XXX");
    const to = fc.constantFrom(...TARGETS, "XXX");
    await expectValues(
      session,
      {
        decoder: "convert_unit",
        types: ["DECIMAL(13,3)", "STRING", "STRING"],
        constants: { decimals: 4 },
        source: WITH_UNITS,
      },
      sample(fc.tuple(fc.bigInt({ min: -(10n ** 13n) + 1n, max: 10n ** 13n - 1n }), from, to), 600),
      ([q, a, b]) => [fixed(q, 3), text(a), text(b)],
      ([q, a, b]) => convert(q, 3, a, b, 4),
    );
  });
  it("is what SAP's documentation says: 32 °F are 273,15 K and 0 °C, 1 mm is 1/1000 m", async () => {
    const query =
      "SELECT sap_convert_unit(32.0, 'FAH', 'K', 2), sap_convert_unit(32.0, 'FAH', 'CEL', 2), sap_convert_unit(1.0, 'MM', 'M', 3)";
    expect(await session.rows(query, sources)).toEqual([["273.15", "0.00", "0.001"]]);
  });
  it("flags a missing unit, and knows an initial quantity", async () => {
    const query = `SELECT try_sap_convert_unit(q, u, 'KG', 3), sap_convert_unit_reason(q, u, 'KG', 3)
      FROM VALUES (5.000, ''), (5.000, NULL), (0.000, ''), (NULL, 'KG') AS t(q, u)`;
    expect(await session.rows(query, sources)).toEqual([
      [null, "UNIT_ANOMALY"],
      [null, "UNIT_ANOMALY"],
      [null, null],
      [null, null],
    ]);
  });
  it("does not take a carton for a piece", async () => {
    const query = "SELECT sap_convert_unit(3.0, 'ST', 'ST', 0), sap_convert_unit_reason(3.0, 'KAR', 'ST', 0)";
    expect(await session.rows(query, sources)).toEqual([["3", "UNIT_ANOMALY"]]);
    await expect(session.rows("SELECT sap_convert_unit(3.0, 'KAR', 'ST', 0)", sources)).rejects.toThrow(
      "[UNIT_ANOMALY] sap_convert_unit cannot read: 3.0",
    );
  });
  it.each([
    ["sap_convert_unit(1.0, 'G', 'KGM', 3)", "has no unit 'KGM'"],
    ["sap_convert_unit(1.0, 'G', 'KG', 10)", "from 0 to 9"],
    ["sap_convert_unit(CAST(1 AS DECIMAL(31,0)), 'G', 'KG', 9)", "too many digits"],
    ["sap_unit('PC', 'F')", "no units in language 'F'"],
  ])("%s is refused", async (call, message) => {
    await expect(session.rows(`SELECT ${call}`, sources)).rejects.toThrow(message);
  });
  it("needs the source's T006", async () => {
    await expect(session.rows("SELECT sap_convert_unit(1.0, 'G', 'KG', 3)")).rejects.toThrow("declares no T006");
  });
});

describe("codes of units", () => {
  it("differ by language: ST is PC in English, and one that two units have is none", async () => {
    const query = `SELECT sap_unit('PC', 'EN'), sap_unit('ST', 'D'), sap_unit_reason('ST', 'E'), sap_unit_reason('M', 'E'),
      sap_unit_external('ST', 'E'), sap_unit_external('MM', 'E'), sap_unit_external_reason('XX', 'E'), sap_unit('', 'E')`;
    expect(await session.rows(query, sources)).toEqual([
      ["ST", "ST", "INVALID_UNIT", "INVALID_UNIT", "PC", "M", "INVALID_UNIT", null],
    ]);
  });
});
