import { BIGINT } from "../bind/type-rules.js";
import { castTo } from "../lower/lower-text.js";
import { type Functions, simple } from "./function.js";

/** Bits of a bitmap of `bitmap_construct_agg`. */
const BITS = 32768;

/** Places of numbers in bitmaps. Numbers above 0 begin a bucket with its first bit, others end one. */
export const BITMAPS: Functions = {
  bitmap_bucket_number: simple(
    [BIGINT],
    BIGINT,
    (n) => `CASE WHEN ${n} > 0 THEN 1 + (${n} - 1) // ${BITS} ELSE ${n} // ${BITS} END`,
  ),
  bitmap_bit_position: simple(
    [BIGINT],
    BIGINT,
    (n) => `CASE WHEN ${n} > 0 THEN (${n} - 1) % ${BITS} ELSE (- ${n}) % ${BITS} END`,
  ),
  bitmap_count: simple([{ kind: "binary" }], BIGINT, (bytes) => castTo(`bit_count(CAST(${bytes} AS BIT))`, BIGINT)),
};
