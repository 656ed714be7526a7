import { type DecimalType, formatType } from "../../model/data-type.js";
import { callHost } from "../functions/host/host-function.js";
import { LONG_DECIMAL } from "../functions/host/long-decimal.js";
import { castTo, quoteText, raise } from "./lower-text.js";

/** A sum, difference or product of decimals that has more digits than its type: half up, in JavaScript. */
export function longDecimal(op: "+" | "-" | "*", a: string, b: string, type: DecimalType): string {
  const text = (sql: string) => castTo(sql, { kind: "string" });
  const exact = callHost(LONG_DECIMAL, quoteText(op), text(a), text(b), String(type.scale));
  const error = raise(
    "NUMERIC_VALUE_OUT_OF_RANGE",
    `A value cannot be represented as ${formatType(type).toUpperCase()}.`,
  );
  return `CASE WHEN ${a} IS NOT NULL AND ${b} IS NOT NULL THEN coalesce(TRY_CAST(${exact} AS DECIMAL(38,${type.scale})), ${castTo(error, type)}) END`;
}
