import type { DataType, Field } from "../../model/data-type.js";
import { quoteIdentifier } from "../../model/name.js";
import { CHANGE_COLUMNS } from "../changes/formats.js";
import type { SourceConventions } from "../conventions.js";
import { clientOf, type DictionaryField, type DictionaryTable, isRequired } from "./table.js";

/** What an extract's header says against the dictionary. */
export interface HeaderFindings {
  /** Fields of the key that it has not, the client where the source declares it left out. */
  readonly missingKeys: readonly string[];
  /** Columns that the dictionary does not know, in the header's spelling. */
  readonly unknown: readonly string[];
  /** Columns that tell how a row changed. */
  readonly changes: readonly string[];
  /** Fields that are not there and not of the key. */
  readonly missing: readonly string[];
}

/** A condition, as Spark SQL, that holds for faulty values of one column. */
export interface ValueCheck {
  readonly column: string;
  readonly reason: string;
  readonly fails: string;
}

/** A source and what the spec says of it. */
export interface NamedSource {
  readonly name: string;
  readonly conventions: Pick<SourceConventions, "client" | "keys">;
}

/** The name of a field as files may spell it: in capitals, `/` as `_`. */
const canonical = (name: string) => name.trim().toUpperCase().replaceAll("/", "_");

export function checkHeader(table: DictionaryTable, columns: readonly Field[], source?: NamedSource): HeaderFindings {
  const present = new Set(columns.map(({ name }) => canonical(name)));
  const known = new Set(table.fields.map(({ name }) => canonical(name)));
  const isChange = (name: string) => CHANGE_COLUMNS.has(canonical(name)) && !known.has(canonical(name));
  const excused = source?.conventions.client === undefined ? undefined : clientOf(table);
  const absent = table.fields.filter(({ name }) => !present.has(canonical(name)));
  const names = columns.map(({ name }) => name);
  return {
    missingKeys: absent.filter(({ key, name }) => key && name !== excused).map(({ name }) => name),
    unknown: names.filter((name) => !known.has(canonical(name)) && !isChange(name)),
    changes: names.filter(isChange),
    missing: absent.filter(({ key }) => !key).map(({ name }) => name),
  };
}

/**
 * Checks of an extract's values by the types of the dictionary, each with the decoder that will read them. Columns that
 * came with a type of their own, such as the dates of a Parquet file, have none.
 */
export function valueChecks(table: DictionaryTable, columns: readonly Field[], source?: NamedSource): ValueCheck[] {
  return columns.flatMap(({ name, type }) => {
    const field = table.fields.find((f) => canonical(f.name) === canonical(name));
    return field === undefined
      ? []
      : checksOf(field, quoteIdentifier(name), type, source, table).map((c) => ({ ...c, column: name }));
  });
}

function checksOf(
  field: DictionaryField,
  column: string,
  type: DataType,
  source: NamedSource | undefined,
  table: DictionaryTable,
): Omit<ValueCheck, "column">[] {
  const checks: Omit<ValueCheck, "column">[] = [];
  const by = (call: string, reason: string) => checks.push({ reason, fails: `${call} IS NOT NULL` });
  const named = source === undefined ? "" : `, source => '${source.name}'`;
  const isText = type.kind === "string";
  const { length = 0, decimals = 0 } = field;
  switch (field.type) {
    case "DATS":
      if (isText) by(`sap_date_reason(${column}${named})`, "INVALID_DATE");
      break;
    case "TIMS":
      if (isText) by(`sap_time_reason(${column})`, "INVALID_TIME");
      break;
    case "CURR":
    case "QUAN":
    case "DEC":
      if (type.kind !== "boolean" && type.kind !== "date")
        by(`sap_number_reason(${column}, ${length}, ${decimals}${named})`, "MALFORMED_AMOUNT");
      break;
    case "NUMC":
      if (isText) by(`sap_numc_reason(${column}, ${length})`, "MALFORMED_NUMC");
      if (isText && source?.conventions.keys === "padded")
        checks.push({ reason: "NOT_PADDED", fails: `length(trim(${column})) BETWEEN 1 AND ${length - 1}` });
      break;
    case "RAW":
      if (isText) by(`sap_raw_reason(${column})`, "INVALID_RAW");
      break;
    case "LANG":
      if (isText) by(`sap_language_reason(${column})`, "INVALID_LANGUAGE");
      break;
    default:
      if (isText && length > 0)
        checks.push({ reason: "VALUE_TOO_LONG", fails: `length(rtrim(${column})) > ${length}` });
  }
  if (isRequired(field, table)) checks.push({ reason: "INVALID_PRIMARY_KEY", fails: blank(column, isText) });
  return checks;
}

function blank(column: string, isText: boolean): string {
  return isText ? `coalesce(trim(${column}) = '', true)` : `${column} IS NULL`;
}
