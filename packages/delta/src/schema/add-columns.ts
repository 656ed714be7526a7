import { assertColumnNames } from "./column-names.js";
import { type Altered, type Definition, refusal } from "./definition.js";
import { type FieldPath, fieldsWithin, findPlace, formatPath, replaceFields } from "./field-path.js";
import type { DataType, Field } from "./schema.js";

/** Where a column goes among its neighbours: `first`, or behind one. */
export type ColumnPosition = "first" | { readonly after: string };

export interface NewColumn {
  /** The last name is the new one; those before lead to the struct that gets it. */
  readonly path: FieldPath;
  readonly type: DataType;
  /** Default true; false only while the table has no rows. */
  readonly nullable?: boolean;
  readonly comment?: string;
  /** Undefined: at the end. */
  readonly position?: ColumnPosition;
}

/**
 * ADD COLUMNS: rows that are there have NULL in them. No file is written.
 *
 * @param isEmpty the table has no rows
 * @throws DeltaError DELTA_COLUMN_NOT_FOUND_IN_SCHEMA, DELTA_ADD_COLUMN_PARENT_NOT_STRUCT, DELTA_OPERATION_NOT_ALLOWED
 * for NOT NULL, DELTA_NESTED_NOT_NULL_CONSTRAINT, DELTA_NOT_NULL_NESTED_FIELD, and as `assertColumnNames`
 */
export function addColumns(table: Definition, columns: readonly NewColumn[], isEmpty: boolean): Altered {
  let { schema } = table;
  const added: FieldPath[] = [];
  for (const column of columns) {
    const parent = findParent({ ...table, schema }, column.path);
    const name = column.path.at(-1) ?? "";
    const field: Field = {
      name,
      type: column.type,
      nullable: column.nullable ?? true,
      metadata: column.comment === undefined ? {} : { comment: column.comment },
    };
    schema = replaceFields(schema, parent, (fields) => insert(table, fields, field, column.position));
    added.push([...parent, name]);
  }
  assertColumnNames({ ...table, schema }, table);
  for (const path of added) assertNotNull({ ...table, schema }, path, isEmpty);
  return { schema };
}

/** The fields with one more, or with one of them moved. */
export function insert(
  table: Definition,
  fields: readonly Field[],
  field: Field,
  position: ColumnPosition | undefined,
): readonly Field[] {
  if (position === undefined) return [...fields, field];
  if (position === "first") return [field, ...fields];
  const at = fields.findIndex(({ name }) => name.toLowerCase() === position.after.toLowerCase());
  if (at < 0)
    throw refusal(
      table,
      "DELTA_COLUMN_NOT_FOUND_IN_SCHEMA",
      `There is no column ${position.after} beside ${field.name} in ${table.table}.`,
      `Beside it are ${fields.map(({ name }) => name).join(", ")}.`,
    );
  return [...fields.slice(0, at + 1), field, ...fields.slice(at + 1)];
}

function findParent(table: Definition, path: FieldPath): FieldPath {
  const parent = findPlace(table.schema, path.slice(0, -1));
  if (parent === undefined)
    throw refusal(
      table,
      "DELTA_COLUMN_NOT_FOUND_IN_SCHEMA",
      `There is no column ${formatPath(path.slice(0, -1))} in ${table.table}.`,
      "Add the struct first; a list leads on with the name element, a map with key or value.",
    );
  if (parent.type.kind !== "struct")
    throw refusal(
      table,
      "DELTA_ADD_COLUMN_PARENT_NOT_STRUCT",
      `${formatPath(path)} cannot be added to ${table.table}: ${formatPath(parent.path)} is of the type ${parent.type.kind}, no struct.`,
      "For structs in a list or a map name element, key or value after the column.",
    );
  return parent.path;
}

/** NOT NULL can be kept only where no row is there yet, and where everything around the field is there in every row. */
function assertNotNull(table: Definition, path: FieldPath, isEmpty: boolean): void {
  const added = findPlace(table.schema, path);
  if (added?.field === undefined) return;
  const fields = [{ path, field: added.field }, ...fieldsWithin(added.type, path)].filter(
    ({ field }) => !field.nullable,
  );
  for (const { path: strict } of fields) {
    const name = formatPath(strict);
    if (!isEmpty)
      throw refusal(
        table,
        "DELTA_OPERATION_NOT_ALLOWED",
        `${name} cannot be added to ${table.table} as NOT NULL: the rows that are there would have NULL in it.`,
        "Add it nullable, and a CHECK constraint once every row has a value.",
      );
    const around = strict.slice(1).map((_, length) => findPlace(table.schema, strict.slice(0, length + 1)));
    if (around.some((place) => place?.field === undefined))
      throw refusal(
        table,
        "DELTA_NESTED_NOT_NULL_CONSTRAINT",
        `${name} of ${table.table} cannot be NOT NULL: it lies within a list or a map, where no writer checks it.`,
        "Add it nullable.",
      );
    const optional = around.find((place) => place?.field?.nullable);
    if (optional !== undefined)
      throw refusal(
        table,
        "DELTA_NOT_NULL_NESTED_FIELD",
        `${name} of ${table.table} cannot be NOT NULL: ${formatPath(optional.path)} around it may be NULL.`,
        "Add it nullable.",
      );
  }
}
