import { randomUUID } from "node:crypto";
import { isObject, type JsonObject } from "../log/json.js";
import { columnMappingMode } from "./column-mapping.js";
import { type Altered, type Definition, refusal } from "./definition.js";
import { fieldsWithin, formatPath, indexFields, mapFields } from "./field-path.js";
import type { DataType, Field, StructType } from "./schema.js";

const ID = "delta.columnMapping.id";
const PHYSICAL_NAME = "delta.columnMapping.physicalName";
const NESTED_IDS = "delta.columnMapping.nested.ids";
const MARKS: readonly string[] = [ID, PHYSICAL_NAME, NESTED_IDS, "parquet.field.id", "parquet.field.nested.ids"];
const MODE = "delta.columnMapping.mode";
const MAX_ID = "delta.columnMapping.maxColumnId";

/**
 * Gives every column the id and the physical name that the table's column mapping asks for. Marks that a field carries
 * stay; a field without is the column that the table has under its path, if that has the same kind of type, else a new
 * one. A table that gets the mode `name` later keeps its names as physical names, as its files have them.
 * Source: the Delta protocol, "Writer Requirements for Column Mapping".
 *
 * @param isReplaced all rows go with the change, so its columns need not be those of the files before
 * @throws DeltaError DELTA_UNSUPPORTED_COLUMN_MAPPING_MODE_CHANGE, DELTA_UNSUPPORTED_COLUMN_MAPPING_SCHEMA_CHANGE,
 * DELTA_ENABLING_COLUMN_MAPPING_DISALLOWED_WHEN_COLUMN_MAPPING_METADATA_ALREADY_EXISTS, DELTA_INVALID_COMMIT when an id
 * or a physical name is there twice
 */
export function assignColumnMapping(next: Definition, previous?: Definition, isReplaced = false): Altered {
  const { schema } = next;
  const { configuration } = next.metadata;
  const mode = columnMappingMode(configuration);
  const before = previous === undefined ? undefined : columnMappingMode(previous.metadata.configuration);
  const isUpgrade = before === "none" && mode === "name" && !isReplaced;
  if (before !== undefined && before !== mode && !isReplaced && !isUpgrade)
    throw refusal(
      next,
      "DELTA_UNSUPPORTED_COLUMN_MAPPING_MODE_CHANGE",
      `The column mapping of ${next.table} cannot change from ${before} to ${mode}: its files are written for ${before}.`,
      before === "none"
        ? "Set delta.columnMapping.mode to name, or copy the rows into a new table."
        : "Keep the mode, or copy the rows into a new table.",
    );
  if (mode === "none") {
    const hadMarks = before === "none" && previous !== undefined && hasMarks(previous.schema);
    return { schema: hadMarks ? schema : mapFields(schema, withoutMarks), configuration };
  }
  if (isUpgrade && previous !== undefined) assertUpgrade(next, previous);

  const old = previous === undefined ? undefined : indexFields(previous.schema);
  const taken = new Set([...fieldsWithin(schema)].map(({ field }) => field.metadata[ID]));
  let maxId = Math.max(maxColumnId(next), previous === undefined ? 0 : maxColumnId(previous));
  const assigned = mapFields(schema, (field, path) => {
    if (field.metadata[ID] !== undefined && field.metadata[PHYSICAL_NAME] !== undefined) return field;
    const same = old?.(path);
    if (same !== undefined && before === mode && !taken.has(same.metadata[ID]) && isSameKind(same.type, field.type))
      return { ...field, metadata: { ...field.metadata, ...marksOf(same) } };
    const physicalName = isUpgrade && same !== undefined ? same.name : `col-${randomUUID()}`;
    if (field.metadata[ID] === undefined) maxId += 1;
    return {
      ...field,
      metadata: { [ID]: maxId, [PHYSICAL_NAME]: physicalName, ...field.metadata },
    };
  });
  assertUnique(next, assigned);
  return { schema: assigned, configuration: { ...configuration, [MODE]: mode, [MAX_ID]: maxId.toString() } };
}

/** The field as a table without column mapping, or another table, would have it. */
export function withoutMarks(field: Field): Field {
  if (!MARKS.some((key) => key in field.metadata)) return field;
  const kept = Object.entries(field.metadata).filter(([key]) => !MARKS.includes(key));
  return { ...field, metadata: Object.fromEntries(kept) as JsonObject };
}

function marksOf({ metadata }: Field): JsonObject {
  return Object.fromEntries(Object.entries(metadata).filter(([key]) => MARKS.includes(key)));
}

function assertUpgrade(next: Definition, previous: Definition): void {
  if (hasMarks(previous.schema))
    throw refusal(
      next,
      "DELTA_ENABLING_COLUMN_MAPPING_DISALLOWED_WHEN_COLUMN_MAPPING_METADATA_ALREADY_EXISTS",
      `Column mapping cannot be switched on for ${next.table}: its schema has ids or physical names of an earlier mapping.`,
      "Create a new table with column mapping and copy the rows.",
    );
  const before = indexFields(previous.schema);
  const added = [...fieldsWithin(next.schema)].find(({ path }) => before(path) === undefined);
  if (added !== undefined)
    throw refusal(
      next,
      "DELTA_UNSUPPORTED_COLUMN_MAPPING_SCHEMA_CHANGE",
      `The schema of ${next.table} cannot change together with its column mapping: ${formatPath(added.path)} is new.`,
      "Set delta.columnMapping.mode first, then change the schema in a commit of its own.",
    );
}

function assertUnique(next: Definition, schema: StructType): void {
  const ids = new Set<unknown>();
  const names = new Set<string>();
  const check = (type: DataType, parent: string): void => {
    switch (type.kind) {
      case "struct":
        for (const field of type.fields) {
          const id = field.metadata[ID];
          const name = `${parent}\0${String(field.metadata[PHYSICAL_NAME])}`;
          if (ids.has(id) || names.has(name))
            throw refusal(
              next,
              "DELTA_INVALID_COMMIT",
              `Two columns of ${next.table} have the id or the physical name of ${field.name}.`,
              "Remove the keys delta.columnMapping.* from the metadata of the column that is a copy.",
            );
          ids.add(id);
          names.add(name);
          check(field.type, name);
        }
        break;
      case "array":
        check(type.element, `${parent}\0element`);
        break;
      case "map":
        check(type.key, `${parent}\0key`);
        check(type.value, `${parent}\0value`);
        break;
    }
  };
  check(schema, "");
}

function hasMarks(schema: StructType): boolean {
  return [...fieldsWithin(schema)].some(({ field }) => MARKS.some((key) => key in field.metadata));
}

/** The highest id that was ever given; dropped columns count by the property. */
function maxColumnId({ schema, metadata }: Definition): number {
  const ids = [...fieldsWithin(schema)].flatMap(({ field }) => {
    const nested = field.metadata[NESTED_IDS];
    return [field.metadata[ID], ...(isObject(nested) ? Object.values(nested) : [])];
  });
  return Math.max(
    0,
    Number(metadata.configuration[MAX_ID] ?? 0),
    ...ids.map((id) => (typeof id === "number" ? id : 0)),
  );
}

/** Whether files that hold the one can hold the other: structs may differ in their fields, which are columns themselves. */
function isSameKind(a: DataType, b: DataType): boolean {
  if (a.kind === "array" && b.kind === "array") return isSameKind(a.element, b.element);
  if (a.kind === "map" && b.kind === "map") return isSameKind(a.key, b.key) && isSameKind(a.value, b.value);
  if (a.kind === "decimal" && b.kind === "decimal") return a.precision === b.precision && a.scale === b.scale;
  return a.kind === b.kind;
}
