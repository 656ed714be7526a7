import { isOn } from "../log/configuration.js";
import { isObject, type Json } from "../log/json.js";
import type { Definition } from "./definition.js";
import { type FieldPath, fieldsWithin, formatPath } from "./field-path.js";
import { type DataType, type Field, formatType, parseTypeName, type StructType } from "./schema.js";

const TYPE_CHANGES = "delta.typeChanges";

/** Whether types of the table's columns may be widened. */
export function isWideningOn({ metadata }: Pick<Definition, "metadata">): boolean {
  return isOn(metadata.configuration, "delta.enableTypeWidening");
}

/**
 * Whether a column of the one type may become of the other. Lists, maps and structs are never widened as a whole.
 * Source: the Delta protocol, "Type Widening".
 */
export function canWiden(from: DataType, to: DataType): boolean {
  if (to.kind === "decimal") {
    const digits = wholeDigits(from);
    const scale = from.kind === "decimal" ? from.scale : 0;
    if (digits === undefined || isSameType(from, to)) return false;
    return to.scale >= scale && to.precision - to.scale >= digits;
  }
  switch (from.kind) {
    case "byte":
      return to.kind === "short" || to.kind === "integer" || to.kind === "long" || to.kind === "double";
    case "short":
      return to.kind === "integer" || to.kind === "long" || to.kind === "double";
    case "integer":
      return to.kind === "long" || to.kind === "double";
    case "float":
      return to.kind === "double";
    case "date":
      return to.kind === "timestamp_ntz";
    default:
      return false;
  }
}

/**
 * The widenings that a write may bring about by itself: those that stay within one family of types, as in Spark, which
 * leaves integers to doubles or decimals to ALTER TABLE.
 */
export function canWidenByWrite(from: DataType, to: DataType): boolean {
  const crosses = (to.kind === "decimal" && from.kind !== "decimal") || (to.kind === "double" && from.kind !== "float");
  return !crosses && canWiden(from, to);
}

/** Whether two types are the same, names of fields and whether nulls may be there aside. */
export function isSameType(a: DataType, b: DataType): boolean {
  if (a.kind === "array" && b.kind === "array") return isSameType(a.element, b.element);
  if (a.kind === "map" && b.kind === "map") return isSameType(a.key, b.key) && isSameType(a.value, b.value);
  if (a.kind === "struct" && b.kind === "struct")
    return (
      a.fields.length === b.fields.length &&
      a.fields.every((field, at) => {
        const other = b.fields[at];
        return other !== undefined && field.name === other.name && isSameType(field.type, other.type);
      })
    );
  if (a.kind === "decimal" && b.kind === "decimal") return a.precision === b.precision && a.scale === b.scale;
  return a.kind === b.kind;
}

/**
 * The newer schema with every widened type noted in `delta.typeChanges` of the field around it. Fields are paired by
 * their place and name. Source: the Delta protocol, "Type Change Metadata".
 */
export function recordTypeChanges(older: Definition, newer: StructType): StructType {
  // Clients of the preview look for the version; later ones do without.
  const version = older.protocol?.writerFeatures?.includes("typeWidening-preview")
    ? { tableVersion: (older.version ?? 0n) + 1n }
    : {};
  return recordWithin(older.schema, newer, version);
}

/**
 * Passes when every type change that the schema notes is one that can be read: files from before it hold the older
 * type. Source: the Delta protocol, "Reader Requirements for Type Widening".
 *
 * Throws TypeError naming the field and the change.
 */
export function assertReadableTypeChanges(schema: StructType): void {
  for (const { path, field } of fieldsWithin(schema)) {
    const changes = field.metadata[TYPE_CHANGES];
    for (const change of Array.isArray(changes) ? (changes as readonly Json[]) : []) {
      const [from, to] = isObject(change) ? [change["fromType"], change["toType"]] : [];
      if (typeof from !== "string" || typeof to !== "string" || !isReadableChange(from, to))
        throw new TypeError(`the type change of ${formatPath(path)} from ${String(from)} to ${String(to)}`);
    }
  }
}

/** Strings of any length are one type in files, so some writers note such a change and others do not. */
const STRING = /^(string|(var)?char\(\d+\))/;

function isReadableChange(from: string, to: string): boolean {
  if (STRING.test(from) && STRING.test(to)) return true;
  const [before, after] = [parseTypeName(from), parseTypeName(to)];
  return canWiden(before, after) || isSameType(before, after) || isWideEnough(before, after);
}

/** Spark took `byte` to `decimal(4,1)`, too, which the protocol does not list and which holds every value. */
function isWideEnough(from: DataType, to: DataType): boolean {
  const digits = from.kind === "byte" ? 3 : from.kind === "short" ? 5 : undefined;
  return digits !== undefined && to.kind === "decimal" && to.precision - to.scale >= digits;
}

function recordWithin(older: StructType, newer: StructType, version: { tableVersion?: bigint }): StructType {
  const within = (before: DataType, now: DataType): DataType => {
    if (before.kind === "struct" && now.kind === "struct") return recordWithin(before, now, version);
    if (before.kind === "array" && now.kind === "array")
      return { ...now, element: within(before.element, now.element) };
    if (before.kind === "map" && now.kind === "map")
      return { ...now, key: within(before.key, now.key), value: within(before.value, now.value) };
    return now;
  };
  const record = (field: Field): Field => {
    const before = older.fields.find(({ name }) => name.toLowerCase() === field.name.toLowerCase());
    if (before === undefined) return field;
    const changes = changesBetween(before.type, field.type, []).map(({ from, to, path }): Json => {
      const fieldPath = path.length === 0 ? {} : { fieldPath: path.join(".") };
      return { ...version, fromType: formatType(from), toType: formatType(to), ...fieldPath };
    });
    const type = within(before.type, field.type);
    if (changes.length === 0) return { ...field, type };
    const earlier = field.metadata[TYPE_CHANGES];
    const all = [...(Array.isArray(earlier) ? (earlier as readonly Json[]) : []), ...changes];
    return { ...field, type, metadata: { ...field.metadata, [TYPE_CHANGES]: all } };
  };
  return { kind: "struct", fields: newer.fields.map(record) };
}

/** Those of one field; the fields of a struct note theirs themselves. */
function changesBetween(
  from: DataType,
  to: DataType,
  path: FieldPath,
): { from: DataType; to: DataType; path: FieldPath }[] {
  if (from.kind === "array" && to.kind === "array")
    return changesBetween(from.element, to.element, [...path, "element"]);
  if (from.kind === "map" && to.kind === "map")
    return [
      ...changesBetween(from.key, to.key, [...path, "key"]),
      ...changesBetween(from.value, to.value, [...path, "value"]),
    ];
  return canWiden(from, to) ? [{ from, to, path }] : [];
}

/** Digits before the point that a decimal needs for every value; a long needs 20 by the protocol, though it has 19. */
function wholeDigits(type: DataType): number | undefined {
  switch (type.kind) {
    case "byte":
    case "short":
    case "integer":
      return 10;
    case "long":
      return 20;
    case "decimal":
      return type.precision - type.scale;
    default:
      return undefined;
  }
}
