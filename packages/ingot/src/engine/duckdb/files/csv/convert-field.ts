import { type DataType, formatType } from "../../../../model/data-type.js";
import { IngotError } from "../../../../model/error.js";
import { duckdbType } from "../../../../sql/lower/lower-text.js";

const INTEGER = "[+-]?[0-9]+";
const DECIMAL = String.raw`[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)`;
const FLOATING = `${DECIMAL}(?:[eE][+-]?[0-9]+)?`;
const DATE = "[0-9]{4}-[0-9]{2}-[0-9]{2}";
const TIMESTAMP = String.raw`${DATE}(?:[ T](?:[01][0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9](?:\.[0-9]{1,6})?)?)?`;
const ZONED = String.raw`${DATE}[ T](?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\.[0-9]{1,6})?(?:Z|[+-](?:0[0-9]|1[0-4]):[0-5][0-9])`;

/**
 * The value of a field as Spark's CSV source converts it, as SQL over its text (an expression, NULL where the field is
 * empty); NULL where the text does not fit the type. Each type has a form that DuckDB casts as Spark does, known by a
 * regular expression; all other text goes through a function of ours, one call a value.
 *
 * @throws NOT_SUPPORTED for types that a CSV file cannot hold.
 */
export function convertField(text: string, type: DataType): string {
  const target = duckdbType(type);
  switch (type.kind) {
    case "string":
      return text;
    case "binary":
      return `encode(${text})`;
    case "boolean":
      return `CASE WHEN ${matches(text, "true", "i")} THEN true WHEN ${matches(text, "false", "i")} THEN false END`;
    case "tinyint":
    case "smallint":
    case "int":
    case "bigint":
      return fastOrSlow(text, matches(text, INTEGER), cast(text, target), cast(call("csv_integer", text), target));
    case "decimal":
      return fastOrSlow(
        text,
        matches(text, DECIMAL),
        cast(text, target),
        cast(call("csv_decimal", text, String(type.scale)), target),
      );
    case "float":
    case "double":
      return fastOrSlow(text, matches(text, FLOATING), cast(text, target), cast(call("csv_floating", text), target));
    case "date":
      return fastOrSlow(text, matches(text, DATE), cast(text, target), call("csv_date", text));
    case "timestamp":
      return (
        `CASE WHEN ${text} IS NULL THEN NULL WHEN ${matches(text, TIMESTAMP)} THEN make_timestamptz(epoch_us(${cast(text, "TIMESTAMP")}))` +
        ` WHEN ${matches(text, ZONED)} THEN ${cast(text, target)}` +
        ` ELSE make_timestamptz(${call("csv_timestamp", text)}) END`
      );
    case "timestamp_ntz":
      return fastOrSlow(
        text,
        matches(text, TIMESTAMP),
        cast(text, target),
        `make_timestamp(${call("csv_timestamp_ntz", text)})`,
      );
    default:
      throw new IngotError("NOT_SUPPORTED", `A CSV file has no columns of the type ${formatType(type)}.`, {
        hint: "Declare the column as STRING and convert it in the query.",
      });
  }
}

function fastOrSlow(text: string, isFast: string, fast: string, slow: string): string {
  return `CASE WHEN ${text} IS NULL THEN NULL WHEN ${isFast} THEN ${fast} ELSE ${slow} END`;
}

function matches(text: string, pattern: string, options?: string): string {
  return `regexp_full_match(${text}, '${pattern}'${options === undefined ? "" : `, '${options}'`})`;
}

function cast(text: string, type: string): string {
  return `TRY_CAST(${text} AS ${type})`;
}

/** A call of one of our functions: see `register` in file-functions.ts for the character before the text. */
export function call(name: string, text: string, ...constants: string[]): string {
  return `${name}(${[`'.' || ${text}`, ...constants].join(", ")})`;
}
