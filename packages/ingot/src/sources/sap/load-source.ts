import type { NamedFile, SourceSpec } from "../../config/sources.js";
import type { SourceConventions, Sources } from "../../sap/conventions.js";
import { type Dictionary, openDictionary } from "../../sap/dictionary/dictionary.js";
import { EXTRACT_COLUMNS, type Extracts, kindOfExtract, NO_EXTRACTS, tablesOf } from "../../sap/dictionary/extracts.js";
import { parseTables } from "../../sap/dictionary/parse-tables.js";
import type { TableEntry } from "../../sap/dictionary/table.js";
import type { SapSystem } from "../../sap/system.js";
import { invalidExtract, readExtract, readWhole } from "./read-extract.js";
import { readUnits } from "./read-units.js";

/** The conventions of a project's sources, their currencies and units among them. @throws IngotError SAP_EXTRACT_INVALID */
export async function loadSources(specs: readonly SourceSpec[]): Promise<Sources> {
  const all = specs.map(async (spec): Promise<[string, SourceConventions]> => {
    const { name, conventions, currencies, units, encoding } = spec;
    return [
      name.toLowerCase(),
      {
        ...conventions,
        ...(currencies === undefined ? {} : { currencies: await readCurrencies(currencies, encoding) }),
        ...(units === undefined ? {} : { units: await readUnits(units, encoding, conventions) }),
      },
    ];
  });
  return new Map(await Promise.all(all));
}

/** Currencies whose decimals are not two, of an extract of TCURX. */
async function readCurrencies({ path, at }: NamedFile, encoding: string): Promise<ReadonlyMap<string, number>> {
  const { columns, rows } = await readExtract(path, encoding, at);
  if (!columns.includes("CURRKEY") || !columns.includes("CURRDEC"))
    throw invalidExtract(path, "has not the columns CURRKEY and CURRDEC of TCURX", at);
  return new Map(
    rows.map(({ CURRKEY: currency = "", CURRDEC: decimals = "" }) => {
      if (/^[A-Z0-9]{1,5}$/.test(currency) && /^0*[0-5]$/.test(decimals)) return [currency, Number(decimals)];
      throw invalidExtract(path, `has no currency with 0 to 5 decimals in '${currency}', '${decimals}'`, at);
    }),
  );
}

/** The sources of a project as its definitions see them. @throws IngotError SAP_EXTRACT_INVALID */
export function openSystems(specs: readonly SourceSpec[]): Promise<SapSystem[]> {
  return Promise.all(
    specs.map(async (spec) => ({
      name: spec.name,
      conventions: spec.conventions,
      dictionary: await loadDictionary(spec),
      ...(spec.landing === undefined ? {} : { landing: spec.landing }),
    })),
  );
}

/** The dictionary of a source: the product's for its release, and what its own extracts add. @throws IngotError SAP_EXTRACT_INVALID */
export async function loadDictionary(spec: SourceSpec): Promise<Dictionary> {
  const extracts: { -readonly [K in keyof Extracts]: Extracts[K] } = { ...NO_EXTRACTS };
  const written: TableEntry[] = [];
  for (const file of spec.dictionary) {
    const { path, at } = file;
    if (path.endsWith(".txt")) {
      written.push(...(await readTables(file, spec.encoding)));
      continue;
    }
    const { columns, rows } = await readExtract(path, spec.encoding, at);
    const kind = kindOfExtract(columns);
    if (kind === undefined)
      throw invalidExtract(path, `is none of DD03L, DD07T, DD04T and DD02T, by their columns ${EXTRACT_COLUMNS}`, at);
    extracts[kind] = [...extracts[kind], ...rows];
  }
  return openDictionary(spec.conventions.release, [...tablesOf(extracts), ...written]);
}

/** Tables that a project has written down itself. */
async function readTables({ path, at }: NamedFile, encoding: string): Promise<TableEntry[]> {
  const text = await readWhole(path, encoding, at);
  try {
    return parseTables(text.replaceAll("\r\n", "\n"));
  } catch (error) {
    throw invalidExtract(path, `has ${error instanceof Error ? error.message : error}`, at, error);
  }
}
