import { type DataType, fieldId, type StructType } from "@ingot/delta";
import { quoteName } from "../../../sql/lower/lower-text.js";

/** The option FIELD_IDS of DuckDB's COPY: the field id of every column and of every field within one. */
export function fieldIdsOption(physical: StructType): string {
  return `FIELD_IDS {${idsOf(physical).join(", ")}}`;
}

function idsOf(struct: StructType): string[] {
  return struct.fields.map((field) => {
    const within = idsWithin(field.type);
    const id = fieldId(field);
    return `${quoteName(field.name)}: ${within.length === 0 ? id : `{__duckdb_field_id: ${id}, ${within.join(", ")}}`}`;
  });
}

/** What lies within a list or a map has no id of its own, the fields of a struct there have. */
function idsWithin(type: DataType): string[] {
  const beneath = (name: string, inner: DataType): string[] => {
    const ids = idsWithin(inner);
    return ids.length === 0 ? [] : [`${name}: {${ids.join(", ")}}`];
  };
  switch (type.kind) {
    case "struct":
      return idsOf(type);
    case "array":
      return beneath("element", type.element);
    case "map":
      return [...beneath("key", type.key), ...beneath("value", type.value)];
    default:
      return [];
  }
}
