import { quoteIdentifier } from "../model/name.js";
import { quoteString } from "../sql/quote.js";
import type { Api } from "./api-types.js";
import { name, schema, text, version } from "./checks.js";
import { readParts, readTableName } from "./names.js";
import { badOption, type Call, readOptions } from "./options.js";
import { readFields } from "./schema.js";
import type { Scope } from "./scope.js";
import type { ChangeFeed, Dataset, TableRef } from "./types.js";
import { makeReference, makeRelation, makeTable, relationOf } from "./values.js";

/** The functions that name what other definitions, or other pipelines, own. */
export function createRelations(scope: Scope): Pick<Api, "ref" | "externalTable" | "changeFeed"> {
  const ref = (table: string): TableRef => {
    const at = scope.places.callSite(ref);
    return makeReference(table, readParts(scope, "ref()", table, at), scope.defaults);
  };

  const externalTable = (table: string, options?: unknown): TableRef => {
    const call: Call = { text: `externalTable(${JSON.stringify(table)})`, at: scope.places.callSite(externalTable) };
    const complete = readTableName(scope, "externalTable()", table, call.at);
    const { path, schema: columns } = readOptions(scope, call, options, { schema, path: name });
    scope.declare("externals", {
      name: complete,
      ...(path === undefined ? {} : { path }),
      ...(columns === undefined ? {} : { schema: readFields(scope, call, columns) }),
      at: call.at,
    });
    if (path === undefined) return makeTable<TableRef>("external", table, complete);
    const parts = [{ text: `delta.${quoteIdentifier(path)}` }];
    return makeRelation<TableRef>({ kind: "external", name: table }, { parts, table: complete });
  };

  const changeFeed = (of: Dataset | TableRef, options?: unknown): ChangeFeed => {
    const call: Call = { text: "changeFeed()", at: scope.places.callSite(changeFeed) };
    const { startingVersion, startingTimestamp } = readOptions(scope, call, options, {
      startingVersion: version,
      startingTimestamp: text,
    });
    if (startingVersion !== undefined && startingTimestamp !== undefined) {
      badOption(scope, call, "changeFeed() takes startingVersion or startingTimestamp, not both", "Keep one of them.");
    }
    const settings = ["readChangeFeed = true"];
    if (startingVersion !== undefined) settings.push(`startingVersion = ${versionText(startingVersion)}`);
    if (startingTimestamp !== undefined) settings.push(`startingTimestamp = ${quoteString(startingTimestamp)}`);
    const table = relationOf(of);
    if (table?.table === undefined) {
      badOption(scope, call, "changeFeed() takes a table", "Give it a dataset, ref(…) or externalTable(…).");
    }
    return makeRelation<ChangeFeed>(
      { kind: "change-feed", of: of?.name },
      { parts: [...(table?.parts ?? []), { text: ` WITH (${settings.join(", ")})` }] },
    );
  };

  return { ref, externalTable, changeFeed } as Pick<Api, "ref" | "externalTable" | "changeFeed">;
}

function versionText(given: number | bigint | "latest"): string {
  return given === "latest" ? quoteString(given) : String(given);
}
