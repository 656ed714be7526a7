import { SAP_DEFAULTS, type SourceConventions } from "./conventions.js";
import { type Dictionary, openDictionary } from "./dictionary/dictionary.js";

/** A source of a project as its definitions see it. */
export interface SapSystem {
  /** As the spec spells it; undefined where it declares no source. */
  readonly name?: string;
  readonly conventions: Omit<SourceConventions, "currencies">;
  readonly dictionary: Dictionary;
}

/** What holds where no source is declared: SAP's own conventions, and the tables that the product knows. */
export async function defaultSystem(): Promise<SapSystem> {
  return { conventions: SAP_DEFAULTS, dictionary: await openDictionary(SAP_DEFAULTS.release) };
}
