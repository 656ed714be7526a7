import type { Release } from "../conventions.js";
import { openDictionary } from "../dictionary/dictionary.js";
import { clientOf, type DictionaryField, type DictionaryTable, keyOf } from "../dictionary/table.js";
import type { FieldValues } from "./domain.js";
import { extraTables } from "./extra-tables.js";

/** Values in the order of the dictionary's fields, as SAP stores them. */
export type Row = readonly string[];

/** A table that rows are made for. */
export interface RowTable {
  readonly name: string;
  readonly fields: readonly DictionaryField[];
  /** Places of the key's fields in a row. */
  readonly key: readonly number[];
  /** Makes a row of parts: fields that are left out have their initial value. */
  make(client: string, parts: readonly FieldValues[]): Row;
}

export type RowTables = ReadonlyMap<string, RowTable>;

/** All tables of the dictionary, as a release has them, and those beside it. */
export async function rowTables(release: Release): Promise<RowTables> {
  const dictionary = await openDictionary(release);
  const other = await openDictionary(release === "ecc" ? "s4" : "ecc");
  const extra = extraTables().map((table) => [table.name, rowTable(table, undefined)] as const);
  return new Map([
    ...dictionary.names.flatMap((name) => {
      const table = dictionary.table(name);
      return table === undefined ? [] : [[name, rowTable(table, other.table(name))] as const];
    }),
    ...extra,
  ]);
}

/** @param other the same table in the other release, whose fields may be given and are left out */
function rowTable(table: DictionaryTable, other: DictionaryTable | undefined): RowTable {
  const { name, fields } = table;
  const places = new Map(fields.map((field, i) => [field.name, i]));
  const elsewhere = new Set(other?.fields.map((field) => field.name));
  const client = places.get(clientOf(table) ?? "");
  const initial = fields.map(initialValue);
  return {
    name,
    fields,
    key: keyOf(table).map((field) => places.get(field) ?? 0),
    make(clientValue, parts) {
      const row = initial.slice();
      if (client !== undefined) row[client] = clientValue;
      for (const values of parts)
        for (const field in values) {
          const place = places.get(field);
          if (place !== undefined) row[place] = values[field] ?? "";
          else if (!elsewhere.has(field)) throw new Error(`${name} has no field ${field}`);
        }
      return row;
    },
  };
}

/** What SAP stores where nobody gave a value. */
function initialValue({ type, length = 1, decimals = 0 }: DictionaryField): string {
  switch (type) {
    case "NUMC":
    case "DATS":
    case "TIMS":
      return "0".repeat(length);
    case "RAW":
      return "00".repeat(length);
    case "CURR":
    case "QUAN":
    case "DEC":
      return decimals === 0 ? "0" : `0.${"0".repeat(decimals)}`;
    case "FLTP":
      return "0.0000000000000000E+00";
    case "INT1":
    case "INT2":
    case "INT4":
    case "INT8":
      return "0";
    default:
      return "";
  }
}

/** The text that tells rows of a table apart. */
export function keyText({ key }: RowTable, row: Row): string {
  return key.map((i) => row[i]).join("\u0001");
}
