import { type ColumnPosition, insert } from "./add-columns.js";
import { type Altered, type Definition, refusal } from "./definition.js";
import { assertNotReferenced } from "./expression-references.js";
import { type FieldPath, formatPath, replaceFields, replaceType } from "./field-path.js";
import { requireField, requirePlace } from "./require-field.js";
import { type DataType, type Field, formatType } from "./schema.js";
import { canWiden, isSameType, isWideningOn, recordTypeChanges } from "./type-widening.js";

/** What of a column becomes other; what is not stated stays. */
export interface ColumnChange {
  /** A wider type. For the element of a list, the key or value of a map the path ends with this word. */
  readonly type?: DataType;
  /** DROP NOT NULL. */
  readonly nullable?: true;
  /** Null: none any more. */
  readonly comment?: string | null;
  /** SET DEFAULT, an expression in Spark's SQL for rows that are written from now on; null: DROP DEFAULT. */
  readonly default?: string | null;
  /** A new place beside the same neighbours. */
  readonly position?: ColumnPosition;
}

/**
 * CHANGE COLUMN. No file is written.
 *
 * @throws DeltaError DELTA_COLUMN_NOT_FOUND_IN_SCHEMA, DELTA_UNSUPPORTED_ALTER_TABLE_CHANGE_COL_OP for a type that is
 * not wider or where `delta.enableTypeWidening` is off, DELTA_CANNOT_UPDATE_STRUCT_FIELD, DELTA_CANNOT_UPDATE_ARRAY_FIELD,
 * DELTA_CANNOT_UPDATE_MAP_FIELD, DELTA_CONSTRAINT_DEPENDENT_COLUMN_CHANGE,
 * DELTA_GENERATED_COLUMNS_DEPENDENT_COLUMN_CHANGE, DELTA_IDENTITY_COLUMNS_ALTER_COLUMN_NOT_SUPPORTED,
 * WRONG_COLUMN_DEFAULTS_FOR_DELTA_FEATURE_NOT_ENABLED
 */
export function changeColumn(table: Definition, column: FieldPath, change: ColumnChange): Altered {
  const { type, position, ...rest } = change;
  let { schema } = table;
  if (type !== undefined) schema = widen(table, column, type);
  if (Object.keys(rest).length > 0 || position !== undefined) {
    const { path, field } = requireField(table, column);
    schema = replaceFields(schema, path.slice(0, -1), (fields) => {
      const changed = fields.map((f) => (f.name === field.name ? describe(table, path, f, rest) : f));
      const moved = changed.find((f) => f.name === field.name);
      if (position === undefined || moved === undefined) return changed;
      return insert(
        table,
        changed.filter((f) => f !== moved),
        moved,
        position,
      );
    });
  }
  return { schema };
}

const UPDATE_OF_WHOLE = {
  struct: "DELTA_CANNOT_UPDATE_STRUCT_FIELD",
  array: "DELTA_CANNOT_UPDATE_ARRAY_FIELD",
  map: "DELTA_CANNOT_UPDATE_MAP_FIELD",
} as const;

function widen(table: Definition, column: FieldPath, type: DataType): Definition["schema"] {
  const { path, type: before, field } = requirePlace(table, column);
  if (isSameType(before, type)) return table.schema;
  const name = formatPath(path);
  if (before.kind === "struct" || before.kind === "array" || before.kind === "map")
    throw refusal(
      table,
      UPDATE_OF_WHOLE[before.kind],
      `The type of ${name} in ${table.table} cannot be set as a whole: it is a ${before.kind}.`,
      "Add, drop or change its fields, its element, its key or its value one by one.",
    );
  if (field?.metadata["delta.identity.step"] !== undefined)
    throw refusal(
      table,
      "DELTA_IDENTITY_COLUMNS_ALTER_COLUMN_NOT_SUPPORTED",
      `The type of ${name} in ${table.table} cannot change: it is an identity column.`,
      "Keep its type.",
    );
  // A column that holds nothing but NULL may become anything (Void Type).
  if (before.kind !== "void" && !(isWideningOn(table) && canWiden(before, type)))
    throw refusal(
      table,
      "DELTA_UNSUPPORTED_ALTER_TABLE_CHANGE_COL_OP",
      `${name} of ${table.table} cannot change from ${formatType(before)} to ${formatType(type)}.`,
      canWiden(before, type)
        ? "Set the table property delta.enableTypeWidening to true first."
        : "Its values would have to be converted: write them into a new column or table.",
    );
  assertNotReferenced(table, path, `become ${formatType(type)}`);
  return recordTypeChanges(
    table,
    replaceType(table.schema, path, () => type),
  );
}

function describe(
  table: Definition,
  path: FieldPath,
  field: Field,
  change: Omit<ColumnChange, "type" | "position">,
): Field {
  const metadata = { ...field.metadata };
  if (change.comment === null) delete metadata["comment"];
  else if (change.comment !== undefined) metadata["comment"] = change.comment;
  if (change.default === null) delete metadata["CURRENT_DEFAULT"];
  else if (change.default !== undefined) {
    assertDefault(table, path, field, change.default);
    metadata["CURRENT_DEFAULT"] = change.default;
  }
  return { ...field, nullable: change.nullable ?? field.nullable, metadata };
}

function assertDefault(table: Definition, path: FieldPath, field: Field, sql: string): void {
  if (table.protocol?.writerFeatures?.includes("allowColumnDefaults") !== true)
    throw refusal(
      table,
      "WRONG_COLUMN_DEFAULTS_FOR_DELTA_FEATURE_NOT_ENABLED",
      `${formatPath(path)} of ${table.table} cannot have a default: the table lacks the feature allowColumnDefaults.`,
      "Set the table property delta.feature.allowColumnDefaults to supported first; older writers are shut out by it.",
    );
  if (
    path.length > 1 ||
    field.metadata["delta.generationExpression"] !== undefined ||
    field.metadata["delta.identity.step"] !== undefined
  )
    throw refusal(
      table,
      "DELTA_UNSUPPORTED_ALTER_TABLE_CHANGE_COL_OP",
      `${formatPath(path)} of ${table.table} cannot have a default.`,
      "Only whole columns have defaults, and those that are not generated.",
    );
  if (field.type.kind === "variant" && sql.trim().toUpperCase() !== "NULL")
    throw refusal(
      table,
      "DELTA_UNSUPPORTED_ALTER_TABLE_CHANGE_COL_OP",
      `${formatPath(path)} of ${table.table} cannot have the default ${sql}: it is a VARIANT.`,
      "The default of a VARIANT is NULL.",
    );
}
