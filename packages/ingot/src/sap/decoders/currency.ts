import { argumentAt, type Decoder, DecoderFault, type DecoderUse, numberOf } from "./decoder.js";
import { local } from "./pattern.js";
import { amountType, decimal, digitsOf, type Factor, LONGEST_AMOUNT, quotient, withDecimals } from "./quotient.js";

/** Decimals that CURR fields are stored with, whatever their currency has. */
const STORED_DECIMALS = 2;
/** SAP knows currencies of 0 to 5 decimals. */
const MOST_DECIMALS = 5;

/**
 * The true amount of a stored one: `stored × 10^(2 − CURRDEC)`, by the source's own TCURX and not by ISO 4217 (SAP's HUF
 * has no decimals). A currency that TCURX does not name has two; so has an amount without a currency. The scale is that
 * of the amount, or of the currency with most decimals in TCURX; where it has no place for a digit, the value is malformed.
 */
export const CURR: Decoder = {
  values: [
    { name: "amount", takes: ["decimal"] },
    { name: "currency", takes: ["text", "whole"] },
  ],
  constants: [{ name: "scale", type: "number" }],
  bySource: true,
  once: true,
  reason: "CURRENCY_ANOMALY",
  does: "a CURR amount, by its currency or the currency's decimals, in its true value; once",
  decode: (use) => {
    const { sql, type } = argumentAt(use);
    const amount = amountType(type, "amount");
    const decimals = use.source.amounts === "shifted" ? undefined : decimalsSql(use);
    const scale = use.numbers["scale"] === undefined ? defaultScale(use, amount.scale) : numberOf(use, "scale", 0, 38);
    const target = decimal(Math.min(38, amount.precision - amount.scale + STORED_DECIMALS + scale), scale);
    const wide = decimal(amount.precision + MOST_DECIMALS, amount.scale + MOST_DECIMALS - STORED_DECIMALS);
    const shifted = decimals === undefined ? `CAST(${sql} AS ${wide})` : shiftSql(sql, decimals, wide);
    const narrow = `try_cast(shifted AS ${target})`;
    const moved = local("shifted", shifted, `CASE WHEN ${narrow} = shifted THEN ${narrow} END`);
    // Most currencies have two decimals, and an amount of theirs stays as it is.
    const mayStay = decimals !== undefined && scale >= amount.scale;
    const stays = `CASE WHEN ${decimals} = ${STORED_DECIMALS} THEN try_cast(${sql} AS ${target}) ELSE ${moved} END`;
    return {
      value: mayStay ? stays : moved,
      nothing: `${sql} IS NULL`,
    };
  },
};

/** Spark SQL of the currency's decimals. @throws DecoderFault where a currency is named and no TCURX is declared */
function decimalsSql(use: DecoderUse): string {
  const { sql, type } = argumentAt(use, 1);
  if (type.kind !== "string") return `coalesce(${sql}, ${STORED_DECIMALS})`;
  const { currencies } = use.source;
  if (currencies === undefined)
    throw new DecoderFault(
      "the source declares no TCURX, so that the decimals of a currency are not known",
      "Add `currencies: tcurx.csv` to the source, or give the decimals themselves (TCURX-CURRDEC).",
      "currency",
    );
  const whens = [...currencies].map(([currency, decimals]) => ` WHEN '${currency}' THEN ${decimals}`).join("");
  return whens === "" ? `${STORED_DECIMALS}` : `CASE trim(${sql})${whens} ELSE ${STORED_DECIMALS} END`;
}

function defaultScale(use: DecoderUse, scale: number): number {
  const named = argumentAt(use, 1).type.kind === "string" && use.source.amounts === "raw";
  return Math.max(scale, ...(named ? (use.source.currencies?.values() ?? []) : []));
}

function shiftSql(amount: string, decimals: string, wide: string): string {
  const factors = [
    "CAST(100 AS DECIMAL(3,0))",
    "CAST(10 AS DECIMAL(3,0))",
    "CAST(1 AS DECIMAL(3,0))",
    "0.1",
    "0.01",
    "0.001",
  ];
  const whens = factors.map((factor, i) => `WHEN ${i} THEN CAST(${amount} * ${factor} AS ${wide})`);
  return `CASE ${decimals} ${whens.join(" ")} END`;
}

/** Digits of FFACT and TFACT. */
const FACTOR_DIGITS = 9;

/**
 * An amount in another currency by a row of TCURR: times the rate, or divided by it where the rate is negative (indirect
 * quotation), times TFACT, divided by FFACT, rounded half up once. Both amounts are true values, not stored ones. A factor
 * that is missing or 0 is 1. Without a rate there is no value. The decimals are a constant, or the new currency's of each
 * row (TCURX-CURRDEC; two where it is missing).
 */
export const CONVERT: Decoder = {
  values: [
    { name: "amount", takes: ["decimal"] },
    { name: "rate", takes: ["decimal"] },
    { name: "ffact", takes: ["decimal", "whole"] },
    { name: "tfact", takes: ["decimal", "whole"] },
    { name: "decimals", takes: ["whole"] },
  ],
  constants: [{ name: "scale", type: "number" }],
  reason: "CURRENCY_ANOMALY",
  does: "an amount converted by UKURS, FFACT and TFACT, rounded half up to the decimals of its new currency",
  decode: (use) => {
    const [amount, rate] = [argumentAt(use), argumentAt(use, 1)];
    const [a, r] = [amountType(amount.type, "amount"), amountType(rate.type, "rate")];
    const places = placesOf(use);
    const [from, ukurs] = [digitsOf(amount.sql, a, "amount"), digitsOf(rate.sql, r, "rate")];
    const [ffact, tfact] = [factorOf(argumentAt(use, 2).sql), factorOf(argumentAt(use, 3).sql)];
    const direct = quotient([from, ukurs, tfact], [ffact, ...places.under], places.most - a.scale - r.scale);
    const indirect = quotient([from, tfact], [ukurs, ffact, ...places.under], places.most + r.scale - a.scale);
    const either = `CASE WHEN ${rate.sql} > 0 THEN ${direct} WHEN ${rate.sql} < 0 THEN ${indirect} END`;
    const sign = `CASE WHEN ${amount.sql} < 0 THEN -1 ELSE 1 END`;
    const divided = places.ofWhole(`(${either}) * ${sign}`);
    // Most rates are for one unit: a product is rounded by its cast.
    const isProduct = `${rate.sql} > 0 AND coalesce(${argumentAt(use, 2).sql}, 0) IN (0, 1)`;
    const product = places.rounded(`${amount.sql} * ${rate.sql} * ${tfact[0]}`);
    const hasAllDigits = a.precision + r.precision + FACTOR_DIGITS + 2 <= 38;
    return {
      value: hasAllDigits ? `CASE WHEN ${isProduct} THEN ${product} ELSE ${divided} END` : divided,
      nothing: `(${amount.sql} IS NULL OR ${rate.sql} IS NULL)`,
    };
  },
};

/** How an amount comes to its decimals. */
interface Places {
  /** Most decimals that a row may have. */
  readonly most: number;
  /** What a quotient with `most` decimals is divided by to have those of its row. */
  readonly under: readonly Factor[];
  /** The amount of so many units of its last place. */
  readonly ofWhole: (whole: string) => string;
  readonly rounded: (exact: string) => string;
}

/** @throws DecoderFault */
function placesOf(use: DecoderUse): Places {
  const { sql, number } = argumentAt(use, 4);
  if (number !== undefined) {
    if (number > MOST_DECIMALS || use.numbers["scale"] !== undefined) throw badPlaces(number);
    return {
      most: number,
      under: [],
      ofWhole: (whole) => withDecimals(whole, number),
      rounded: (exact) => `try_cast(${exact} AS ${decimal(LONGEST_AMOUNT, number)})`,
    };
  }
  const scale = use.numbers["scale"] === undefined ? MOST_DECIMALS : numberOf(use, "scale", 0, MOST_DECIMALS);
  const target = decimal(LONGEST_AMOUNT, scale);
  const byRow = (result: (decimals: number) => string, longest: number) => {
    const whens = Array.from({ length: longest + 1 }, (_, i) => `WHEN ${i} THEN ${result(i)}`);
    return `CASE coalesce(${sql}, ${STORED_DECIMALS}) ${whens.join(" ")} END`;
  };
  const under = byRow((i) => `CAST('1E${MOST_DECIMALS - i}' AS ${decimal(MOST_DECIMALS + 1, 0)})`, MOST_DECIMALS);
  return {
    most: MOST_DECIMALS,
    under: [[under, MOST_DECIMALS + 1]],
    ofWhole: (whole) =>
      local(
        "whole",
        whole,
        byRow((i) => `try_cast(${withDecimals("whole", i)} AS ${target})`, scale),
      ),
    rounded: (exact) =>
      byRow((i) => `try_cast(try_cast(${exact} AS ${decimal(LONGEST_AMOUNT, i)}) AS ${target})`, scale),
  };
}

function badPlaces(decimals: number): DecoderFault {
  return decimals > MOST_DECIMALS
    ? new DecoderFault(
        `decimals is a number from 0 to ${MOST_DECIMALS}`,
        "Write it as a constant or a column.",
        "decimals",
      )
    : new DecoderFault(
        "scale is for decimals of a column",
        "Leave it out: the scale is that of the decimals.",
        "scale",
      );
}

/** FFACT or TFACT: 1 where it is missing or 0, NULL where it is no whole number above 0. */
function factorOf(sql: string): Factor {
  const type = decimal(FACTOR_DIGITS, 0);
  const whole = `CASE WHEN ${sql} > 0 AND try_cast(${sql} AS ${type}) = ${sql} THEN try_cast(${sql} AS ${type}) END`;
  return [`CASE WHEN coalesce(${sql}, 0) = 0 THEN CAST(1 AS ${type}) ELSE ${whole} END`, FACTOR_DIGITS];
}
