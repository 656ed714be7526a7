import { type DataType, type DecimalType, fieldNamed, sameType } from "../model/data-type.js";

/** What a type has become: `widened` holds each value of before, `narrowed` the other way round, else `retyped`. */
export function compareTypes(from: DataType, to: DataType): "same" | "widened" | "narrowed" | "retyped" {
  if (sameType(from, to)) return "same";
  if (holds(to, from)) return "widened";
  return holds(from, to) ? "narrowed" : "retyped";
}

/**
 * Whether a column of a Delta table becomes of a wider type with the rows that need it, where its property
 * `delta.enableTypeWidening` is on: among whole numbers, among floating ones and among decimals, as Spark widens by itself.
 */
export function widensByWrite(from: DataType, to: DataType): boolean {
  return (
    compareTypes(from, to) === "widened" && FAMILIES.some((family) => family.has(from.kind) && family.has(to.kind))
  );
}

const FAMILIES: readonly ReadonlySet<string>[] = [
  new Set(["tinyint", "smallint", "int", "bigint"]),
  new Set(["float", "double"]),
  new Set(["decimal"]),
];

/** Digits of the whole numbers, by type. */
const DIGITS = { tinyint: 3, smallint: 5, int: 10, bigint: 19 } as const;
const INTEGERS = ["tinyint", "smallint", "int", "bigint"] as const;
/** Whole numbers that a floating type holds one by one. */
const EXACT = { float: ["tinyint", "smallint"], double: ["tinyint", "smallint", "int", "float"] } as const;

/** Whether each value of `narrow` is one of `wide`, of the same class: a number in a text is another class. */
function holds(wide: DataType, narrow: DataType): boolean {
  if (sameType(wide, narrow)) return true;
  switch (wide.kind) {
    case "array":
      return narrow.kind === "array" && holds(wide.element, narrow.element);
    case "map":
      return narrow.kind === "map" && holds(wide.key, narrow.key) && holds(wide.value, narrow.value);
    case "struct":
      return (
        narrow.kind === "struct" &&
        narrow.fields.every((field) => {
          const same = fieldNamed(wide.fields, field.name);
          return same !== undefined && holds(same.type, field.type);
        })
      );
    case "decimal":
      return holdsDecimal(wide, narrow);
    case "float":
    case "double":
      return EXACT[wide.kind].some((kind) => kind === narrow.kind);
    default: {
      const place = ({ kind }: DataType) => (INTEGERS as readonly string[]).indexOf(kind);
      return place(narrow) >= 0 && place(wide) > place(narrow);
    }
  }
}

function holdsDecimal({ precision, scale }: DecimalType, narrow: DataType): boolean {
  if (narrow.kind === "decimal") return scale >= narrow.scale && precision - scale >= narrow.precision - narrow.scale;
  const integer = INTEGERS.find((kind) => kind === narrow.kind);
  return integer !== undefined && precision - scale >= DIGITS[integer];
}
