import { anyNullable, callName } from "../bind/bound.js";
import { atomic, TIMESTAMP } from "../bind/type-rules.js";
import { quoteText } from "../lower/lower-text.js";
import { arg, argOf, type Functions, type Lowered, scalar, textOf, type Use, unsupportedForm } from "./function.js";

const NTZ = atomic("timestamp_ntz");

/** Readings of the clock in one zone and another. */
export const TIME_ZONES: Functions = {
  from_utc_timestamp: scalar(2, 2, (use) => {
    const value = argOf(use, 0, TIMESTAMP);
    const sql = `make_timestamptz(epoch_us(timezone(${zoneOf(use, 1)}, ${value.sql})))`;
    return { sql, type: TIMESTAMP, nullable: anyNullable(use.args), throws: value.throws };
  }),
  to_utc_timestamp: scalar(2, 2, (use) => {
    const value = argOf(use, 0, TIMESTAMP);
    const sql = `spark_moment_in(${zoneOf(use, 1)}, make_timestamp(epoch_us(${value.sql})))`;
    return { sql, type: TIMESTAMP, nullable: anyNullable(use.args), throws: value.throws };
  }),
  convert_timezone: scalar(2, 3, convertZone),
};

/** A region that Java and DuckDB know alike. */
export function zoneOf(use: Use, index: number): string {
  const zone = textOf(use, index);
  const [, sign, hours] = /^([+-])0?([0-9]|1[0-4])(?::?00)?$/.exec(zone ?? "") ?? [];
  // By the names that DuckDB has, which count westwards.
  if (hours !== undefined) return quoteText(hours === "0" ? "UTC" : `Etc/GMT${sign === "+" ? "-" : "+"}${hours}`);
  if (
    zone === undefined ||
    !/^(UTC|GMT|CET|EET|MET|WET|(?!Etc|SystemV)[A-Z][A-Za-z]+\/[A-Za-z_]+(\/[A-Za-z_]+)?)$/.test(zone)
  )
    throw unsupportedForm(
      use,
      `The time zone of ${use.call.name}`,
      "Write a region's name, such as 'Europe/Berlin', 'UTC', or whole hours such as '+02:00'.",
      arg(use, index).at,
    );
  return quoteText(zone);
}

/** `convert_timezone([from,] to, reading)` */
function convertZone(use: Use): Lowered {
  const hasSource = use.args.length === 3;
  const value = argOf(use, hasSource ? 2 : 1, NTZ);
  const source = hasSource ? `spark_moment_in(${zoneOf(use, 0)}, ${value.sql})` : `spark_moment_of(${value.sql})`;
  const sql = `timezone(${zoneOf(use, hasSource ? 1 : 0)}, ${source})`;
  const name = hasSource ? {} : { name: callName("convert_timezone", use.args, "current_timezone(), ") };
  return { sql, type: NTZ, nullable: anyNullable(use.args), throws: value.throws, ...name };
}
