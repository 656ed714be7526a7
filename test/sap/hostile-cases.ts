import { type DecoderCase, text } from "./decoder-cases.js";
import { T006, WITH_UNITS } from "./units.js";

/** Texts that no decoder may stumble over: cut, swapped, foreign and overlong ones. */
const TEXTS = [
  ..."|   |-|+|--|.|,|,.|0|00|-0|+0|0-|1|-1|1-|+1|1+|-1-|+1-|- 1|1 -| 1 | -1.5 |1.5-|.5|-.5|5.|.|1..2|1.2.3|1,2,3|1e5|1E+5|5.1056E+13".split(
    "|",
  ),
  ..."1234.5|1,234.5|12,34.5|1.234,5|1 234,5|1234567.89|1,234,567.89|1.234.567,89|0001.50|0,001.50|1.005|1.00500|0.001|99999999999.99|999999999999.99".split(
    "|",
  ),
  ..."20260115|20260132|20261301|20260229|20240229|00010101|00000101|20260000|99991231|99999999|99990000|12345678|2026011|202601155|２０２６０１１５".split(
    "|",
  ),
  ..."2026-01-15|2026-1-5|2026/01/15|15.01.2026|1/15/26|1/5/2026|12/31/99|2/29/49|2/29/50|13/1/26|00.00.0000|0/0/00|0000-00-00|0000/00/00|9999-99-99".split(
    "|",
  ),
  ..."/Date(0)/|/Date(-1)/|/Date(86399999)/|/Date(1767225600000+0530)/|/Date(1767225600000-0800)/|/Date(253402300799999)/|/Date(253402300800000)/|/Date()/|/Date(--1)/|/Date(1)".split(
    "|",
  ),
  ..."000000|240000|240001|235959|235960|236000|246000|9:25:11|09:25:11|9:5:11|24:00:00|24:00:01|4:01:02 PM|12:00:00 AM|12:00:00 PM|0:00:00 AM|13:00:00 PM|04:01:02 pm|PT14H00M00S|PT9H05M01S|PT24H00M00S|PT25H00M00S|PT14H|T140000".split(
    "|",
  ),
  ..."20260115093011|20260115093011.1234567|20260115093011.|20260115093011.12345678|20260115240000|20260230000000|20,190,118,165,803.80|2.01605E+13|00000000000000|0.0|0.0000000".split(
    "|",
  ),
  ..."0000000012345C|0000000012345D|0000000012345F|0000000012345B|0000000012345A|0000000012345E|00000000123451|00000000123A5C|12345C|000000000012345C|0000000012345c|40404040404040|20202020202020|00000000000000|9999999999999D|FFFFFFFFFFFFFF".split(
    "|",
  ),
  ..."4711|DE-100|0000004711|00000000004711|12345678901|12345678901234567890|de-100|4711 A|4711-1|0|0000000000|1E5|X1234567890123456789012345678901234567890".split(
    "|",
  ),
  ..."E|D|e|EN|de|Zh|XX|ENG|1|d|İ|ß|x|X|true|TRUE|false|y|L|S".split("|"),
  ..."0xAB12|0XAB|ab1|AB12|GG|q83v|q83=|q8==|q8==q8==|=|====|AB CD|ab+/".split("|"),
  ..."79739884|00008768|8768|20260115|99999999|00000000|99998998|89999898|79739868|79730000|1|100000000".split("|"),
];
/** Signs that a shell, a SQL text or a regular expression would take for its own. */
const SIGNS = [
  "'",
  '"',
  "\\",
  "$",
  "\n",
  "1\n",
  "20260115\n",
  "235959\n",
  "4711\n",
  "X\n",
  "\t1",
  "1\u00a0",
  "\u0000",
  "1\u0000",
  "12\u200b",
  "𝟙𝟚",
  "٣",
  "'); DROP TABLE t; --",
  "$x{",
  "9".repeat(60),
  `${"0".repeat(60)}1`,
  `1.${"0".repeat(60)}`,
  `1.${"0".repeat(60)}1`,
];

const ROWS: DecoderCase["rows"] = ["NULL", ...[...TEXTS, ...SIGNS].map(text)].map((value) => ({ values: [value] }));

const ofText = (decoder: string, constants: DecoderCase["constants"] = {}): DecoderCase => ({
  decoder,
  types: ["STRING"],
  constants,
  rows: ROWS,
});
const ofType = (decoder: string, type: string, values: readonly string[], constants: DecoderCase["constants"]) => ({
  decoder,
  types: [type],
  constants,
  rows: values.map((value) => ({ values: [value] })),
});

const AMOUNTS = [
  "0.00",
  "1.00",
  "-1.00",
  "0.01",
  "-0.01",
  "123.45",
  "3291.86",
  "99999999999.99",
  "-99999999999.99",
  "NULL",
];
const RATES = [
  "-161.29000",
  "161.29000",
  "0.62000",
  "0.00001",
  "-0.00001",
  "0.00000",
  "9999.99999",
  "-3.00000",
  "NULL",
];
const FACTORS = [
  ["1", "1"],
  ["100", "1"],
  ["1", "1000"],
  ["0", "NULL"],
  ["7", "3"],
  ["-1", "1"],
  ["1", "2000000000"],
  ["999999999", "999999999"],
];

const QUANTITIES = [
  "0.000",
  "1.000",
  "-1.000",
  "0.005",
  "-0.005",
  "32.000",
  "451.5",
  "9999999999.999",
  "-9999999999.999",
  "NULL",
];
const NEW_UNITS = ["'KG'", "'CEL'", "'3H'", "' ST '", "'XXX'", "NULL"];
const UNITS = [...T006.map(([code]) => text(code)), "' KG '", "'kg'", "''", "NULL", "'XXX'"];

/** What only Spark is asked about. */
export const HOSTILE_CASES: readonly DecoderCase[] = [
  ...["plain", "us", "eu", "sp"].flatMap((format) => [
    ofText("number", { precision: 13, scale: 2, format }),
    ofText("number", { precision: 5, scale: 0, format }),
  ]),
  ofText("number", { precision: 38, scale: 38 }),
  ofType(
    "number",
    "DOUBLE",
    ["1234.5", "1234.4999999", "1234.499", "-0.005", "1E20", "double('NaN')", "double('Infinity')", "NULL"],
    { precision: 13, scale: 2 },
  ),
  ofType("number", "DECIMAL(20,5)", ["1.50000", "1.50500", "123456789012.00000", "NULL"], { precision: 13, scale: 2 }),
  ofType("number", "BIGINT", ["5", "-5", "99999999999", "100000000000", "NULL"], { precision: 13, scale: 2 }),
  ...["YYYYMMDD", "YYYY-MM-DD", "DD.MM.YYYY", "M/D/YY", "MM/DD/YYYY", "YYMMDD", "D.M.YYYY", "odata2", "excel"].flatMap(
    (format) => [ofText("date", { format }), ofText("posting_date", { format })],
  ),
  ofType("date", "INT", ["20260115", "20260229", "0", "-1", "NULL"], {}),
  ...["time", "utc", "gdatu", "flag", "language", "language_iso", "raw"].map((decoder) => ofText(decoder)),
  ofType("utc", "DECIMAL(21,7)", ["20260115093011.1234567", "0.0000000", "1.0000000", "NULL"], {}),
  ofText("raw", { format: "base64" }),
  ofType("raw", "BINARY", ["X'AB12'", "X''", "NULL"], {}),
  ofText("packed", { precision: 13, scale: 2 }),
  ofText("packed", { precision: 5, scale: 5 }),
  ofText("packed", { precision: 4, scale: 0 }),
  ofType("packed", "BINARY", ["X'0000000012345C'", "X'12345C'", "X''", "NULL"], { precision: 13, scale: 2 }),
  ofText("zoned", { precision: 4, scale: 2 }),
  ofText("zoned", { precision: 4, scale: 0, format: "hex" }),
  ofText("zoned", { precision: 1, scale: 0 }),
  ofType("zoned", "STRING", ["'123D'", "'123M'", "'12{'", "'000}'", "'1234'", "'123a'", "'12 4'"], {
    precision: 4,
    scale: 2,
  }),
  ofType(
    "zoned",
    "BINARY",
    ["X'F1F2F3D4'", "X'F1F2F3C4'", "X'F1F2F3F4'", "X'F1F2F3E4'", "X'F1F2F3'", "X'40404040'", "X''", "NULL"],
    {
      precision: 4,
      scale: 0,
    },
  ),
  ofText("alpha", { length: 10 }),
  ofText("matn1"),
  ofText("matn1", { length: 40 }),
  ofType("matn1", "BIGINT", ["4711", "0", "-4711", "NULL"], {}),
  ofText("numc", { length: 6 }),
  ofType("numc", "DOUBLE", ["10.0", "10.5", "1E12", "NULL"], { length: 6 }),
  {
    decoder: "timestamp",
    types: ["STRING", "STRING"],
    constants: {},
    rows: ["'20260115'", "'00000000'", "'20260230'", "'99991231'", "NULL"].flatMap((date) =>
      ["'235959'", "'240000'", "'000000'", "' '", "'246000'", "'4:01:02 PM'", "NULL"].map((time) => ({
        values: [date, time],
      })),
    ),
  },
  ...["unit", "unit_external"].map((decoder) => ({ ...ofText(decoder, { language: "EN" }), source: WITH_UNITS })),
  ...["KG", "NAM", "FT", "CEL", "FAH", "3H", "ST"].flatMap((to) =>
    (to === "KG" ? [0, 3] : [3]).map((decimals) => ({
      decoder: "convert_unit",
      types: ["DECIMAL(13,3)", "STRING"],
      constants: { to, decimals },
      rows: QUANTITIES.flatMap((q) => UNITS.map((unit) => ({ values: [q, unit] }))),
      source: WITH_UNITS,
    })),
  ),
  {
    decoder: "convert_unit",
    types: ["DECIMAL(13,3)", "STRING", "STRING"],
    constants: { decimals: 3 },
    rows: QUANTITIES.flatMap((q) => UNITS.flatMap((from) => NEW_UNITS.map((to) => ({ values: [q, from, to] })))),
    source: WITH_UNITS,
  },
  {
    decoder: "curr",
    types: ["DECIMAL(13,2)", "INT"],
    constants: {},
    rows: AMOUNTS.flatMap((a) => ["0", "1", "2", "3", "5", "6", "-1", "NULL"].map((d) => ({ values: [a, d] }))),
  },
  {
    decoder: "curr",
    types: ["DECIMAL(23,2)", "INT"],
    constants: { scale: 5 },
    rows: AMOUNTS.flatMap((a) => ["0", "3", "5"].map((d) => ({ values: [a, d] }))),
  },
  ...[0, 2, 3].map((decimals) => ({
    decoder: "convert",
    types: ["DECIMAL(13,2)", "DECIMAL(9,5)", "INT", "INT"],
    constants: { decimals },
    rows: AMOUNTS.flatMap((a) => RATES.flatMap((r) => FACTORS.map((f) => ({ values: [a, r, ...f] })))),
  })),
  {
    decoder: "convert",
    types: ["DECIMAL(13,2)", "DECIMAL(9,5)", "INT", "INT", "INT"],
    constants: { scale: 3 },
    rows: AMOUNTS.flatMap((a) =>
      RATES.flatMap((r) => ["0", "3", "4", "-1", "NULL"].map((d) => ({ values: [a, r, "100", "1", d] }))),
    ),
  },
];
