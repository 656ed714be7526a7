import { SAP_DEFAULTS, type SourceConventions } from "../../packages/ingot/src/sap/conventions.js";

/** Rows of T006: MSEHI, DIMID, ZAEHL, NENNR, EXP10, ADDKO. */
export const T006 = [
  ["KG", "MASS", 1n, 1n, 0, "0"],
  ["G", "MASS", 1n, 1000n, 0, "0"],
  ["TO", "MASS", 1000n, 1n, 0, "0"],
  ["LB", "MASS", 45359237n, 100000000n, 0, "0"],
  ["OZ", "MASS", 28349523n, 1000000000n, 0, "0"],
  ["M", "LENGTH", 1n, 1n, 0, "0"],
  ["MM", "LENGTH", 1n, 1000n, 0, "0"],
  ["NAM", "LENGTH", 1n, 1n, -9, "0"],
  ["KM", "LENGTH", 1n, 1n, 3, "0"],
  ["FT", "LENGTH", 3048n, 10000n, 0, "0"],
  ['"', "LENGTH", 254n, 1n, -4, "0"],
  ["K", "TEMP", 1n, 1n, 0, "0"],
  ["CEL", "TEMP", 1n, 1n, 0, "273.150000"],
  ["FAH", "TEMP", 5n, 9n, 0, "255.372222"],
  ["S", "TIME", 1n, 1n, 0, "0"],
  ["JHR", "TIME", 31536000n, 1n, 0, "0"],
  ["PS", "TIME", 1n, 1n, -12, "0"],
  ["3H", "TIME", 10800n, 7n, 0, "0"],
  ["ST", "AAAADL", 1n, 1n, 0, "0"],
  ["KAR", "AAAADL", 1n, 1n, 0, "0"],
  ["O'", "MASS", 0n, 1n, 0, "0"],
] as const satisfies readonly (readonly [string, string, bigint, bigint, number, string])[];

/** A source that has them. */
export const WITH_UNITS: SourceConventions = {
  ...SAP_DEFAULTS,
  units: {
    units: new Map(
      T006.map(([code, dimension, over, under, exponent, constant]) => [
        code,
        {
          dimension,
          ...(over === 0n ? {} : { factor: { over: over * tens(exponent), under: under * tens(-exponent) } }),
          constant: { over: BigInt(constant.replace(".", "")), under: 1_000_000n },
        },
      ]),
    ),
    external: new Map([
      [
        "E",
        new Map([
          ["ST", "PC"],
          ["KAR", "CAR"],
          ["KG", "KG"],
          ["M", "M"],
          ["MM", "M"],
        ]),
      ],
      ["D", new Map([["ST", "ST"]])],
    ]),
  },
};

function tens(exponent: number): bigint {
  return 10n ** BigInt(Math.max(0, exponent));
}
