import { NUMBER_FORMATS } from "../conventions.js";
import { dateSql, formatOf } from "./date.js";
import { argumentAt, type Decoder } from "./decoder.js";
import { local, matches, only } from "./pattern.js";

/** Hours, minutes and seconds of one day; SAP has 24:00:00 as its end. */
const CLOCK = "(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]|24:00:00";

/**
 * A TIMS text as HH:MM:SS, NULL where it is none: `HHMMSS`, `H:MM:SS`, the same with AM or PM, or `PT14H00M00S`. These
 * forms cannot be taken for one another, so that none is declared.
 */
function timeSql(sql: string): string {
  const text = `trim(${sql})`;
  const padded = (part: string) => `lpad(${part}, 8, '0')`;
  const morning = padded(`left(${text}, length(${text}) - 3)`);
  const afternoon = `CASE WHEN upper(right(${text}, 2)) = 'PM' THEN 12 ELSE 0 END`;
  const hour = `lpad(CAST(CAST(left(${morning}, 2) AS INT) % 12 + ${afternoon} AS STRING), 2, '0')`;
  const forms: readonly (readonly [form: string, clock: string])[] = [
    ["[0-9]{6}", `concat(left(${text}, 2), ':', substr(${text}, 3, 2), ':', right(${text}, 2))`],
    ["[0-9]{1,2}:[0-9]{2}:[0-9]{2}", padded(text)],
    ["PT[0-9]{1,2}H[0-9]{2}M[0-9]{2}S", padded(`translate(substr(${text}, 3), 'HMS', '::')`)],
    ["(?:0?[1-9]|1[0-2]):[0-9]{2}:[0-9]{2} [AaPp][Mm]", `concat(${hour}, substr(${morning}, 3))`],
  ];
  const clock = forms.map(([form, value]) => `WHEN ${matches(text, form)} THEN ${value}`).join(" ");
  return local("clock", `CASE ${clock} END`, `CASE WHEN ${matches("clock", CLOCK)} THEN clock END`);
}

const blank = (sql: string) => `coalesce(trim(${sql}) = '', true)`;

/** Midnight stays midnight: whether it means "no time" is for the date beside it to say. */
export const TIME: Decoder = {
  values: [{ name: "value", takes: ["text"] }],
  constants: [],
  reason: "INVALID_TIME",
  does: "TIMS to the text HH:MM:SS, 24:00:00 for the end of a day; blanks are NULL",
  decode: (use) => ({
    value: timeSql(argumentAt(use).sql),
    nothing: blank(argumentAt(use).sql),
  }),
};

/** A date and its time as a moment in the session's zone. No date: no moment. No time: midnight. */
export const TIMESTAMP: Decoder = {
  values: [
    { name: "date", takes: ["text", "digits"] },
    { name: "time", takes: ["text"] },
  ],
  constants: [{ name: "format", type: "text" }],
  bySource: true,
  reason: "INVALID_TIMESTAMP",
  does: "DATS and TIMS to TIMESTAMP; 240000 is midnight of the next day, and NULL where the date is initial",
  decode: (use) => {
    const time = argumentAt(use, 1).sql;
    const date = dateSql(argumentAt(use).sql, formatOf(use));
    const clock = `CASE WHEN ${blank(time)} THEN '00:00:00' ELSE ${timeSql(time)} END`;
    const moment = (day: string, text: string) =>
      `try_to_timestamp(concat(CAST(${day} AS STRING), ' ', ${text}), 'yyyy-MM-dd HH:mm:ss')`;
    const atEnd = `CASE WHEN day < DATE '9999-12-31' THEN ${moment("date_add(day, 1)", "'00:00:00'")} END`;
    const either = `CASE WHEN clock = '24:00:00' THEN ${atEnd} ELSE ${moment("day", "clock")} END`;
    return {
      value: local("day", date.value, local("clock", clock, either)),
      nothing: date.nothing,
    };
  },
};

/**
 * UTCLONG, DEC 21.7 and DEC 15: digits YYYYMMDDhhmmss and up to seven decimals, in UTC. TIMESTAMP has six: the seventh, a
 * tenth of a microsecond, is cut. A number in scientific notation has lost digits and is malformed.
 */
export const UTC: Decoder = {
  values: [{ name: "value", takes: ["text", "whole", "decimal"] }],
  constants: [],
  bySource: true,
  reason: "INVALID_TIMESTAMP",
  does: "a UTC time stamp of 14 digits and up to seven decimals to TIMESTAMP; blanks and zeros are NULL",
  decode: (use) => {
    const { sql, type } = argumentAt(use);
    const { group, point } = NUMBER_FORMATS[type.kind === "string" ? use.source.numbers : "plain"];
    const text = `trim(CAST(${sql} AS STRING))`;
    const decimals = `(?:${only(point)}[0-9]{1,7})?`;
    const grouped = group === "" ? "" : `|[0-9]{2}(?:${only(group)}[0-9]{3}){4}${decimals}`;
    const digits = group === "" ? text : `replace(${text}, '${group}', '')`;
    const part = (from: number, length: number) => `substr(${digits}, ${from}, ${length})`;
    const day = `${part(1, 4)}, '-', ${part(5, 2)}, '-', ${part(7, 2)}`;
    const clock = `${part(9, 2)}, ':', ${part(11, 2)}, ':', ${part(13, 2)}`;
    const fraction = `rpad(${part(16, 6)}, 6, '0')`;
    return {
      value: `CASE WHEN ${matches(text, `[0-9]{14}${decimals}${grouped}`)} AND ${part(1, 4)} <> '0000' THEN try_cast(concat(${day}, ' ', ${clock}, '.', ${fraction}, 'Z') AS TIMESTAMP) END`,
      nothing: `coalesce(${matches(text, `(?:0+(?:${only(point)}0+)?)?`)}, true)`,
    };
  },
};
