import { nearest as nearestName } from "../../model/nearest.js";
import { type Conversion, conversion, externalCodes, type Units, unscaled } from "../units.js";
import { argumentAt, type Decoder, DecoderFault, type DecoderUse, numberOf } from "./decoder.js";
import { local, textLiteral } from "./pattern.js";
import { amountType, decimal, LONGEST_PRODUCT, nearest, withDecimals } from "./quotient.js";

/** Decimals that a quantity may be rounded to. */
const MOST_DECIMALS = 9;

/**
 * A quantity in another unit by the source's T006: times ZAEHL / NENNR * 10 ** EXP10 of the one, over those of the other,
 * with the difference of ADDKO for temperatures, rounded half up once. The unit may be any of the new one's dimension; an
 * unknown or missing one, or one of another dimension, is malformed. So is a new one that a row names and T006 does not
 * have. An initial quantity, 0 without a unit, is none.
 */
export const CONVERT_UNIT: Decoder = {
  values: [
    { name: "quantity", takes: ["decimal"] },
    { name: "unit", takes: ["text"] },
    { name: "to", takes: ["text"] },
  ],
  constants: [{ name: "decimals", type: "number", required: true }],
  bySource: true,
  reason: "UNIT_ANOMALY",
  does: "a quantity converted to a unit of the same dimension by T006, rounded half up to its decimals; codes are internal (MSEHI)",
  decode: (use) => {
    const { sql, type } = argumentAt(use);
    const { precision, scale } = amountType(type, "quantity");
    const decimals = numberOf(use, "decimals", 0, MOST_DECIMALS);
    const unit = `trim(${argumentAt(use, 1).sql})`;
    const to = argumentAt(use, 2);
    const units = unitsOf(use);
    const targets = to.text === undefined ? [...units.units.keys()] : [to.text];
    const form = { precision, scale, decimals };
    const ways = targets.map((code): [string, Ways] => [code, conversionsTo(units, code, form)]);
    const whole = `CAST(${sql} * CAST('1E${scale}' AS ${decimal(scale + 1, 0)}) AS ${decimal(precision, 0)})`;
    return {
      value: withDecimals(convertedSql(whole, precision, { from: unit, to: `trim(${to.sql})` }, ways), decimals),
      nothing: `(${sql} IS NULL OR ${sql} = 0 AND coalesce(${unit}, '') = '')`,
    };
  },
};

/** Conversions by the code of the unit that a quantity has. */
type Ways = readonly (readonly [code: string, way: Conversion])[];

/** @throws DecoderFault for a unit that T006 does not have */
function conversionsTo(
  { units }: Units,
  to: string,
  { precision, scale, decimals }: { readonly precision: number; readonly scale: number; readonly decimals: number },
): Ways {
  const target = units.get(to);
  if (target === undefined) {
    const near = nearestName(to, [...units.keys()]);
    const hint = near === undefined ? "Write a code of T006-MSEHI." : `Did you mean ${near}?`;
    throw new DecoderFault(`the source's T006 has no unit '${to}'`, hint, "to");
  }
  const fits = ({ times, plus, by }: Conversion) =>
    precision + digits(times) < LONGEST_PRODUCT && digits(plus) < LONGEST_PRODUCT && digits(by) < LONGEST_PRODUCT;
  const ways = [...units].flatMap(([code, unit]): [string, Conversion][] => {
    const way = conversion(unit, target);
    const whole = way === undefined ? undefined : unscaled(way, scale, decimals);
    return whole !== undefined && fits(whole) ? [[code, whole]] : [];
  });
  if (ways.length > 0) return ways;
  throw new DecoderFault(
    "the quantity has too many digits",
    "Cast it to those it needs, such as DECIMAL(15,3).",
    "quantity",
  );
}

/** The nearest whole number to `(whole * times + plus) / by`, by the units; `ways` are those to each unit. */
function convertedSql(
  whole: string,
  precision: number,
  { from, to }: { readonly from: string; readonly to: string },
  ways: readonly (readonly [to: string, Ways])[],
): string {
  const all = ways.flatMap(([, these]) => these.map(([, way]) => way));
  const byUnits = (part: keyof Conversion) => {
    const longest = Math.max(1, ...all.map((way) => digits(way[part])));
    const fromEach = (these: Ways) =>
      caseSql(
        from,
        these.map(([code, way]) => [code, `CAST('${way[part]}' AS ${decimal(longest, 0)})`]),
      );
    const [only, another] = ways;
    const sql =
      only !== undefined && another === undefined
        ? fromEach(only[1])
        : caseSql(
            to,
            ways.map(([code, these]) => [code, fromEach(these)]),
          );
    return { sql, digits: longest };
  };
  const [times, plus] = [byUnits("times"), byUnits("plus")];
  const sum = all.every((way) => way.plus === 0n) ? "" : ` + ${plus.sql}`;
  const total = `CAST(${whole} * ${times.sql}${sum} AS ${decimal(Math.max(precision + times.digits, plus.digits) + 1, 0)})`;
  const sign = "CASE WHEN total < 0 THEN -1 ELSE 1 END";
  return local("total", total, `(${nearest("abs(total)", byUnits("by").sql)}) * ${sign}`);
}

function caseSql(value: string, results: readonly (readonly [text: string, sql: string])[]): string {
  return `CASE ${value} ${results.map(([text, sql]) => `WHEN ${textLiteral(text)} THEN ${sql}`).join(" ")} END`;
}

const digits = (value: bigint) => `${value < 0n ? -value : value}`.length;

/** Internal codes are those of tables; the external ones of a language are what users see, and never what a key has. */
export const UNIT: Decoder = codeDecoder(
  "a unit as users of a language see it (T006A-MSEH3) to its internal code (MSEHI)",
  (codes) => {
    const shared = (shown: string) => [...codes.values()].filter((other) => other === shown).length > 1;
    return [...codes].flatMap(([code, shown]) => (shared(shown) ? [] : [[shown, code] as const]));
  },
);

export const UNIT_EXTERNAL: Decoder = codeDecoder(
  "the internal code of a unit (MSEHI) as users of a language see it (T006A-MSEH3)",
  (codes) => [...codes],
);

function codeDecoder(
  does: string,
  pairsOf: (codes: ReadonlyMap<string, string>) => readonly (readonly [string, string])[],
): Decoder {
  return {
    values: [{ name: "value", takes: ["text"] }],
    constants: [{ name: "language", type: "text", required: true }],
    bySource: true,
    reason: "INVALID_UNIT",
    does,
    decode: (use) => {
      const text = `trim(${argumentAt(use).sql})`;
      const language = use.texts["language"] ?? "";
      const codes = externalCodes(unitsOf(use), language);
      if (codes === undefined)
        throw new DecoderFault(
          `the source's T006A has no units in language '${language}'`,
          "Name an extract of T006A that has it under `units`.",
          "language",
        );
      const whens = pairsOf(codes).map(([from, to]) => `WHEN ${textLiteral(from)} THEN ${textLiteral(to)}`);
      return {
        value: `CASE ${text} WHEN '' THEN CAST(NULL AS STRING) ${whens.join(" ")} END`,
        nothing: `coalesce(${text} = '', true)`,
      };
    },
  };
}

/** @throws DecoderFault where the source declares none */
function unitsOf({ source }: DecoderUse): Units {
  if (source.units !== undefined) return source.units;
  throw new DecoderFault(
    "the source declares no T006, so that its units are not known",
    "Add `units: [t006.csv, t006a.csv]` to the source.",
    "unit",
  );
}
