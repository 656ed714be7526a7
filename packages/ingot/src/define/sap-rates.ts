import { exchangeRates } from "../sap/documents/exchange-rates.js";
import { DocumentFault, type Part } from "../sap/documents/part.js";
import type { SapSystem } from "../sap/system.js";
import { check } from "./checks.js";
import { type Call, readOptions, requireOptions } from "./options.js";
import type { SapApi } from "./sap-api-types.js";
import type { Snapshot } from "./sap-document-types.js";
import { readPart, snapshot } from "./sap-parts.js";
import { sapTableFault, systemOf } from "./sap-table-options.js";
import type { Scope } from "./scope.js";
import type { Relation } from "./types.js";
import { makeRelation, sapTableOf } from "./values.js";

const PARTS = { rates: snapshot, factors: snapshot };
const OPTIONS = {
  type: check<string>("a rate type: up to four letters or digits", (v) => /^\w{1,4}$/.test(String(v))),
  system: check<string>("the name of a source", (v) => typeof v === "string" && v !== ""),
};

/** `rates`: a subquery of TCURR and TCURF, one row at most of a pair of currencies and a day. */
export function createRates(scope: Scope, systems: readonly SapSystem[]): SapApi["rates"] {
  const rates = (given: unknown, more?: unknown): Relation => {
    const call: Call = { text: "rates()", at: scope.places.callSite(rates) };
    const parts = readOptions(scope, call, given, PARTS);
    const { type = "M", system } = readOptions(scope, call, more, OPTIONS);
    requireOptions(scope, call, given, { rates: snapshot });
    const made = system === undefined ? sapTableOf(parts.rates)?.system : undefined;
    const source = made ?? systemOf(call, system, systems);
    const read = (value: Snapshot | undefined, name: string, sapName: string): Part | undefined =>
      value === undefined ? undefined : readPart(call, name, value, sapName, source);
    const tcurr = read(parts.rates, "rates", "TCURR");
    const tcurf = read(parts.factors, "factors", "TCURF");
    const text = tcurr === undefined ? "_" : queryOf(call, tcurr, tcurf, type);
    return makeRelation<Relation>({ kind: "rates" }, { parts: [{ text, at: call.at }] });
  };
  return rates as SapApi["rates"];
}

/** @throws IngotError BAD_OPTION */
function queryOf(call: Call, tcurr: Part, tcurf: Part | undefined, type: string): string {
  try {
    return exchangeRates(tcurr, tcurf, type);
  } catch (error) {
    if (!(error instanceof DocumentFault)) throw error;
    throw sapTableFault(call, "BAD_OPTION", error.message, "Take the column in with `columnList`.");
  }
}
