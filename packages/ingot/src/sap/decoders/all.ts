import { FLAG, LANGUAGE, LANGUAGE_ISO, RAW } from "./code.js";
import { CONVERT, CURR } from "./currency.js";
import { DATE, GDATU, POSTING_DATE } from "./date.js";
import type { Decoder } from "./decoder.js";
import { PACKED, ZONED } from "./fixed-length.js";
import { ALPHA, MATN1, NUMC } from "./key.js";
import { NUMBER } from "./number.js";
import { TIME, TIMESTAMP, UTC } from "./time.js";
import { CONVERT_UNIT, UNIT, UNIT_EXTERNAL } from "./unit.js";

/** All decoders, by the name that stands behind `sap_`. */
export const DECODERS: Readonly<Record<string, Decoder>> = {
  alpha: ALPHA,
  convert: CONVERT,
  convert_unit: CONVERT_UNIT,
  curr: CURR,
  date: DATE,
  flag: FLAG,
  gdatu: GDATU,
  language: LANGUAGE,
  language_iso: LANGUAGE_ISO,
  matn1: MATN1,
  number: NUMBER,
  numc: NUMC,
  packed: PACKED,
  posting_date: POSTING_DATE,
  raw: RAW,
  time: TIME,
  timestamp: TIMESTAMP,
  unit: UNIT,
  unit_external: UNIT_EXTERNAL,
  utc: UTC,
  zoned: ZONED,
};
