import type { StructType } from "../../model/data-type.js";
import { TIMESTAMP } from "../bind/type-rules.js";
import { castTo, raise } from "../lower/lower-text.js";
import { arg, argOf, type Functions, type Lowered, scalar, textOf, type Use, unsupportedForm } from "./function.js";

/** Windows of time to group by. */
export const TIME_WINDOWS: Functions = { window: scalar(2, 4, window) };

const UNITS: Readonly<Record<string, bigint>> = {
  week: 604_800_000_000n,
  day: 86_400_000_000n,
  hour: 3_600_000_000n,
  minute: 60_000_000n,
  second: 1_000_000n,
  millisecond: 1000n,
  microsecond: 1n,
};

/**
 * The window, start and end, that a moment lies in; windows follow each other from 1970 in UTC on, or from an offset. Rows
 * whose moment is NULL, which Spark leaves out of the query, are an error; windows that overlap would be several.
 */
function window(use: Use): Lowered {
  const time = argOf(use, 0, TIMESTAMP, (t) => t.kind === "timestamp_ntz");
  const width = durationOf(use, 1);
  const slide = use.args.length > 2 ? durationOf(use, 2) : width;
  const offset = use.args.length > 3 ? durationOf(use, 3) : 0n;
  if (slide !== width)
    throw unsupportedForm(use, "window with overlapping windows", "Let each window begin where the last one ends.");
  if (width <= 0n)
    throw unsupportedForm(use, "window of no duration", "Write one such as '10 minutes'.", arg(use, 1).at);
  const type: StructType = {
    kind: "struct",
    fields: [
      { name: "start", type: time.type, nullable: true },
      { name: "end", type: time.type, nullable: true },
    ],
  };
  const micros = `epoch_us(${time.sql})`;
  const start = `(spark_floor_div(${micros} - ${offset}, ${width}) * ${width} + ${offset})`;
  const moment = (sql: string) =>
    castTo(`make_timestamp${time.type.kind === "timestamp" ? "tz" : ""}(${sql})`, time.type);
  const none = raise(
    "NOT_SUPPORTED",
    "window of NULL: Spark leaves such rows out. Filter them, WHERE time IS NOT NULL.",
  );
  const made = `{'start': ${moment(start)}, 'end': ${moment(`${start} + ${width}`)}}`;
  const sql = time.nullable ? `CASE WHEN ${time.sql} IS NULL THEN ${castTo(none, type)} ELSE ${made} END` : made;
  return { sql, type, nullable: false, throws: time.nullable || time.throws, name: "window" };
}

/** Microseconds of `'1 hour 30 minutes'`. */
function durationOf(use: Use, index: number): bigint {
  const text = textOf(use, index)
    ?.trim()
    .toLowerCase()
    .replace(/^interval\s+/, "");
  const parts = [...(text ?? "").matchAll(/([+-]?[0-9]+)\s+([a-z]+?)s?(?:\s+|$)/g)];
  if (text === undefined || parts.map(([whole]) => whole).join("") !== text || text === "")
    throw unsupportedForm(
      use,
      `This duration of ${use.call.name}`,
      "Write a constant such as '10 minutes'.",
      arg(use, index).at,
    );
  return parts.reduce((sum, [, count = "0", unit = ""]) => {
    const size = Object.hasOwn(UNITS, unit) ? UNITS[unit] : undefined;
    if (size === undefined)
      throw unsupportedForm(
        use,
        `The unit ${unit} of a window`,
        `Units are ${Object.keys(UNITS).join(", ")}.`,
        arg(use, index).at,
      );
    return sum + BigInt(count) * size;
  }, 0n);
}
