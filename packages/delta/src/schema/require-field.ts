import { type Definition, refusal } from "./definition.js";
import { type FieldPath, findPlace, formatPath, type Place } from "./field-path.js";
import type { Field } from "./schema.js";

/**
 * The place that a path names, in a list or map too.
 *
 * @throws DeltaError DELTA_COLUMN_NOT_FOUND_IN_SCHEMA
 */
export function requirePlace(table: Definition, path: FieldPath): Place {
  const place = path.length === 0 ? undefined : findPlace(table.schema, path);
  if (place !== undefined) return place;
  const around = findPlace(table.schema, path.slice(0, -1));
  const names = around?.type.kind === "struct" ? around.type.fields.map(({ name }) => name).join(", ") : undefined;
  throw refusal(
    table,
    "DELTA_COLUMN_NOT_FOUND_IN_SCHEMA",
    `There is no column ${formatPath(path)} in ${table.table}.`,
    names === undefined ? "Look at the table's schema." : `There are ${names}.`,
  );
}

/**
 * The field that a path names: a column or a field of a struct.
 *
 * @throws DeltaError DELTA_COLUMN_NOT_FOUND_IN_SCHEMA
 */
export function requireField(table: Definition, path: FieldPath): { readonly path: FieldPath; readonly field: Field } {
  const place = requirePlace(table, path);
  if (place.field !== undefined) return { path: place.path, field: place.field };
  throw refusal(
    table,
    "DELTA_COLUMN_NOT_FOUND_IN_SCHEMA",
    `${formatPath(path)} of ${table.table} is no column and no field of a struct.`,
    "The element of a list, the key and the value of a map have no name; they change with the column around them.",
  );
}
