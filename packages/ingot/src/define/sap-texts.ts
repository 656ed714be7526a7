import type { SapSystem } from "../sap/system.js";
import { textQuery } from "../sap/tables/text-query.js";
import { check, isPlain, name } from "./checks.js";
import { type Call, readOptions } from "./options.js";
import type { SapApi } from "./sap-api-types.js";
import type { Snapshot } from "./sap-document-types.js";
import { sapTableFault } from "./sap-table-options.js";
import type { SapTable } from "./sap-types.js";
import type { Scope } from "./scope.js";
import type { Relation } from "./types.js";
import { makeRelation, relationOf } from "./values.js";

const language = check<string>(
  "a language: SPRAS or an ISO code",
  (v) => typeof v === "string" && /^(?:[A-Za-z0-9]|[A-Za-z]{2})$/.test(v),
);
const OPTIONS = {
  language,
  fallback: check<readonly string[]>("a list of languages", (v) => Array.isArray(v) && v.every(language.accepts)),
  table: name,
};

/** `texts`: a subquery of a text table that multiplies no rows. */
export function createTexts(scope: Scope, systems: readonly SapSystem[]): SapApi["texts"] {
  const texts = (given: Snapshot, more?: unknown): Relation => {
    const call: Call = { text: "texts()", at: scope.places.callSite(texts) };
    const options = readOptions(scope, call, more, OPTIONS);
    const { relation, table, hasHistory } = readTable(given);
    const sapName = options.table ?? table;
    if (relation === undefined)
      throw sapTableFault(call, "BAD_OPTION", "takes a table", "Give it what sapTable gave, or a relation.");
    if (sapName === undefined)
      throw sapTableFault(call, "BAD_OPTION", "needs `table`", 'Say which table of SAP it is: { table: "MAKT" }.');
    const known = systems.map(({ dictionary }) => dictionary.table(sapName)).find((found) => found !== undefined);
    const query =
      known === undefined
        ? undefined
        : textQuery(known, [options.language ?? "E", ...(options.fallback ?? [])], hasHistory);
    if (query === undefined) {
      const hint = "Its key has to hold a language beside other fields, as that of MAKT.";
      throw sapTableFault(call, "BAD_OPTION", `takes a table with texts, which ${sapName} is not`, hint);
    }
    const { parts } = relation;
    return makeRelation<Relation>(
      { kind: "texts" },
      { parts: [{ text: query.before, at: call.at }, ...parts, { text: query.after, at: call.at }] },
    );
  };
  return texts as SapApi["texts"];
}

function readTable(given: Snapshot) {
  const direct = relationOf(given);
  if (direct !== undefined || !isPlain(given)) return { relation: direct, hasHistory: false };
  const { snapshot, table, scdType } = given as SapTable<string, unknown>;
  return { relation: relationOf(snapshot), table, hasHistory: scdType === 2 };
}
