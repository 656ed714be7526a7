import type { DataType, DecimalType } from "../../model/data-type.js";
import { DecoderFault } from "./decoder.js";
import { local } from "./pattern.js";

/** Quotients of whole numbers of up to 37 digits, rounded half up once, in Spark SQL: Spark's own keeps six decimals. */

/** Beyond, a product would not have all its digits. */
export const LONGEST_AMOUNT = 31;
/** Longest quotient whose integer part Spark keeps beside its six decimals. */
const LONGEST_QUOTIENT = 32;
/** Digits of a product that leave room for a sum. */
export const LONGEST_PRODUCT = 37;

/** Spark SQL of a whole number, and how many digits it has at most. */
export type Factor = readonly [sql: string, digits: number];

export const decimal = (precision: number, scale: number) => `DECIMAL(${precision},${scale})`;
const power = (exponent: number) => `CAST('1E${exponent}' AS ${decimal(exponent + 1, 0)})`;

/** @throws DecoderFault for what is no DECIMAL of at most 31 digits */
export function amountType(type: DataType, parameter: string): DecimalType {
  if (type.kind === "decimal" && type.precision <= LONGEST_AMOUNT) return type;
  throw new DecoderFault(
    `${parameter} is a DECIMAL of at most ${LONGEST_AMOUNT} digits`,
    "Read it with sap_number, or cast it.",
    parameter,
  );
}

/** The digits of a number, without its sign and point. @throws DecoderFault where the product that drops it has too many */
export function digitsOf(sql: string, { precision, scale }: DecimalType, parameter: string): Factor {
  if (precision + scale + 2 > 38) throw tooLong(parameter);
  return [`CAST(abs(${sql}) * ${power(scale)} AS ${decimal(precision, 0)})`, precision];
}

/**
 * A quotient of products, times a power of ten, as the nearest whole number.
 *
 * @throws DecoderFault where the products may have too many digits
 */
export function quotient(over: readonly Factor[], under: readonly Factor[], exponent: number): string {
  const scaled = (factors: readonly Factor[], tens: number): Factor[] =>
    tens > 0 ? [...factors, [power(tens), tens + 1]] : [...factors];
  return nearest(product(scaled(over, exponent)), product(scaled(under, -exponent)));
}

/** The whole number nearest to a quotient of whole numbers that are not negative, half up: the remainder decides. */
export function nearest(over: string, under: string): string {
  const first = `CAST(over / under AS ${decimal(38, 0)})`;
  const rest = "(over - nearest * under) * 2";
  const step = `CASE WHEN ${rest} >= under THEN 1 WHEN ${rest} < -under THEN -1 ELSE 0 END`;
  const found = `CASE WHEN over < ${power(LONGEST_QUOTIENT)} THEN ${local("nearest", first, `nearest + ${step}`)} END`;
  return local("over", over, local("under", under, found));
}

/** A whole number as one with so many decimals; NULL where it has too many digits. */
export function withDecimals(whole: string, decimals: number): string {
  const unit = decimals === 0 ? "CAST(1 AS DECIMAL(1,0))" : `CAST('1E-${decimals}' AS ${decimal(decimals, decimals)})`;
  const digits = decimal(LONGEST_AMOUNT - decimals, 0);
  return `try_cast(try_cast(${whole} AS ${digits}) * ${unit} AS ${decimal(LONGEST_AMOUNT, decimals)})`;
}

function product(factors: readonly Factor[]): string {
  const digits = factors.reduce((sum, [, more]) => sum + more, 0);
  if (digits > LONGEST_PRODUCT) throw tooLong("amount");
  return `CAST(${factors.map(([sql]) => sql).join(" * ")} AS ${decimal(digits, 0)})`;
}

function tooLong(parameter: string): DecoderFault {
  return new DecoderFault(
    "the amount and the rate have so many digits that their product has more than a DECIMAL holds",
    "Cast them to the digits that they need, such as DECIMAL(17,2) and DECIMAL(9,5).",
    parameter,
  );
}
