import { ISO_LANGUAGES } from "./decoders/languages.js";

/** The units of measurement of one system, as its T006 and T006A have them. */
export interface Units {
  /** By MSEHI, the internal code. */
  readonly units: ReadonlyMap<string, Unit>;
  /** MSEH3, the code that users see, by SPRAS, then by MSEHI. */
  readonly external: ReadonlyMap<string, ReadonlyMap<string, string>>;
}

/** A unit against the SI unit of its dimension: `A unit = A * factor + constant`. */
export interface Unit {
  /** DIMID. */
  readonly dimension: string;
  /** ZAEHL / NENNR * 10 ** EXP10; undefined where T006 has a 0. */
  readonly factor?: Fraction;
  /** ADDKO, for temperatures. */
  readonly constant: Fraction;
}

/** A fraction, whose denominator is above 0. */
export interface Fraction {
  readonly over: bigint;
  readonly under: bigint;
}

/** `A unit = (A * times + plus) / by other unit`, in whole numbers without a common divisor. */
export interface Conversion {
  readonly times: bigint;
  readonly plus: bigint;
  readonly by: bigint;
}

/** DIMID of what has no dimension: 1 KAR is not 1 ST. */
const DIMENSIONLESS = "AAAADL";

/**
 * From one unit to another, by the formula of SAP's data element ADDKO. A unit is itself; others need one dimension, and
 * pieces, cartons and the like have none: how many pieces a carton has is said by the material.
 */
export function conversion(from: Unit, to: Unit): Conversion | undefined {
  if (from === to) return { times: 1n, plus: 0n, by: 1n };
  if (from.factor === undefined || to.factor === undefined || from.dimension !== to.dimension) return undefined;
  if (from.dimension === DIMENSIONLESS || from.dimension === "") return undefined;
  const constant = minus(from.constant, to.constant);
  return reduced({
    times: from.factor.over * to.factor.under * constant.under,
    plus: constant.over * to.factor.under * from.factor.under,
    by: from.factor.under * to.factor.over * constant.under,
  });
}

/** The same between numbers that have no decimal point: `scale` digits of the one and `decimals` of the other are decimals. */
export function unscaled({ times, plus, by }: Conversion, scale: number, decimals: number): Conversion {
  return reduced({
    times: times * 10n ** BigInt(decimals),
    plus: plus * 10n ** BigInt(scale + decimals),
    by: by * 10n ** BigInt(scale),
  });
}

/** The external codes of a language, which may be named by its ISO code. */
export function externalCodes({ external }: Units, language: string): ReadonlyMap<string, string> | undefined {
  const spras = ISO_LANGUAGES.find(([, iso]) => iso === language.toUpperCase())?.[0];
  return external.get(language) ?? (spras === undefined ? undefined : external.get(spras));
}

function minus(a: Fraction, b: Fraction): Fraction {
  return { over: a.over * b.under - b.over * a.under, under: a.under * b.under };
}

function reduced({ times, plus, by }: Conversion): Conversion {
  const common = divisor(divisor(times, plus), by);
  return { times: times / common, plus: plus / common, by: by / common };
}

function divisor(a: bigint, b: bigint): bigint {
  let [x, y] = [a < 0n ? -a : a, b < 0n ? -b : b];
  while (y > 0n) [x, y] = [y, x % y];
  return x;
}
