import { assignColumnMapping } from "./assign-column-mapping.js";
import { assertColumnNames } from "./column-names.js";
import { type Altered, type Definition, refusal } from "./definition.js";
import { indexFields, mapFields } from "./field-path.js";
import type { StructType } from "./schema.js";

const TYPE_CHANGES = "delta.typeChanges";

/**
 * A definition as a commit may write it: names that every reader can tell apart, ids and physical names where the table
 * has column mapping, the record of type changes kept. Every commit that writes a definition goes through it.
 *
 * @param previous undefined for a new table
 * @param isReplaced all rows go with the change
 * @throws DeltaError DELTA_UNSUPPORTED_FEATURES_FOR_WRITE for a mode that is unknown, and as `assertColumnNames` and
 * `assignColumnMapping`
 */
export function prepareDefinition(
  next: Definition,
  previous?: Definition,
  isReplaced = false,
): Required<Pick<Altered, "schema" | "configuration">> {
  assertMappingMode(next);
  assertColumnNames(next, previous);
  const kept = previous === undefined || isReplaced ? next.schema : keepTypeChanges(next.schema, previous.schema);
  const { schema = kept, configuration = next.metadata.configuration } = assignColumnMapping(
    { ...next, schema: kept },
    previous,
    isReplaced,
  );
  return { schema, configuration };
}

function assertMappingMode(next: Definition): void {
  const mode = next.metadata.configuration["delta.columnMapping.mode"] ?? "none";
  if (mode === "none" || mode === "name" || mode === "id") return;
  throw refusal(
    next,
    "DELTA_UNSUPPORTED_FEATURES_FOR_WRITE",
    `${next.table} cannot have the column mapping mode ${mode}.`,
    "There are none, name and id.",
  );
}

/** "Writers must preserve the delta.typeChanges field […] when the table schema is updated." (Type Widening) */
export function keepTypeChanges(schema: StructType, previous: StructType): StructType {
  const before = indexFields(previous);
  return mapFields(schema, (field, path) => {
    if (field.metadata[TYPE_CHANGES] !== undefined) return field;
    const changes = before(path)?.metadata[TYPE_CHANGES];
    return changes === undefined ? field : { ...field, metadata: { ...field.metadata, [TYPE_CHANGES]: changes } };
  });
}
