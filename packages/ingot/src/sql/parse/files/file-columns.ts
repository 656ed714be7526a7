import type { DataType, Field } from "../../../model/data-type.js";
import { IngotError } from "../../../model/error.js";
import type { AnyFileRead, FileFormat } from "../../../model/file-read.js";
import { sqlText } from "../../../model/position.js";
import { parseSchema } from "../../ddl-types.js";
import type { FileOption, FileOptions } from "./file-options.js";
import { flag, nameList, refuse, word } from "./option-values.js";

/** The part of a read that is about columns. */
export type ColumnOptions = Pick<
  AnyFileRead,
  | "schema"
  | "schemaHints"
  | "inferColumnTypes"
  | "schemaEvolutionMode"
  | "partitionColumns"
  | "cleanColumnNames"
  | "mode"
  | "corruptRecordColumn"
  | "rescuedDataColumn"
>;

/** Options about columns that are found in the files. */
const FOUND_ONLY = ["schemaHints", "inferColumnTypes", "cleanColumnNames"];

/**
 * What the options say of columns and of records that do not fit them.
 *
 * @throws IngotError BAD_SCHEMA, BAD_OPTION, COLUMN_ALREADY_EXISTS
 */
export function readColumns(options: FileOptions, format: FileFormat): ColumnOptions {
  const schema = fieldsOf(options.get("schema"), format);
  if (schema === undefined) refuseWithoutSchema(options);
  else refuseWithSchema(options);
  const corrupt = corruptRecordColumn(options, schema);
  const evolution = word(options, "schemaEvolutionMode", ["addNewColumns", "rescue", "failOnNewColumns", "none"]);
  const rescued = rescuedDataColumn(options, schema, corrupt, evolution === "rescue");
  const partitionColumns = nameList(options, "partitionColumns");
  return {
    ...(schema === undefined ? {} : { schema }),
    schemaHints: fieldsOf(options.get("schemaHints"), format) ?? [],
    inferColumnTypes: flag(options, "inferColumnTypes", false),
    schemaEvolutionMode: evolution ?? (schema === undefined ? "addNewColumns" : "none"),
    ...(partitionColumns === undefined ? {} : { partitionColumns }),
    cleanColumnNames: flag(options, "cleanColumnNames", false),
    mode: word(options, "mode", ["PERMISSIVE", "DROPMALFORMED", "FAILFAST"]) ?? "PERMISSIVE",
    ...(corrupt === undefined ? {} : { corruptRecordColumn: corrupt }),
    ...(rescued === undefined ? {} : { rescuedDataColumn: rescued }),
  };
}

function fieldsOf(option: FileOption | undefined, format: FileFormat): readonly Field[] | undefined {
  if (option === undefined) return undefined;
  const { file, line, column } = option.valueAt;
  // The place is exact while the text has no escapes: one column for the quote, then the text as written.
  const ddl = sqlText(option.value, file);
  const fields = parseSchema({ ...ddl, segments: [{ start: 0, file, line, column: column + 1 }] });
  for (const field of fields) {
    if (!isHeldBy(field.type, format)) {
      throw new IngotError("BAD_SCHEMA", `${format} cannot hold ${field.name}, a column of type ${field.type.kind}`, {
        at: option.valueAt,
        hint: "Read it as STRING.",
      });
    }
  }
  return fields;
}

const CSV_TYPES = new Set(
  "boolean tinyint smallint int bigint float double decimal string date timestamp timestamp_ntz".split(" "),
);

function isHeldBy(type: DataType, format: FileFormat): boolean {
  return format === "csv" ? CSV_TYPES.has(type.kind) : type.kind !== "void" && type.kind !== "interval";
}

function refuseWithSchema(options: FileOptions): void {
  refuse(options, FOUND_ONLY, "beside schema, which says it all", "Leave one of them out.");
  const mode = options.get("schemaEvolutionMode");
  if (mode === undefined || /^(none|rescue)$/i.test(mode.value)) return;
  throw new IngotError("BAD_OPTION", `schemaEvolutionMode ${mode.value} has no meaning beside a schema that is fixed`, {
    at: mode.valueAt,
    hint: "Leave it out; or give schemaHints instead of schema, so that other columns are found in the files.",
  });
}

function refuseWithoutSchema(options: FileOptions): void {
  const option = options.get("enforceSchema");
  if (option === undefined) return;
  throw new IngotError("BAD_OPTION", "enforceSchema has no effect without schema", {
    at: option.at,
    hint: "Leave it out: columns that are found in the files are matched by name.",
  });
}

/** Spark's default of `spark.sql.columnNameOfCorruptRecord`. */
const CORRUPT_RECORD = "_corrupt_record";

/**
 * The column that takes corrupt records: the one that the option names, which a declared schema must hold; else a
 * declared one of Spark's default name.
 */
function corruptRecordColumn(options: FileOptions, schema: readonly Field[] | undefined): string | undefined {
  const option = options.get("columnNameOfCorruptRecord");
  if (schema === undefined) return option?.value;
  if (option === undefined) {
    const field = schema.find((f) => f.name === CORRUPT_RECORD);
    if (field === undefined || (field.type.kind === "string" && field.nullable)) return field?.name;
    const declared = options.get("schema");
    throw new IngotError("BAD_SCHEMA", `${CORRUPT_RECORD} takes corrupt records and must be a nullable STRING`, {
      ...(declared === undefined ? {} : { at: declared.valueAt }),
      hint: `Write '${CORRUPT_RECORD} STRING', or give the column another name.`,
    });
  }
  const field = schema.find((f) => f.name.toLowerCase() === option.value.toLowerCase());
  if (field?.type.kind === "string" && field.nullable) return field.name;
  throw new IngotError("BAD_OPTION", `The schema has no nullable STRING column ${option.value} for corrupt records`, {
    at: option.valueAt,
    hint: `Add '${option.value} STRING' to the schema.`,
  });
}

/** Auto Loader's name where `rescue` asks for a column and none is named. */
const RESCUED_DATA = "_rescued_data";

function rescuedDataColumn(
  options: FileOptions,
  schema: readonly Field[] | undefined,
  corrupt: string | undefined,
  isNeeded: boolean,
): string | undefined {
  const option = options.get("rescuedDataColumn");
  const name = option?.value ?? (isNeeded ? RESCUED_DATA : undefined);
  if (name === undefined) return undefined;
  const taken = [...(schema ?? []).map((field) => field.name), ...(corrupt === undefined ? [] : [corrupt])];
  if (name !== "" && !taken.some((other) => other.toLowerCase() === name.toLowerCase())) return name;
  throw new IngotError(
    "BAD_OPTION",
    `The rescued data needs a column of its own, and '${name}' is ${name === "" ? "no name" : "taken"}`,
    {
      ...(option === undefined ? {} : { at: option.valueAt }),
      hint: "Name one that neither the schema nor columnNameOfCorruptRecord has: it is added to the columns.",
    },
  );
}
