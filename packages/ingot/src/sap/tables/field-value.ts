import { columnName } from "../column-name.js";
import { DECODERS } from "../decoders/all.js";
import { functionName } from "../decoders/forms.js";
import { clientOf, type DictionaryField, type DictionaryTable, isRequired } from "../dictionary/table.js";
import type { SapSystem } from "../system.js";

/** How a field of a landing table is read. All texts are Spark SQL over its columns. */
export interface FieldValue {
  readonly value: string;
  /** Why the value is malformed, NULL where it is not; undefined where every value is taken. */
  readonly reason?: string;
  /** What `reason` may give. */
  readonly reasons: readonly string[];
}

/** `strings` takes all fields as the texts that arrive, `typed` by the decoder of their type. */
export type ColumnMode = "strings" | "typed";

/** Fields of conversion ALPHA, under the names that tables give them. */
const ALPHA_FIELDS: ReadonlySet<string> = new Set(
  "VBELN VBELV VGBEL AUBEL EBELN KONNR BANFN INFNR BELNR LFBNR AUGBL STBLG MBLNR KUNNR KUNAG KUNRG LIFNR SAKNR HKONT SAKTO KOSTL AUFNR PRCTR ADRNR CHARG KNUMV".split(
    " ",
  ),
);
/** Fields of conversion MATN1. */
const MATERIAL_FIELDS: ReadonlySet<string> = new Set(["MATNR", "MATWA", "PMATN", "EMATN"]);

/**
 * The value of a field by the conventions of its source. A field of the key that is never blank is NULL where it is
 * blank or malformed; one that may be blank is never NULL.
 */
export function fieldValue(
  field: DictionaryField,
  table: DictionaryTable,
  system: SapSystem,
  mode: ColumnMode,
): FieldValue {
  const { client, keys } = system.conventions;
  const text = `rtrim(CAST(${columnName(field.name)} AS STRING))`;
  const filled = `nullif(${text}, '')`;
  const isClient = field.name === clientOf(table);
  const present = !field.key
    ? undefined
    : isClient && client !== undefined
      ? `coalesce(${filled}, '${client}')`
      : isRequired(field, table)
        ? filled
        : `coalesce(${text}, '')`;
  if (mode === "typed" || keys === "stripped") {
    const decoded = identifier(field, present ?? columnName(field.name), system);
    if (decoded !== undefined) return decoded;
  }
  if (present !== undefined) return { value: present, reasons: [] };
  if (mode === "typed") return decodedValue(field, system);
  return { value: `CAST(${columnName(field.name)} AS STRING)`, reasons: [] };
}

/** Fields whose two forms, with zeros and without, name one thing. */
function identifier(field: DictionaryField, sql: string, system: SapSystem): FieldValue | undefined {
  if (MATERIAL_FIELDS.has(field.name)) return decode("matn1", [sql, ...sourceArgument(system)]);
  if (field.type === "NUMC") return decode("numc", [sql, `${field.length ?? 1}`]);
  return field.type === "CLNT" || ALPHA_FIELDS.has(field.name)
    ? decode("alpha", [sql, `${field.length ?? 1}`])
    : undefined;
}

/**
 * A field outside of the key by the decoder of its type.
 *
 * @param columnOf Spark SQL of a field's column
 */
export function decodedValue(
  field: DictionaryField,
  system: SapSystem,
  columnOf: (name: string) => string = columnName,
): FieldValue {
  const column = columnOf(field.name);
  const text = `rtrim(CAST(${column} AS STRING))`;
  const source = sourceArgument(system);
  switch (field.type) {
    case "DATS":
      return decode(field.name === "BUDAT" ? "posting_date" : "date", [column, ...source]);
    case "TIMS":
      return decode("time", [column]);
    case "LANG":
      return decode("language", [column]);
    case "RAW":
      return decode("raw", [column]);
    case "CURR":
      return amount(field, system, columnOf);
    case "QUAN":
    case "DEC":
      return decode("number", [column, `${field.length ?? 1}`, `${field.decimals ?? 0}`, ...source]);
    case "INT1":
    case "INT2":
    case "INT4":
    case "INT8": {
      const number = decode("number", [column, "19", "0", ...source]);
      return { ...number, value: `CAST(${number.value} AS BIGINT)` };
    }
    case "FLTP": {
      const value = `try_cast(nullif(${text}, '') AS DOUBLE)`;
      const reason = `CASE WHEN nullif(${text}, '') IS NOT NULL AND ${value} IS NULL THEN 'MALFORMED_AMOUNT' END`;
      return { value, reason, reasons: ["MALFORMED_AMOUNT"] };
    }
    default:
      return { value: text, reasons: [] };
  }
}

/** Decimals that the currency with most of them has beyond the two that are stored. */
const MORE_DECIMALS = 3;

/**
 * The true amount where the currency is in the same table. Where it is in another one, the amount stays as SAP stores
 * it: a join has to bring the currency first.
 */
function amount(field: DictionaryField, system: SapSystem, columnOf: (name: string) => string): FieldValue {
  const { length = 1, decimals = 0, reference } = field;
  const source = sourceArgument(system);
  const column = columnOf(field.name);
  if (system.conventions.amounts === "shifted")
    return decode("number", [column, `${length + MORE_DECIMALS}`, `${decimals + MORE_DECIMALS}`, ...source]);
  const stored = decode("number", [column, `${length}`, `${decimals}`, ...source]);
  if (reference === undefined || reference.table !== undefined) return stored;
  const shifted = trueAmount(stored.value, columnOf(reference.field), system);
  return {
    value: shifted.value,
    reason: `coalesce(${stored.reason}, ${shifted.reason})`,
    reasons: [...stored.reasons, ...shifted.reasons],
  };
}

/** A stored amount by its currency, which may come from a join. */
export function trueAmount(stored: string, currency: string, system: SapSystem): Required<FieldValue> {
  return decode("curr", [stored, currency, ...sourceArgument(system)]);
}

function sourceArgument({ name }: SapSystem): string[] {
  return name === undefined ? [] : [`source => '${name}'`];
}

function decode(decoder: string, args: readonly string[]): Required<FieldValue> {
  const list = args.join(", ");
  return {
    value: `${functionName(decoder, "lenient")}(${list})`,
    reason: `${functionName(decoder, "reason")}(${list})`,
    reasons: [DECODERS[decoder]?.reason ?? ""],
  };
}
