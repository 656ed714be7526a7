import { type Change, READS_NOTHING } from "../commit/change.js";
import { formatJson, type JsonObject } from "../log/json.js";
import { addColumns, type NewColumn } from "../schema/add-columns.js";
import { type ColumnChange, changeColumn } from "../schema/change-column.js";
import { clusteringColumns } from "../schema/clustering-columns.js";
import { type Altered, refusal } from "../schema/definition.js";
import { dropColumns } from "../schema/drop-columns.js";
import { type FieldPath, findPlace, formatPath } from "../schema/field-path.js";
import { renameColumn } from "../schema/rename-column.js";
import { type DataType, formatType } from "../schema/schema.js";
import { isInternalProperty, propertyName, validateProperties } from "../schema/table-properties.js";
import type { Snapshot } from "../snapshot/snapshot.js";
import { clusterBy } from "./cluster-by.js";

/** What ALTER TABLE can do. Names of columns are found whatever their case. */
export type Alteration =
  | { readonly kind: "add columns"; readonly columns: readonly NewColumn[] }
  | { readonly kind: "rename column"; readonly column: FieldPath; readonly to: string }
  | { readonly kind: "drop columns"; readonly columns: readonly FieldPath[] }
  | { readonly kind: "change column"; readonly column: FieldPath; readonly change: ColumnChange }
  | { readonly kind: "set properties"; readonly properties: Readonly<Record<string, string>> }
  | { readonly kind: "unset properties"; readonly keys: readonly string[]; readonly ifExists?: boolean }
  | { readonly kind: "add constraint"; readonly name: string; readonly expression: string }
  | { readonly kind: "drop constraint"; readonly name: string; readonly ifExists?: boolean }
  /** None: CLUSTER BY NONE. */
  | { readonly kind: "cluster by"; readonly columns: readonly FieldPath[] }
  | { readonly kind: "describe"; readonly name?: string; readonly description?: string };

/**
 * The change that an alteration is for a table, as a value; undefined when nothing changes. Whether the rows obey a new
 * constraint is for the caller to find out.
 *
 * @throws DeltaError as the alterations of `schema/`, and with the codes of Spark for properties and constraints
 */
export function planAlteration(snapshot: Snapshot, alteration: Alteration): Change | undefined {
  switch (alteration.kind) {
    case "add columns": {
      const { columns } = alteration;
      const altered = addColumns(snapshot, columns, snapshot.files.length === 0);
      const described = columns.map(({ path, type, nullable = true, comment, position }) => ({
        column: describeField(path, type, nullable, comment === undefined ? {} : { comment }),
        ...positionOf(position),
      }));
      // NOT NULL is right only as long as no row is there.
      const needsEmpty = columns.some(({ nullable = true, type }) => !nullable || hasStrictField(type));
      return change("ADD COLUMNS", { columns: formatJson(described) }, altered, needsEmpty);
    }
    case "rename column": {
      const { column, to } = alteration;
      const altered = renameColumn(snapshot, column, to);
      const path = findPlace(snapshot.schema, column)?.path ?? column;
      const names = { oldColumnPath: formatPath(path), newColumnPath: formatPath([...path.slice(0, -1), to]) };
      return change("RENAME COLUMN", names, altered);
    }
    case "drop columns": {
      const altered = dropColumns(snapshot, alteration.columns, clusteringColumns(snapshot) ?? []);
      return change("DROP COLUMNS", { columns: JSON.stringify(alteration.columns.map(formatPath)) }, altered);
    }
    case "change column": {
      const altered = changeColumn(snapshot, alteration.column, alteration.change);
      const place = findPlace(altered.schema ?? snapshot.schema, alteration.column);
      const { path = alteration.column, type, field } = place ?? {};
      const described = type && describeField(path, type, field?.nullable ?? true, field?.metadata ?? {});
      const parameters = { column: formatJson(described ?? {}), ...positionOf(alteration.change.position) };
      // The preview of type widening notes the version of the change.
      return change("CHANGE COLUMN", parameters, altered, alteration.change.type !== undefined);
    }
    case "set properties":
      return setProperties(snapshot, alteration.properties);
    case "unset properties":
      return unsetProperties(snapshot, alteration.keys, alteration.ifExists ?? false);
    case "add constraint":
      return addConstraint(snapshot, alteration.name, alteration.expression);
    case "drop constraint":
      return dropConstraint(snapshot, alteration.name, alteration.ifExists ?? false);
    case "cluster by":
      return clusterBy(snapshot, alteration.columns);
    case "describe": {
      const { kind: _kind, ...described } = alteration;
      const properties = described.description === undefined ? {} : { comment: described.description };
      return {
        ...change("SET TBLPROPERTIES", { properties: JSON.stringify(properties) }, {}),
        metadata: described,
      };
    }
  }
}

function setProperties(snapshot: Snapshot, properties: Readonly<Record<string, string>>): Change {
  for (const key of Object.keys(properties)) {
    const lower = key.toLowerCase();
    if (lower.startsWith("delta.constraints."))
      throw refusal(
        snapshot,
        "DELTA_ADD_CONSTRAINTS",
        `${key} cannot be set as a property: the rows of ${snapshot.table} must be checked first.`,
        "Use ALTER TABLE … ADD CONSTRAINT.",
      );
    if (lower === "delta.feature.clustering")
      throw refusal(
        snapshot,
        "DELTA_ALTER_TABLE_SET_CLUSTERING_TABLE_FEATURE_NOT_ALLOWED",
        `${snapshot.table} cannot be given the feature clustering without clustering columns.`,
        "Use ALTER TABLE … CLUSTER BY.",
      );
  }
  const configuration = { ...snapshot.metadata.configuration, ...validateProperties(snapshot, properties) };
  return change("SET TBLPROPERTIES", { properties: JSON.stringify(properties) }, { configuration });
}

function unsetProperties(snapshot: Snapshot, keys: readonly string[], ifExists: boolean): Change {
  const { configuration } = snapshot.metadata;
  const names = keys.map(propertyName);
  const missing = ifExists ? undefined : names.find((name) => !Object.hasOwn(configuration, name));
  if (missing !== undefined)
    throw refusal(
      snapshot,
      "DELTA_UNSET_NON_EXISTENT_PROPERTY",
      `${snapshot.table} has no property ${missing}.`,
      "Look at the table's properties, or unset it IF EXISTS.",
    );
  const internal = names.find(isInternalProperty);
  if (internal !== undefined)
    throw refusal(
      snapshot,
      "DELTA_CANNOT_MODIFY_TABLE_PROPERTY",
      `The property ${internal} of ${snapshot.table} cannot be unset: commits keep it.`,
      "Leave it out.",
    );
  const kept = Object.fromEntries(Object.entries(configuration).filter(([key]) => !names.includes(key)));
  const parameters = { properties: JSON.stringify(names), ifExists: String(ifExists) };
  return change("UNSET TBLPROPERTIES", parameters, { configuration: kept });
}

function addConstraint(snapshot: Snapshot, name: string, expression: string): Change {
  const { configuration } = snapshot.metadata;
  const key = constraintKey(snapshot, name);
  const existing = Object.entries(configuration).find(([other]) => other.toLowerCase() === key);
  if (existing !== undefined)
    throw refusal(
      snapshot,
      "DELTA_CONSTRAINT_ALREADY_EXISTS",
      `${snapshot.table} has a constraint ${name} already: ${existing[1]}.`,
      "Drop it first, or choose another name.",
    );
  return change(
    "ADD CONSTRAINT",
    { name, expr: expression },
    { configuration: { ...configuration, [key]: expression } },
    true,
  );
}

function dropConstraint(snapshot: Snapshot, name: string, ifExists: boolean): Change | undefined {
  const { configuration } = snapshot.metadata;
  const key = constraintKey(snapshot, name);
  const existing = Object.entries(configuration).find(([other]) => other.toLowerCase() === key);
  if (existing !== undefined) {
    const kept = Object.fromEntries(Object.entries(configuration).filter(([other]) => other !== existing[0]));
    const parameters = { name, expr: existing[1] ?? "", existed: "true" };
    return change("DROP CONSTRAINT", parameters, { configuration: kept });
  }
  if (ifExists) return undefined;
  throw refusal(
    snapshot,
    "DELTA_CONSTRAINT_DOES_NOT_EXIST",
    `${snapshot.table} has no constraint ${name}.`,
    "Look at the table's properties delta.constraints.…, or drop it IF EXISTS.",
  );
}

/** Spark stores the name in lower case. */
function constraintKey(snapshot: Snapshot, name: string): string {
  // Spark's own name for the length check of CHAR and VARCHAR.
  if (name !== "" && name.toUpperCase() !== "__CHAR_VARCHAR_STRING_LENGTH_CHECK__")
    return `delta.constraints.${name.toLowerCase()}`;
  throw refusal(
    snapshot,
    "DELTA_INVALID_CONSTRAINT_NAME",
    `A constraint of ${snapshot.table} cannot have the name "${name}".`,
    "Choose another name.",
  );
}

function change(
  operation: string,
  operationParameters: Readonly<Record<string, string>>,
  metadata: Altered,
  dependsOnRows = false,
): Change {
  return { operation, operationParameters, metadata, ...(dependsOnRows ? {} : { reads: READS_NOTHING }) };
}

/** As Spark's history tells a column. */
function describeField(path: FieldPath, type: DataType, nullable: boolean, metadata: JsonObject): JsonObject {
  return { name: formatPath(path), type: formatType(type), nullable, metadata };
}

function positionOf(position: NewColumn["position"]): { position?: string } {
  if (position === undefined) return {};
  return { position: position === "first" ? "FIRST" : `AFTER ${position.after}` };
}

function hasStrictField(type: DataType): boolean {
  switch (type.kind) {
    case "struct":
      return type.fields.some((field) => !field.nullable || hasStrictField(field.type));
    case "array":
      return hasStrictField(type.element);
    case "map":
      return hasStrictField(type.key) || hasStrictField(type.value);
    default:
      return false;
  }
}
