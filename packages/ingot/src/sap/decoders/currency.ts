import type { DataType, DecimalType } from "../../model/data-type.js";
import { argumentAt, type Decoder, DecoderFault, type DecoderUse, numberOf } from "./decoder.js";
import { local } from "./pattern.js";

const decimal = (precision: number, scale: number) => `DECIMAL(${precision},${scale})`;
const power = (exponent: number) => `CAST('1E${exponent}' AS ${decimal(exponent + 1, 0)})`;

/** Decimals that CURR fields are stored with, whatever their currency has. */
const STORED_DECIMALS = 2;
/** SAP knows currencies of 0 to 5 decimals. */
const MOST_DECIMALS = 5;
/** Beyond, a product would not have all its digits. */
const LONGEST_AMOUNT = 31;

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
    return {
      value: local("shifted", shifted, `CASE WHEN ${narrow} = shifted THEN ${narrow} END`),
      nothing: `${sql} IS NULL`,
    };
  },
};

/** @throws DecoderFault for what is no DECIMAL of at most 31 digits */
function amountType(type: DataType, parameter: string): DecimalType {
  if (type.kind === "decimal" && type.precision <= LONGEST_AMOUNT) return type;
  throw new DecoderFault(
    `${parameter} is a DECIMAL of at most ${LONGEST_AMOUNT} digits`,
    "Read it with sap_number, or cast it.",
    parameter,
  );
}

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

/** Longest quotient whose integer part Spark keeps beside its six decimals. */
const LONGEST_QUOTIENT = 32;
/** Digits of FFACT and TFACT. */
const FACTOR_DIGITS = 9;

/**
 * An amount in another currency by a row of TCURR: times the rate, or divided by it where the rate is negative (indirect
 * quotation), times TFACT, divided by FFACT, rounded half up once. Both amounts are true values, not stored ones. A factor
 * that is missing or 0 is 1. Without a rate there is no value.
 */
export const CONVERT: Decoder = {
  values: [
    { name: "amount", takes: ["decimal"] },
    { name: "rate", takes: ["decimal"] },
    { name: "ffact", takes: ["decimal", "whole"] },
    { name: "tfact", takes: ["decimal", "whole"] },
  ],
  constants: [{ name: "decimals", type: "number", required: true }],
  reason: "CURRENCY_ANOMALY",
  does: "an amount converted by UKURS, FFACT and TFACT, rounded half up to the decimals of its new currency",
  decode: (use) => {
    const [amount, rate] = [argumentAt(use), argumentAt(use, 1)];
    const [a, r] = [amountType(amount.type, "amount"), amountType(rate.type, "rate")];
    const decimals = numberOf(use, "decimals", 0, MOST_DECIMALS);
    const [from, ukurs] = [digitsOf(amount.sql, a, "amount"), digitsOf(rate.sql, r, "rate")];
    const [ffact, tfact] = [factorOf(argumentAt(use, 2).sql), factorOf(argumentAt(use, 3).sql)];
    const direct = fraction([from, ukurs, tfact], [ffact], decimals - a.scale - r.scale);
    const indirect = fraction([from, tfact], [ukurs, ffact], decimals + r.scale - a.scale);
    const quotient = `CASE WHEN ${rate.sql} > 0 THEN ${direct} WHEN ${rate.sql} < 0 THEN ${indirect} END`;
    const sign = `CASE WHEN ${amount.sql} < 0 THEN -1 ELSE 1 END`;
    const digits = LONGEST_AMOUNT - decimals;
    const unit =
      decimals === 0 ? "CAST(1 AS DECIMAL(1,0))" : `CAST('1E-${decimals}' AS ${decimal(decimals, decimals)})`;
    return {
      value: `try_cast(try_cast((${quotient}) * ${sign} AS ${decimal(digits, 0)}) * ${unit} AS ${decimal(LONGEST_AMOUNT, decimals)})`,
      nothing: `(${amount.sql} IS NULL OR ${rate.sql} IS NULL)`,
    };
  },
};

/** A whole number and how many digits it has at most. */
type Factor = readonly [sql: string, digits: number];

/** FFACT or TFACT: 1 where it is missing or 0, NULL where it is no whole number above 0. */
function factorOf(sql: string): Factor {
  const type = decimal(FACTOR_DIGITS, 0);
  const whole = `CASE WHEN ${sql} > 0 AND try_cast(${sql} AS ${type}) = ${sql} THEN try_cast(${sql} AS ${type}) END`;
  return [`CASE WHEN coalesce(${sql}, 0) = 0 THEN CAST(1 AS ${type}) ELSE ${whole} END`, FACTOR_DIGITS];
}

/** The digits of a number, without its sign and point. @throws DecoderFault where the product that drops it has too many */
function digitsOf(sql: string, { precision, scale }: DecimalType, parameter: string): Factor {
  if (precision + scale + 2 > 38) throw tooLong(parameter);
  return [`CAST(abs(${sql}) * ${power(scale)} AS ${decimal(precision, 0)})`, precision];
}

function tooLong(parameter: string): DecoderFault {
  return new DecoderFault(
    "the amount and the rate have so many digits that their product has more than a DECIMAL holds",
    "Cast them to the digits that they need, such as DECIMAL(17,2) and DECIMAL(9,5).",
    parameter,
  );
}

/**
 * A quotient of products, times a power of ten, as the nearest whole number, half up. Spark's division rounds to six
 * decimals, so that the remainder decides.
 *
 * @throws DecoderFault where the products may have too many digits
 */
function fraction(over: readonly Factor[], under: readonly Factor[], exponent: number): string {
  const scaled = (factors: readonly Factor[], tens: number): Factor[] =>
    tens > 0 ? [...factors, [power(tens), tens + 1]] : [...factors];
  const nearest = `CAST(over / under AS ${decimal(38, 0)})`;
  const rest = "(over - nearest * under) * 2";
  const step = `CASE WHEN ${rest} >= under THEN 1 WHEN ${rest} < -under THEN -1 ELSE 0 END`;
  const quotient = `CASE WHEN over < ${power(LONGEST_QUOTIENT)} THEN ${local("nearest", nearest, `nearest + ${step}`)} END`;
  return local("over", product(scaled(over, exponent)), local("under", product(scaled(under, -exponent)), quotient));
}

function product(factors: readonly Factor[]): string {
  const digits = factors.reduce((sum, [, more]) => sum + more, 0);
  if (digits > 37) throw tooLong("amount");
  return `CAST(${factors.map(([sql]) => sql).join(" * ")} AS ${decimal(digits, 0)})`;
}
