import { IngotError } from "../../../model/error.js";

/** Refuses a column of a type that Ingot has no values of. */
export function unsupportedType(column: string, type: string): IngotError {
  return new IngotError("NOT_SUPPORTED", `Column ${column} has a type that Ingot cannot read from Spark: ${type}.`, {
    object: column,
    hint: "Cast it to STRING in the query.",
  });
}
