import type { SchemaElement } from "hyparquet";
import { formatDate, formatMicros } from "../files/date-time.js";
import { assertDigits, decimalOfBytes, formatDecimal, rescaleDecimal } from "../files/decimal.js";
import type { DataType, DecimalType, Field, StructType } from "../schema/schema.js";
import { gregorianOnly, type OldCalendar } from "./julian-times.js";
import type { ParquetNode } from "./parquet-file.js";
import type { Value } from "./value.js";

/** Puts what is stored into a value of the column's type. */
export type ReadValue = (stored: unknown) => Value;

/** How the columns of a file are found: by field id, else by physical name. */
export type Match = (nodes: readonly ParquetNode[], physical: Field) => ParquetNode | undefined;

/** What holds for all columns of a file. */
export interface FileRules {
  readonly match: Match;
  readonly calendar: OldCalendar;
}

/**
 * The reader of a column or a part of it. Types that were narrower when the file was written are widened. Throws
 * TypeError when the file's type is none that the column can be read from.
 */
export function valueReader(node: ParquetNode, type: DataType, physical: DataType, rules: FileRules): ReadValue {
  const read = presentReader(node, type, physical, rules);
  return (stored) => (stored === null || stored === undefined ? null : read(stored));
}

function presentReader(node: ParquetNode, type: DataType, physical: DataType, rules: FileRules): ReadValue {
  if (type.kind === "struct" && physical.kind === "struct" && node.children.length > 0)
    return structReader(node, type, physical, rules);
  if (type.kind === "array" && physical.kind === "array")
    return arrayReader(node, (element) => valueReader(element, type.element, physical.element, rules));
  if (type.kind === "map" && physical.kind === "map") return mapReader(node, type, physical, rules);
  const read = node.children.length === 0 ? primitiveReader(node.element, type, rules.calendar) : undefined;
  if (read === undefined) throw new TypeError(`${node.element.name} is ${describe(node)}, not ${describeType(type)}`);
  return read;
}

function structReader(node: ParquetNode, type: StructType, physical: StructType, rules: FileRules): ReadValue {
  const readers = type.fields.map((field, i) => {
    const place = physical.fields[i] ?? field;
    const child = rules.match(node.children, place);
    return {
      name: field.name,
      stored: child?.element.name ?? "",
      read: child === undefined ? () => null : valueReader(child, field.type, place.type, rules),
    };
  });
  return (stored) => {
    const group = stored as Readonly<Record<string, unknown>>;
    return Object.fromEntries(readers.map(({ name, stored: key, read }) => [name, read(group[key])]));
  };
}

/**
 * The group of a list holds what repeats, and that is the element itself where older writers left a level out.
 * Source: the Parquet format, "LogicalTypes", backward compatibility rules of lists.
 */
function arrayReader(node: ParquetNode, elementReader: (element: ParquetNode) => ReadValue): ReadValue {
  const { element, children } = node;
  if (element.repetition_type === "REPEATED") {
    const read = elementReader(once(node));
    return (stored) => (stored as readonly unknown[]).map(read);
  }
  const [repeated] = children;
  if (repeated === undefined || children.length > 1 || repeated.element.repetition_type !== "REPEATED")
    throw new TypeError(`${element.name} is ${describe(node)}, not an array`);
  const [only] = repeated.children;
  const isElement =
    only === undefined ||
    repeated.children.length > 1 ||
    repeated.element.name === "array" ||
    repeated.element.name === `${element.name}_tuple`;
  const read = elementReader(isElement ? once(repeated) : only);
  const name = only?.element.name ?? "";
  const { name: list } = repeated.element;
  return (stored) => {
    const items = (stored as Record<string, readonly Record<string, unknown>[] | undefined>)[list] ?? [];
    return items.map(isElement ? read : (item) => read(item[name]));
  };
}

/** One of what repeats. */
function once(node: ParquetNode): ParquetNode {
  return { ...node, element: { ...node.element, repetition_type: "REQUIRED" } };
}

function mapReader(
  node: ParquetNode,
  type: DataType & { kind: "map" },
  physical: DataType & { kind: "map" },
  rules: FileRules,
): ReadValue {
  const [entries] = node.children;
  const [key, value] = entries?.children ?? [];
  if (entries?.element.repetition_type !== "REPEATED" || key === undefined)
    throw new TypeError(`${node.element.name} is ${describe(node)}, not a map`);
  const readKey = valueReader(key, type.key, physical.key, rules);
  const readItem = value === undefined ? () => null : valueReader(value, type.value, physical.value, rules);
  return (stored) => {
    const pairs =
      (stored as Record<string, readonly Record<string, unknown>[] | undefined>)[entries.element.name] ?? [];
    return new Map(
      pairs.map((pair) => [readKey(pair[key.element.name]), readItem(pair[value?.element.name ?? ""])] as const),
    );
  };
}

const text = new TextDecoder("utf-8", { ignoreBOM: true });

/** Undefined when values of the Parquet type are none of the type, nor can be widened to it. */
function primitiveReader(element: SchemaElement, type: DataType, calendar: OldCalendar): ReadValue | undefined {
  const { type: stored } = element;
  const isBytes = stored === "BYTE_ARRAY" || stored === "FIXED_LEN_BYTE_ARRAY";
  const isDecimal = logicalType(element) === "DECIMAL";
  switch (type.kind) {
    case "void":
      return () => null;
    case "boolean":
      return stored === "BOOLEAN" ? Boolean : undefined;
    case "byte":
    case "short":
    case "integer":
      return stored === "INT32" && isWhole(element) ? (value) => value as number : undefined;
    case "long":
      if (stored === "INT32" && isWhole(element)) return (value) => BigInt(unsigned(element, value as number));
      return stored === "INT64" && isWhole(element) ? (value) => value as bigint : undefined;
    case "float":
      return stored === "FLOAT" ? (value) => value as number : undefined;
    case "double":
      if (stored === "INT32" && !isWhole(element)) return undefined;
      return stored === "DOUBLE" || stored === "FLOAT" || stored === "INT32" ? (value) => value as number : undefined;
    case "decimal":
      return decimalReader(
        element,
        type,
        isDecimal || ((stored === "INT32" || stored === "INT64") && isWhole(element)),
      );
    case "string":
      return isBytes && !isDecimal ? (value) => text.decode(value as Uint8Array) : undefined;
    case "binary":
      return isBytes && !isDecimal ? (value) => (value as Uint8Array).slice() : undefined;
    case "date":
      return isDate(element) ? dateReader(calendar) : undefined;
    case "timestamp": {
      const read = timeReader(element, calendar);
      return read && ((value) => `${read(value)}Z`);
    }
    case "timestamp_ntz": {
      if (!isDate(element)) return timeReader(element, calendar);
      const read = dateReader(calendar);
      return (value) => `${read(value)}T00:00:00.000000`;
    }
    default:
      return undefined;
  }
}

function dateReader({ forDates }: OldCalendar): ReadValue {
  const read: ReadValue = (value) => formatDate(value as number);
  return forDates ? gregorianOnly(read, "date") : read;
}

function timeReader(element: SchemaElement, { forDates, forInt96 }: OldCalendar): ReadValue | undefined {
  const micros = microsReader(element);
  if (micros === undefined) return undefined;
  const read: ReadValue = (value) => formatMicros(micros(value));
  return (element.type === "INT96" ? forInt96 : forDates) ? gregorianOnly(read, "time") : read;
}

function decimalReader(element: SchemaElement, type: DecimalType, isNumber: boolean): ReadValue | undefined {
  if (!isNumber) return undefined;
  const { precision, scale } = type;
  const from = element.scale ?? (element.logical_type?.type === "DECIMAL" ? element.logical_type.scale : 0);
  return (value) => {
    const unscaled = value instanceof Uint8Array ? decimalOfBytes(value) : BigInt(value as number | bigint);
    return formatDecimal(assertDigits(rescaleDecimal(unscaled, from, scale), precision, scale), scale);
  };
}

/** Nanoseconds are cut to the microsecond before, as Spark does. */
function microsReader(element: SchemaElement): ((value: unknown) => bigint) | undefined {
  const unit = element.logical_type?.type === "TIMESTAMP" ? element.logical_type.unit : undefined;
  if (element.type === "INT96" || (element.type === "INT64" && unit === "NANOS"))
    return (value) => floorDivide(value as bigint, 1000n);
  if (element.type !== "INT64") return undefined;
  if (unit === "MILLIS" || element.converted_type === "TIMESTAMP_MILLIS") return (value) => (value as bigint) * 1000n;
  return unit === "MICROS" || element.converted_type === "TIMESTAMP_MICROS" ? (value) => value as bigint : undefined;
}

function floorDivide(value: bigint, divisor: bigint): bigint {
  const rest = ((value % divisor) + divisor) % divisor;
  return (value - rest) / divisor;
}

function logicalType({ logical_type, converted_type }: SchemaElement): string | undefined {
  return logical_type?.type ?? converted_type;
}

function isDate(element: SchemaElement): boolean {
  return element.type === "INT32" && logicalType(element) === "DATE";
}

/** A plain number, signed or not, rather than a date, a time or a decimal. */
function isWhole(element: SchemaElement): boolean {
  return /^(INTEGER|U?INT_\d+)?$/.test(logicalType(element) ?? "");
}

function unsigned({ converted_type, logical_type }: SchemaElement, value: number): number {
  const isUnsigned =
    converted_type === "UINT_32" ||
    (logical_type?.type === "INTEGER" && logical_type.bitWidth === 32 && !logical_type.isSigned);
  return isUnsigned ? value >>> 0 : value;
}

function describe({ element, children }: ParquetNode): string {
  const logical = logicalType(element);
  return `${children.length > 0 ? "a group" : element.type}${logical === undefined ? "" : ` (${logical})`} in the file`;
}

function describeType(type: DataType): string {
  return type.kind === "decimal" ? `decimal(${type.precision},${type.scale})` : type.kind;
}
