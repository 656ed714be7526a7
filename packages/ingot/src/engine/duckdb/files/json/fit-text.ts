import type { DataType } from "../../../../model/data-type.js";
import type { JsonField } from "../../../../sources/files/json-records.js";

/**
 * The text of a JSON value that a column of a type takes, for `convertField`; null for JSON's null. Undefined where
 * Spark 4.2's JSON source does not take a value of this kind (`JacksonParser.makeConverter`).
 */
export function fitText({ kind, text }: JsonField, type: DataType["kind"]): string | null | undefined {
  if (kind === "null") return null;
  switch (type) {
    case "string":
      return text;
    case "boolean":
      return kind === "boolean" ? text : undefined;
    case "tinyint":
      return kind === "number" && INTEGER.test(text) ? byteText(text) : undefined;
    case "smallint":
    case "int":
    case "bigint":
      return kind === "number" && INTEGER.test(text) ? text : undefined;
    case "float":
    case "double":
      if (kind !== "number" && kind !== "string") return undefined;
      return NOT_FINITE[text] ?? (kind === "number" ? text : undefined);
    case "decimal":
      return (kind === "number" && !(text in NOT_FINITE)) || (kind === "string" && text !== "") ? text : undefined;
    case "timestamp":
      if (kind === "number" && INTEGER.test(text)) return instantText(text);
      return kind === "string" && text !== "" ? text : undefined;
    default:
      return kind === "string" && text !== "" ? text : undefined;
  }
}

const INTEGER = /^-?[0-9]+$/;

/** Jackson takes a byte for signed or not. */
function byteText(text: string): string {
  const value = Number(text);
  return value > 127 && value < 256 ? String(value - 256) : text;
}

const NOT_FINITE: Readonly<Record<string, string>> = {
  NaN: "NaN",
  "+INF": "Infinity",
  "-INF": "-Infinity",
  "+Infinity": "Infinity",
  Infinity: "Infinity",
  "-Infinity": "-Infinity",
};

/** A number is an instant in seconds since 1970. */
function instantText(seconds: string): string | undefined {
  const date = new Date(Number(seconds) * 1000);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString().replace("T", " ");
}
