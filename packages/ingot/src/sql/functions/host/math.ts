import { hostFunction } from "./host-function.js";
import { cbrt, hypot, pow } from "./strict-math.js";

const unary = (name: string, run: (x: number) => number) => hostFunction(name, ["double"], "double", run);
const binary = (name: string, run: (x: number, y: number) => number) =>
  hostFunction(name, ["double", "double"], "double", run);

/** Functions of a DOUBLE as Java's StrictMath has them. V8 follows fdlibm as it does; DuckDB's differ in the last bit. */
export const EXP = unary("exp", exp);
export const EXPM1 = unary("expm1", Math.expm1);
export const LN = unary("ln", Math.log);
export const LOG10 = unary("log10", Math.log10);
/** Two logarithms, divided. */
export const LOG2 = unary("log2", (x) => Math.log(x) / Math.log(2));
export const LOG1P = unary("log1p", Math.log1p);
export const ASIN = unary("asin", Math.asin);
export const ACOS = unary("acos", Math.acos);
export const ATAN = unary("atan", Math.atan);
export const SINH = unary("sinh", Math.sinh);
export const COSH = unary("cosh", (x) => (Math.abs(x) === 1 ? 0.5 * exp(1) + 0.5 / exp(1) : Math.cosh(x)));
export const TANH = unary("tanh", Math.tanh);
/** By their formulas: Spark's are not Java's. */
export const ACOSH = unary("acosh", (x) => Math.log(x + Math.sqrt(x * x - 1)));
export const ATANH = unary("atanh", (x) => 0.5 * (Math.log1p(x) - Math.log1p(-x)));
export const DEGREES = unary("degrees", (x) => x * (180 / Math.PI));
export const RADIANS = unary("radians", (x) => x * (Math.PI / 180));
export const CBRT = unary("cbrt", cbrt);
export const ATAN2 = binary("atan2", (y, x) => Math.atan2(y + 0, x + 0));
export const HYPOT = binary("hypot", hypot);
export const POW = binary("pow", pow);
export const ASINH = unary("asinh", Math.asinh);
/** `log(base, x)`; two logarithms are divided. */
export const LOG_BASE = binary("log", (base, x) => Math.log(x) / Math.log(base));

/** V8 makes an exception of 1, fdlibm does not. */
function exp(x: number): number {
  return x === 1 ? Math.E + 2 ** -51 : Math.exp(x);
}

export const MATH = [
  EXP,
  EXPM1,
  LN,
  LOG10,
  LOG2,
  LOG1P,
  ASIN,
  ACOS,
  ATAN,
  SINH,
  COSH,
  TANH,
  ACOSH,
  ATANH,
  DEGREES,
  RADIANS,
  CBRT,
  ATAN2,
  HYPOT,
  POW,
  LOG_BASE,
  ASINH,
];
