import type { SourceSpec } from "../../config/sources.js";
import type { Spec } from "../../config/spec.js";
import { IngotError } from "../../model/error.js";
import type { Dictionary } from "../../sap/dictionary/dictionary.js";
import type { DictionaryTable } from "../../sap/dictionary/table.js";

/** The source that a command names, or the only one; undefined where the spec has none. @throws IngotError SAP_SOURCE_NOT_FOUND */
export function findSource(spec: Spec | undefined, name: string | undefined): SourceSpec | undefined {
  const sources = spec?.sources ?? [];
  const [only, another] = sources;
  if (name === undefined && another === undefined) return only;
  const found = sources.find((source) => source.name.toLowerCase() === name?.toLowerCase());
  if (found !== undefined) return found;
  const names = sources.map((source) => source.name).join(", ");
  throw new IngotError(
    "SAP_SOURCE_NOT_FOUND",
    name === undefined ? "The spec declares several sources" : `The spec declares no source ${name}`,
    {
      ...(name === undefined ? {} : { object: name }),
      hint: names === "" ? "Declare it in the spec, under `sources`." : `Name one with --source: ${names}.`,
    },
  );
}

/** @throws IngotError SAP_TABLE_NOT_FOUND */
export function findTable(dictionary: Dictionary, name: string): DictionaryTable {
  const table = dictionary.table(name);
  if (table !== undefined) return table;
  const near = dictionary.nearest(name);
  throw new IngotError("SAP_TABLE_NOT_FOUND", `The dictionary has no table ${name}`, {
    object: name,
    hint:
      near === undefined
        ? "`ingot sap describe` lists the tables; add others by an extract of DD03L, under `sources` of the spec."
        : `Did you mean ${near}?`,
  });
}
