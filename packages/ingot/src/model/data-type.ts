/** Spark's data types, by the names that Spark's SQL and `DataType.simpleString` use. */
export type DataType = AtomicType | DecimalType | IntervalType | ArrayType | MapType | StructType;

export type AtomicName =
  | "boolean"
  | "tinyint"
  | "smallint"
  | "int"
  | "bigint"
  | "float"
  | "double"
  | "string"
  | "binary"
  | "date"
  | "timestamp"
  | "timestamp_ntz"
  | "void";

export interface AtomicType {
  readonly kind: AtomicName;
}
export interface DecimalType {
  readonly kind: "decimal";
  readonly precision: number;
  readonly scale: number;
}
export type IntervalField = "year" | "month" | "day" | "hour" | "minute" | "second";

/** `interval day to second`: of months or of microseconds, by its first field. No table can hold one. */
export interface IntervalType {
  readonly kind: "interval";
  readonly from: IntervalField;
  readonly to: IntervalField;
}
export interface ArrayType {
  readonly kind: "array";
  readonly element: DataType;
  readonly containsNull: boolean;
}
export interface MapType {
  readonly kind: "map";
  readonly key: DataType;
  readonly value: DataType;
  readonly valueContainsNull: boolean;
}
export interface StructType {
  readonly kind: "struct";
  readonly fields: readonly Field[];
}

/** A column, or a field of a struct. */
export interface Field {
  readonly name: string;
  readonly type: DataType;
  readonly nullable: boolean;
  readonly comment?: string;
  /** It holds amounts in their true value, or what is made of such: `sap_curr` shifts them no more. */
  readonly trueAmount?: true;
  /** In no `*`: found by its name alone. Of a column that a query reads. */
  readonly hidden?: true;
}

/** The field of a name, whatever its case; undefined where there is none. */
export function fieldNamed(fields: readonly Field[], name: string): Field | undefined {
  return fields.find((field) => field.name.toLowerCase() === name.toLowerCase());
}

/** Spark's `simpleString`: `decimal(10,2)`, `struct<a:int,b:string>`. */
export function formatType(type: DataType): string {
  switch (type.kind) {
    case "decimal":
      return `decimal(${type.precision},${type.scale})`;
    case "interval":
      return type.from === type.to ? `interval ${type.from}` : `interval ${type.from} to ${type.to}`;
    case "array":
      return `array<${formatType(type.element)}>`;
    case "map":
      return `map<${formatType(type.key)},${formatType(type.value)}>`;
    case "struct":
      return `struct<${type.fields.map((f) => `${f.name}:${formatType(f.type)}`).join(",")}>`;
    default:
      return type.kind;
  }
}

/** The type of what may be missing at every depth: elements, values and fields. */
export function withNulls(type: DataType): DataType {
  switch (type.kind) {
    case "array":
      return { ...type, element: withNulls(type.element), containsNull: true };
    case "map":
      return { ...type, key: withNulls(type.key), value: withNulls(type.value), valueContainsNull: true };
    case "struct":
      return {
        ...type,
        fields: type.fields.map((field) => ({ ...field, type: withNulls(field.type), nullable: true })),
      };
    default:
      return type;
  }
}

/** Equal types, whatever their nullability. */
export function sameType(a: DataType, b: DataType): boolean {
  return formatType(a) === formatType(b);
}
