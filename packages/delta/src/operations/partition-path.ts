import { DeltaError } from "../error.js";
import type { TextMap } from "../log/actions.js";
import type { DataType, StructType } from "../schema/schema.js";

/** What Hive and Spark name the folder of NULL. */
export const NULL_FOLDER = "__HIVE_DEFAULT_PARTITION__";

/**
 * The partition values that the folders of a path name, `year=2024/month=1/part.parquet`, as the log writes them.
 * Source: Spark's `PartitionUtils` and the Delta protocol, "Partition Value Serialization".
 *
 * @throws DeltaError DELTA_UNEXPECTED_NUM_PARTITION_COLUMNS_FROM_FILE_NAME,
 * DELTA_UNEXPECTED_PARTITION_COLUMN_FROM_FILE_NAME, DELTA_FAILED_CAST_PARTITION_VALUE
 */
export function partitionValuesOf(path: string, { fields }: StructType, table: string): TextMap {
  const folders = path
    .split("/")
    .slice(0, -1)
    .filter((folder) => folder.includes("="));
  const found = folders.map((folder): [string, string] => {
    const at = folder.indexOf("=");
    return [decodeFolder(folder.slice(0, at)), decodeFolder(folder.slice(at + 1))];
  });
  const at = { table, path: `${table}/${path}` };
  if (found.length !== fields.length)
    throw new DeltaError(
      "DELTA_UNEXPECTED_NUM_PARTITION_COLUMNS_FROM_FILE_NAME",
      `Expected ${fields.length} partition columns [${fields.map(({ name }) => name).join(", ")}], and the folders of ${path} name ${found.length} [${found.map(([name]) => name).join(", ")}].`,
      { ...at, hint: "State the partition columns that the folders name, with their types." },
    );
  return Object.fromEntries(
    fields.map(({ name, type }, place) => {
      const [column = "", value = ""] = found[place] ?? [];
      if (column.toLowerCase() !== name.toLowerCase())
        throw new DeltaError(
          "DELTA_UNEXPECTED_PARTITION_COLUMN_FROM_FILE_NAME",
          `Expected the partition column ${name}, and the folders of ${path} name ${column} in its place.`,
          { ...at, hint: "State the partition columns in the order of the folders." },
        );
      if (value === NULL_FOLDER) return [name, null];
      const written = asType(value, type);
      if (written !== undefined) return [name, written];
      throw new DeltaError(
        "DELTA_FAILED_CAST_PARTITION_VALUE",
        `The partition value "${value}" of ${path} is no ${type.kind}.`,
        { ...at, hint: `State another type for the partition column ${name}: string takes any value.` },
      );
    }),
  );
}

/** `%3A` is a colon; Hive escapes ASCII characters only, other writers the bytes of UTF-8. */
function decodeFolder(text: string): string {
  return text.replace(/(%[0-9a-f]{2})+/gi, (escapes) => {
    try {
      return decodeURIComponent(escapes);
    } catch {
      return escapes;
    }
  });
}

const RANGES: Partial<Record<DataType["kind"], bigint>> = {
  byte: 1n << 7n,
  short: 1n << 15n,
  integer: 1n << 31n,
  long: 1n << 63n,
};

/** The value in the spelling of the log; undefined when it is none of the type. */
function asType(value: string, type: DataType): string | undefined {
  const range = RANGES[type.kind];
  if (range !== undefined) {
    if (!/^[+-]?\d+$/.test(value)) return undefined;
    const number = BigInt(value.replace(/^\+/, ""));
    return number >= -range && number < range ? number.toString() : undefined;
  }
  switch (type.kind) {
    case "string":
      return value;
    case "boolean":
      return /^(true|false)$/i.test(value) ? value.toLowerCase() : undefined;
    case "date":
      return isDate(value) ? value : undefined;
    case "timestamp":
    case "timestamp_ntz":
      return /^.{10} ([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,6})?$/.test(value) && isDate(value.slice(0, 10))
        ? value
        : undefined;
    case "decimal": {
      const [, whole, fraction = ""] = /^-?0*(\d+)(?:\.(\d+))?$/.exec(value) ?? [];
      const digits = whole === "0" ? 0 : (whole?.length ?? 99);
      return digits + type.scale <= type.precision && fraction.length <= type.scale ? value : undefined;
    }
    case "float":
    case "double":
      return /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(value) ? value : undefined;
    default:
      return undefined;
  }
}

function isDate(text: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(text) && new Date(`${text}T00:00:00Z`).toJSON()?.startsWith(text) === true;
}
