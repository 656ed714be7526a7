import { BYTES } from "./bytes.js";
import { DATE_ARITHMETIC } from "./date-arithmetic.js";
import { FORMAT_DATE } from "./date-format.js";
import { PARSE_DATE } from "./date-parse.js";
import { ENCODINGS } from "./encoding.js";
import { FIT_JSON } from "./from-json.js";
import { HASHES } from "./hash.js";
import type { HostFunction } from "./host-function.js";
import { DOUBLE_TEXT, FLOAT_TEXT } from "./java-double.js";
import { FORMATS } from "./java-format.js";
import { JSON_FUNCTIONS } from "./json.js";
import { LONG_DECIMAL } from "./long-decimal.js";
import { MATH } from "./math.js";
import { NUMBERS } from "./number.js";
import { NUMBER_TEXTS } from "./number-text.js";
import { REGEXES } from "./regex.js";
import { TEXT } from "./text.js";
import { URLS } from "./url.js";

/** All functions that a connection must know before a lowered query runs. */
export const HOST_FUNCTIONS: readonly HostFunction[] = [
  DOUBLE_TEXT,
  FLOAT_TEXT,
  FORMAT_DATE,
  LONG_DECIMAL,
  PARSE_DATE,
  ...BYTES,
  ...DATE_ARITHMETIC,
  ...ENCODINGS,
  ...HASHES,
  FIT_JSON,
  ...JSON_FUNCTIONS,
  ...MATH,
  ...NUMBERS,
  ...NUMBER_TEXTS,
  ...REGEXES,
  ...TEXT,
  ...URLS,
  ...FORMATS,
];
