import type { DataType, DecimalType } from "../../../../model/data-type.js";
import { IngotError } from "../../../../model/error.js";
import { parseDate, parseLocalTimestamp, parseTimestamp } from "../csv/datetime.js";
import { decimalText } from "../csv/number.js";

/**
 * Whether `convertField` gives a value for a text of `fitText`. True also for what DuckDB cannot hold: the conversion
 * says so.
 *
 * @param regions the time zones that a timestamp may name
 */
export function canConvert(text: string, type: DataType, regions: ReadonlySet<string>): boolean {
  switch (type.kind) {
    case "tinyint":
      return isSigned(text, 8);
    case "smallint":
      return isSigned(text, 16);
    case "int":
      return isSigned(text, 32);
    case "bigint":
      return isSigned(text, 64);
    case "decimal":
      return isShort(decimalText(text, type.scale), type);
    case "date":
      return isTold(() => parseDate(text));
    case "timestamp":
      return isTold(() => parseTimestamp(text, regions));
    case "timestamp_ntz":
      return isTold(() => parseLocalTimestamp(text));
    default:
      return true;
  }
}

function isSigned(digits: string, bits: number): boolean {
  const value = BigInt(digits);
  return BigInt.asIntN(bits, value) === value;
}

/** Whether a decimal has no more digits before the point than its type. */
function isShort(decimal: string | undefined, { precision, scale }: DecimalType): boolean {
  const [, whole] = /^[+-]?0*([0-9]*)/.exec(decimal ?? "") ?? [];
  return decimal !== undefined && (whole ?? "").length <= precision - scale;
}

function isTold(parse: () => unknown): boolean {
  try {
    return parse() !== undefined;
  } catch (error) {
    if (error instanceof IngotError) return true;
    throw error;
  }
}
