import { callName } from "../bind/bound.js";
import { DOUBLE } from "../bind/type-rules.js";
import { castTo } from "../lower/lower-text.js";
import { argOf, type Functions, type Lowered, type SparkFunction, scalar, simple, type Use } from "./function.js";
import { callHost, type HostFunction } from "./host/host-function.js";
import * as host from "./host/math.js";

/** Spark shows the names of most of these functions in capitals. */
const inCapitals = (fn: SparkFunction): SparkFunction => ({
  ...fn,
  bind: (use) => ({ ...fn.bind(use), name: callName(use.call.name.toUpperCase(), use.args) }),
});
const ofDouble = (lower: (x: string) => string): SparkFunction => inCapitals(simple([DOUBLE], DOUBLE, lower));
const onHost = (fn: HostFunction): SparkFunction => ofDouble((x) => callHost(fn, x));
/** NULL where the number is not above the bound: a logarithm. */
const above = (fn: HostFunction, bound: number): SparkFunction =>
  inCapitals(simple([DOUBLE], DOUBLE, (x) => logarithm(x, bound, callHost(fn, x)), { nullable: true }));
const logarithm = (x: string, bound: number, sql: string) => `CASE WHEN ${x} > ${bound} THEN ${sql} END`;
const power = simple([DOUBLE, DOUBLE], DOUBLE, (x, y) => callHost(host.POW, x, y));
const signOf = simple(
  [DOUBLE],
  DOUBLE,
  (x) =>
    `CASE WHEN isnan(${x}) OR ${x} = 0 THEN ${x} WHEN ${x} > 0 THEN CAST(1 AS DOUBLE) WHEN ${x} < 0 THEN CAST(-1 AS DOUBLE) END`,
);

/**
 * Functions of numbers as DOUBLE. Sine, cosine, tangent and their reciprocals are not here: Spark takes Java's own, whose
 * last bit the processor decides and no other library has (0.2 % of the values differ from a correct rounding).
 */
export const MATH: Functions = {
  exp: onHost(host.EXP),
  expm1: onHost(host.EXPM1),
  ln: simple([DOUBLE], DOUBLE, (x) => logarithm(x, 0, callHost(host.LN, x)), { nullable: true }),
  log: scalar(1, 2, log),
  log10: above(host.LOG10, 0),
  log2: inCapitals(simple([DOUBLE], DOUBLE, (x) => logarithm(x, 0, callHost(host.LOG2, x)), { nullable: true })),
  log1p: above(host.LOG1P, -1),
  power: inCapitals(power),
  pow: power,
  // DuckDB's own stops at a negative number.
  sqrt: ofDouble((x) => `CASE WHEN ${x} < 0 THEN CAST('NaN' AS DOUBLE) ELSE sqrt(${x}) END`),
  cbrt: onHost(host.CBRT),
  hypot: inCapitals(simple([DOUBLE, DOUBLE], DOUBLE, (x, y) => callHost(host.HYPOT, x, y))),
  asin: onHost(host.ASIN),
  acos: onHost(host.ACOS),
  atan: onHost(host.ATAN),
  atan2: inCapitals(simple([DOUBLE, DOUBLE], DOUBLE, (y, x) => callHost(host.ATAN2, y, x))),
  sinh: onHost(host.SINH),
  cosh: onHost(host.COSH),
  tanh: onHost(host.TANH),
  asinh: onHost(host.ASINH),
  acosh: onHost(host.ACOSH),
  atanh: onHost(host.ATANH),
  degrees: onHost(host.DEGREES),
  radians: onHost(host.RADIANS),
  rint: simple([DOUBLE], DOUBLE, (x) => `round_even(${x}, 0)`),
  sign: signOf,
  signum: inCapitals(signOf),
  e: constant("2.718281828459045", "e"),
  pi: constant("3.141592653589793", "pi"),
};

function constant(value: string, name: string): SparkFunction {
  return scalar(0, 0, () => ({
    sql: castTo(`'${value}'`, DOUBLE),
    type: DOUBLE,
    nullable: false,
    name: `${name.toUpperCase()}()`,
  }));
}

/** `log(x)`, `log(base, x)` */
function log(use: Use): Lowered {
  const first = argOf(use, 0, DOUBLE).sql;
  if (use.args.length === 1)
    return {
      sql: logarithm(first, 0, callHost(host.LN, first)),
      type: DOUBLE,
      nullable: true,
      name: callName("LOG", use.args, "E(), "),
    };
  const second = argOf(use, 1, DOUBLE).sql;
  const sql = `CASE WHEN ${first} > 0 AND ${second} > 0 THEN ${callHost(host.LOG_BASE, first, second)} END`;
  return { sql, type: DOUBLE, nullable: true, name: callName("LOG", use.args) };
}
