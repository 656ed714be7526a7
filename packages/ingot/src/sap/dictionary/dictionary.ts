import { nearest } from "../../model/nearest.js";
import type { Release } from "../conventions.js";
import { parseTables } from "./parse-tables.js";
import type { DictionaryField, DictionaryTable, FieldEntry, TableEntry } from "./table.js";

/** Tables of a release: those that the product knows, and the project's own, which win. */
export interface Dictionary {
  /** By its name in any case. */
  table(name: string): DictionaryTable | undefined;
  readonly names: readonly string[];
  /** The name that a misspelt one may have meant. */
  nearest(name: string): string | undefined;
}

/** @param own tables of the project's extracts, complete as its release has them */
export async function openDictionary(release: Release, own: readonly TableEntry[] = []): Promise<Dictionary> {
  const { CUSTOMIZING } = await import("./tables/customizing.js");
  const { FINANCE } = await import("./tables/finance.js");
  const { MASTER_DATA } = await import("./tables/master-data.js");
  const { MATERIALS } = await import("./tables/materials.js");
  const { OTHER } = await import("./tables/other.js");
  const { SALES } = await import("./tables/sales.js");
  const known = [SALES, MATERIALS, FINANCE, MASTER_DATA, CUSTOMIZING, OTHER].flatMap(parseTables);
  const tables = new Map(known.map((table) => [table.name, inRelease(table, release)]));
  for (const { name, ...table } of own) {
    const base = tables.get(name);
    const description = table.description === "" ? (base?.description ?? "") : table.description;
    const note = base?.note === undefined ? {} : { note: base.note };
    tables.set(name, { ...note, ...inRelease({ name, ...table }, release), description });
  }
  const names = [...tables.keys()].sort();
  return {
    table: (name) => tables.get(name.toUpperCase()),
    names,
    nearest: (name) => nearest(name.toUpperCase(), names),
  };
}

function inRelease(table: TableEntry, release: Release): DictionaryTable {
  const { s4Key, fields, ...rest } = table;
  const isS4 = release === "s4";
  const kept = fields.filter((field) => isS4 || field.s4Only !== true).map((field) => fieldIn(field, isS4));
  if (!isS4 || s4Key === undefined) return { ...rest, fields: kept };
  const keyed = kept.map((field) => ({ ...field, key: s4Key.includes(field.name) }));
  return { ...rest, fields: [...keyed.filter((f) => f.key), ...keyed.filter((f) => !f.key)] };
}

function fieldIn({ s4Length, s4Only: _, ...field }: FieldEntry, isS4: boolean): DictionaryField {
  return isS4 && s4Length !== undefined ? { ...field, length: s4Length } : field;
}
