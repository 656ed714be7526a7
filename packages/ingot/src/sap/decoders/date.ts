import { dateFormat } from "./date-format.js";
import { argumentAt, type Decoder, type DecoderUse } from "./decoder.js";
import { firstGroup, local, matches } from "./pattern.js";

/** A DATS value as a DATE: Spark SQL of the date, and of whether there is none. */
export interface DateSql {
  readonly value: string;
  readonly nothing: string;
}

/** The text of DATS values that stands for "no end". */
const OPEN_END = "DATE '9999-12-31'";
/** SAP's initial date in any format: zeros, and signs between them. */
const INITIAL = "(?:0+(?:[-./ ]0+)*)?";
const DAY_MS = 86_400_000;
/** Of 0001-01-01 and 9999-12-31. */
const [FIRST_MS, LAST_MS] = [-62_135_596_800_000, 253_402_300_799_999];
/** Of 9999-12-31. */
const LAST_SERIAL = 2_958_465;

/**
 * The date of a text in a declared format. Blanks and the initial date are none; 99999999 is 9999-12-31; years go from
 * 0001 to 9999.
 *
 * @throws DecoderFault for an unknown format
 */
export function dateSql(sql: string, format: string): DateSql {
  const text = `trim(${sql})`;
  if (format === "odata2") return odataDate(text);
  if (format === "excel") return excelDate(text);
  const { fits, date, open } = dateFormat(text, format);
  const ends = open.map((end) => `WHEN ${text} = '${end}' THEN ${OPEN_END} `).join("");
  return {
    value: `CASE ${ends}WHEN ${fits} THEN ${date} END`,
    nothing: `coalesce(${matches(text, INITIAL)}, true)`,
  };
}

/** `/Date(ms)/` of OData V2: milliseconds since 1970, the calendar date in UTC. A zone behind them moves nothing. */
function odataDate(text: string): DateSql {
  const ms = `try_cast(${firstGroup(text, "/Date[(](-?[0-9]{1,15})(?:[+-][0-9]{4})?[)]/")} AS BIGINT)`;
  const day = `date_from_unix_date(CAST((ms - pmod(ms, ${DAY_MS}L)) div ${DAY_MS}L AS INT))`;
  return {
    value: local("ms", ms, `CASE WHEN ms BETWEEN ${FIRST_MS}L AND ${LAST_MS}L THEN ${day} END`),
    nothing: `coalesce(${text} = '', true)`,
  };
}

/** A day's number in a spreadsheet, which knows a 29 February 1900 that never was: number 60 is no date. */
function excelDate(text: string): DateSql {
  const serial = `try_cast(${text} AS INT)`;
  return {
    value: `CASE WHEN ${matches(text, "[0-9]{1,7}")} AND ${serial} BETWEEN 1 AND ${LAST_SERIAL} AND ${serial} <> 60 THEN date_add(DATE '1899-12-30', ${serial} + CASE WHEN ${serial} < 60 THEN 1 ELSE 0 END) END`,
    nothing: `coalesce(${matches(text, "0*")}, true)`,
  };
}

/** The format that a call or its source names. */
export function formatOf(use: DecoderUse): string {
  return use.texts["format"] ?? use.source.dates;
}

const parameters: Pick<Decoder, "values" | "constants"> = {
  values: [{ name: "value", takes: ["text", "digits"] }],
  constants: [{ name: "format", type: "text" }],
};

export const DATE: Decoder = {
  ...parameters,
  bySource: true,
  reason: "INVALID_DATE",
  does: "DATS to DATE; blanks and the initial date are NULL",
  decode: (use) => ({ ...dateSql(argumentAt(use).sql, formatOf(use)) }),
};

/** BUDAT and its like are never empty in SAP. */
export const POSTING_DATE: Decoder = {
  ...parameters,
  bySource: true,
  reason: "INVALID_POSTING_DATE",
  does: "DATS to DATE, where no document is without one: NULL, blanks and the initial date are malformed",
  decode: (use) => ({
    value: dateSql(argumentAt(use).sql, formatOf(use)).value,
    nothing: "false",
  }),
};

/**
 * GDATU of TCURR and TCURF: 99999999 less the date, so that the newest comes first. Some tools deliver the date itself;
 * its year, 1900 to 2100, tells it apart, since an inverted date has such a year only after 7899.
 */
export const GDATU: Decoder = {
  values: parameters.values,
  constants: [],
  reason: "INVALID_DATE",
  does: "inverted date of TCURR and TCURF to the DATE from which the rate holds",
  decode: (use) => {
    const text = `trim(${argumentAt(use).sql})`;
    const digits = `lpad(${text}, 8, '0')`;
    const turned = `lpad(CAST(99999999 - try_cast(${digits} AS INT) AS STRING), 8, '0')`;
    const plain = `substr(${digits}, 1, 4) BETWEEN '1900' AND '2100'`;
    const date = local(
      "date",
      `CASE WHEN ${plain} THEN ${digits} ELSE ${turned} END`,
      dateSql("date", "YYYYMMDD").value,
    );
    return {
      value: `CASE WHEN ${matches(text, "[0-9]{1,8}")} THEN ${date} END`,
      nothing: `coalesce(${text} = '' OR ${digits} = '99999999', true)`,
    };
  },
};
