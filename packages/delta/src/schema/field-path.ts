import type { DataType, Field, StructType } from "./schema.js";

/**
 * The way from the schema's root to a field: names of fields, and `element`, `key` or `value` where it goes through a
 * list or a map. Source: the Delta protocol, "Field Path".
 */
export type FieldPath = readonly string[];

/** What a path leads to. */
export interface Place {
  /** As the schema spells it. */
  readonly path: FieldPath;
  readonly type: DataType;
  /** Undefined for the element of a list, the key or value of a map. */
  readonly field: Field | undefined;
}

/** A path as Spark writes it: `a.b`, names that are no plain words in backticks. */
export function formatPath(path: FieldPath): string {
  return path.map((name) => (/^[a-z_]\w*$/i.test(name) ? name : `\`${name.replaceAll("`", "``")}\``)).join(".");
}

/** Whether both name the same field: case does not count. */
export function samePath(a: FieldPath, b: FieldPath): boolean {
  return a.length === b.length && startsWith(a, b);
}

/** Whether the path leads to the other or through it. */
export function startsWith(path: FieldPath, start: FieldPath): boolean {
  return start.every((name, at) => name.toLowerCase() === path[at]?.toLowerCase());
}

/** Undefined when there is no such place. Case does not count. */
export function findPlace(schema: StructType, path: FieldPath): Place | undefined {
  let place: Place = { path: [], type: schema, field: undefined };
  for (const name of path) {
    const next = step(place.type, name);
    if (next === undefined) return undefined;
    place = { path: [...place.path, next.name], type: next.type, field: next.field };
  }
  return place;
}

/** Every field at every depth, a struct before its fields. */
export function* fieldsWithin(type: DataType, parent: FieldPath = []): Generator<{ path: FieldPath; field: Field }> {
  switch (type.kind) {
    case "struct":
      for (const field of type.fields) {
        const path = [...parent, field.name];
        yield { path, field };
        yield* fieldsWithin(field.type, path);
      }
      break;
    case "array":
      yield* fieldsWithin(type.element, [...parent, "element"]);
      break;
    case "map":
      yield* fieldsWithin(type.key, [...parent, "key"]);
      yield* fieldsWithin(type.value, [...parent, "value"]);
      break;
  }
}

/** The fields of a schema by their path, whatever its case: for many look-ups. */
export function indexFields(schema: StructType): (path: FieldPath) => Field | undefined {
  const index = new Map([...fieldsWithin(schema)].map(({ path, field }) => [keyOf(path), field]));
  return (path) => index.get(keyOf(path));
}

/** The schema with each field, at every depth, replaced; a struct before its fields. Paths are those before. */
export function mapFields(schema: StructType, change: (field: Field, path: FieldPath) => Field): StructType {
  return mapStruct(schema, [], change);
}

/** The schema with the type at a place replaced; the path is as the schema spells it. */
export function replaceType(schema: StructType, path: FieldPath, change: (type: DataType) => DataType): StructType {
  const replaced = replaceWithin(schema, path, change);
  if (replaced.kind !== "struct") throw new TypeError("a schema is a struct");
  return replaced;
}

/** The schema with the fields of the struct at a place replaced. */
export function replaceFields(
  schema: StructType,
  struct: FieldPath,
  change: (fields: readonly Field[]) => readonly Field[],
): StructType {
  return replaceType(schema, struct, (type) => {
    if (type.kind !== "struct") throw new TypeError(`${formatPath(struct)} is no struct`);
    return { kind: "struct", fields: change(type.fields) };
  });
}

function keyOf(path: FieldPath): string {
  return path.join("\0").toLowerCase();
}

function step(type: DataType, name: string): { name: string; type: DataType; field: Field | undefined } | undefined {
  const lower = name.toLowerCase();
  if (type.kind === "struct") {
    const field = type.fields.find((f) => f.name.toLowerCase() === lower);
    return field === undefined ? undefined : { name: field.name, type: field.type, field };
  }
  if (type.kind === "array" && lower === "element") return { name: lower, type: type.element, field: undefined };
  if (type.kind === "map" && lower === "key") return { name: lower, type: type.key, field: undefined };
  if (type.kind === "map" && lower === "value") return { name: lower, type: type.value, field: undefined };
  return undefined;
}

function mapStruct(struct: StructType, path: FieldPath, change: (field: Field, path: FieldPath) => Field): StructType {
  const within = (type: DataType, at: FieldPath): DataType => {
    switch (type.kind) {
      case "struct":
        return mapStruct(type, at, change);
      case "array":
        return { ...type, element: within(type.element, [...at, "element"]) };
      case "map":
        return { ...type, key: within(type.key, [...at, "key"]), value: within(type.value, [...at, "value"]) };
      default:
        return type;
    }
  };
  return {
    kind: "struct",
    fields: struct.fields.map((field) => {
      const at = [...path, field.name];
      const changed = change(field, at);
      return { ...changed, type: within(changed.type, at) };
    }),
  };
}

function replaceWithin(type: DataType, path: FieldPath, change: (type: DataType) => DataType): DataType {
  const [name, ...rest] = path;
  if (name === undefined) return change(type);
  switch (type.kind) {
    case "struct":
      return {
        kind: "struct",
        fields: type.fields.map((field) =>
          field.name === name ? { ...field, type: replaceWithin(field.type, rest, change) } : field,
        ),
      };
    case "array":
      return { ...type, element: replaceWithin(type.element, rest, change) };
    case "map":
      return name === "key"
        ? { ...type, key: replaceWithin(type.key, rest, change) }
        : { ...type, value: replaceWithin(type.value, rest, change) };
    default:
      throw new TypeError(`there is nothing below a ${type.kind}`);
  }
}
