import type { DataType, DecimalType } from "../../model/data-type.js";
import { NUMBER_FORMATS, type NumberFormat } from "../conventions.js";
import { argumentAt, type Decoder, DecoderFault, type DecoderUse, decimalOf } from "./decoder.js";
import { matches, only } from "./pattern.js";

const typeText = ({ precision, scale }: Pick<DecimalType, "precision" | "scale">) => `DECIMAL(${precision},${scale})`;

/**
 * CURR, QUAN and DEC as DECIMAL: exact, or malformed. A text has a sign before or behind, groups of three digits or none,
 * and no decimal that is not 0 beyond the scale. `1.234` is what the source's format says, never a guess.
 */
export const NUMBER: Decoder = {
  values: [{ name: "value", takes: ["text", "whole", "decimal", "floating"] }],
  constants: [
    { name: "precision", type: "number", required: true },
    { name: "scale", type: "number", required: true },
    { name: "format", type: "text" },
  ],
  bySource: true,
  reason: "MALFORMED_AMOUNT",
  does: "CURR, QUAN or DEC to DECIMAL(precision, scale): a trailing minus, the separators of the format",
  decode: (use) => {
    const { sql, type } = argumentAt(use);
    const decimal = decimalOf(use);
    if (type.kind !== "string") return { value: numberValue(sql, type, decimal), nothing: `${sql} IS NULL` };
    const text = `trim(${sql})`;
    const value = textValue(text, numberFormat(use), decimal);
    // A call with a format and without a source stands for itself.
    const [format, source] = [use.texts["format"], use.texts["source"]];
    const isZero = (format === undefined || source !== undefined) && use.source.blanks === "zero";
    return {
      value: isZero ? `CASE WHEN ${text} = '' THEN CAST(0 AS ${typeText(decimal)}) ELSE ${value} END` : value,
      nothing: isZero ? `${sql} IS NULL` : `coalesce(${text} = '', true)`,
    };
  },
};

/** @throws DecoderFault for an unknown format */
function numberFormat(use: DecoderUse): NumberFormat {
  const format = use.texts["format"];
  if (format === undefined) return use.source.numbers;
  if (Object.hasOwn(NUMBER_FORMATS, format)) return format as NumberFormat;
  throw new DecoderFault(`${format} is no format of numbers`, "Write plain, us, eu or sp.", "format");
}

function textValue(text: string, format: NumberFormat, { precision, scale }: { precision: number; scale: number }) {
  const { group, point } = NUMBER_FORMATS[format];
  const whole = group === "" ? "[0-9]+" : `(?:[0-9]+|[0-9]{1,3}(?:${only(group)}[0-9]{3})+)`;
  const places = scale === 0 ? "0*" : `[0-9]{0,${scale}}0*`;
  const firstPlace = scale === 0 ? "0+" : `[0-9]{1,${scale}}0*`;
  const digits = `(?:${whole}(?:${only(point)}${places})?|${only(point)}${firstPlace})`;
  const ungrouped = group === "" ? text : `replace(${text}, '${group}', '')`;
  const unsigned = `trim(BOTH '+-' FROM ${ungrouped})`;
  const plain = point === "." ? unsigned : `replace(${unsigned}, '${point}', '.')`;
  const sign = `CASE WHEN contains(${text}, '-') THEN '-' ELSE '' END`;
  const fits = matches(text, `[+-]?${digits}|${digits}[+-]`);
  const type = typeText({ precision, scale });
  // Most texts are as a cast takes them.
  const asIs = scale === 0 ? "-?[0-9]+" : `-?[0-9]+(?:[.][0-9]{1,${scale}})?`;
  const cast = point === "." ? `WHEN ${matches(text, asIs)} THEN try_cast(${text} AS ${type}) ` : "";
  return `CASE ${cast}WHEN ${fits} THEN try_cast(concat(${sign}, ${plain}) AS ${type}) END`;
}

/** Places that a floating number is read to beyond the scale; where its digits there are all 0 or all 9, it is exact. */
const MORE_PLACES = 6;

/** A number that came as one. A floating number counts where it is no farther than a thousandth of the last digit. */
function numberValue(sql: string, type: DataType, { precision, scale }: { precision: number; scale: number }): string {
  const narrow = `try_cast(${sql} AS ${typeText({ precision, scale })})`;
  if (type.kind !== "double" && type.kind !== "float") return `CASE WHEN ${narrow} = ${sql} THEN ${narrow} END`;
  const most = 38 - MORE_PLACES;
  if (precision > most)
    throw new DecoderFault(
      `A floating number has not the digits of ${typeText({ precision, scale })}`,
      `Take a precision of ${most} at most, or extract the column as text.`,
      "precision",
    );
  const near = `try_cast(${sql} AS ${typeText({ precision: precision + MORE_PLACES, scale: scale + MORE_PLACES })})`;
  const tolerance = `CAST('1E-${scale + 3}' AS DECIMAL(${scale + 3},${scale + 3}))`;
  const rounded = `try_cast(${near} AS ${typeText({ precision, scale })})`;
  return `CASE WHEN abs(${near} - ${rounded}) < ${tolerance} THEN ${rounded} END`;
}
