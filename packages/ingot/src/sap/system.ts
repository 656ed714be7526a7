import { SAP_DEFAULTS, type SpokenConventions } from "./conventions.js";
import { type Dictionary, openDictionary } from "./dictionary/dictionary.js";

/** A source of a project as its definitions see it. */
export interface SapSystem {
  /** As the spec spells it; undefined where it declares no source. */
  readonly name?: string;
  readonly conventions: SpokenConventions;
  readonly dictionary: Dictionary;
  readonly landing?: Landing;
}

/** Where the files of each table land. */
export interface Landing {
  /** With `{table}` or `{TABLE}` for the table's name in lower case or capitals. */
  readonly path: string;
  readonly format: "csv" | "json" | "parquet";
  /** As `findEncoding` gives it. */
  readonly encoding: string;
}

/** What holds where no source is declared: SAP's own conventions, and the tables that the product knows. */
export async function defaultSystem(): Promise<SapSystem> {
  return { conventions: SAP_DEFAULTS, dictionary: await openDictionary(SAP_DEFAULTS.release) };
}
