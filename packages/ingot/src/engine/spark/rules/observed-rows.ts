import type { Snapshot } from "@ingot/delta";
import { quoteIdentifier } from "../../../model/name.js";
import { type FreshnessFact, freshSince, type TableFact } from "../../../model/table-fact.js";
import type { WritePart } from "../../engine.js";
import type { AddedRows, NewestValue } from "../../rules/check-facts.js";
import type { Observed } from "../connect/observed-metrics.js";
import { observe, type Relation, sqlRelation } from "../connect/relations.js";
import { timestampText, versionOf } from "../spark-sql.js";
import type { SparkWork } from "../spark-work.js";

/** Name of the observation. */
const ROWS = "rows";

/** The rows that a part writes, of which is observed while they pass what somebody asks for: see `observedCorrupt`, `observedFacts`. */
export function observeRows(rows: Relation, { bound, corruptRecordColumn, planned = "" }: WritePart): Relation {
  const corrupt =
    corruptRecordColumn === undefined ? [] : [`count(${quoteIdentifier(corruptRecordColumn)}) AS corrupt`];
  const ages = (bound.rules?.facts ?? []).flatMap((fact, i) =>
    fact.kind === "freshness" ? ageItems(fact, planned).map((item, j) => `${item} AS ${AGE[j]}${i}`) : [],
  );
  const metrics = [...corrupt, ...ages];
  return metrics.length === 0 ? rows : observe(rows, ROWS, metrics);
}

/** Records that did not fit; undefined where nothing tells them. */
export function observedCorrupt(observed: Observed): number | undefined {
  const corrupt = observed[ROWS]?.["corrupt"];
  return corrupt === undefined ? undefined : Number(corrupt);
}

/** The rows that a part adds, for the facts about its table. @param snapshot the table whose rows stay beside them */
export function observedFacts(
  { session, signal }: SparkWork,
  { bound, planned = "" }: WritePart,
  snapshot: Snapshot | undefined,
  { rows, observed }: { readonly rows: number; readonly observed: Observed },
): AddedRows {
  const facts: readonly TableFact[] = bound.rules?.facts ?? [];
  const ofAdded = (fact: FreshnessFact) => {
    const at = facts.indexOf(fact);
    return toNewest(AGE.map((name) => observed[ROWS]?.[`${name}${at}`]));
  };
  return {
    rows,
    newest: async (fact, among) => {
      const added = ofAdded(fact);
      if (among === "added" || snapshot === undefined) return added;
      const query = `SELECT ${ageItems(fact, planned).join(", ")} FROM ${versionOf(snapshot)}`;
      const kept = toNewest((await session.collect(sqlRelation(query), signal)).rows[0] ?? []);
      return [added, kept].toSorted((a, b) => (a.text ?? "").localeCompare(b.text ?? ""))[1] ?? added;
    },
  };
}

/** Whether the newest value is fresh, and its text. */
const AGE = ["fresh", "newest"] as const;

function ageItems(fact: FreshnessFact, planned: string): string[] {
  const newest = `max(${quoteIdentifier(fact.column.name)})`;
  return [`CAST(${newest} AS TIMESTAMP) >= ${timestampText(freshSince(fact, planned))}`, `CAST(${newest} AS STRING)`];
}

function toNewest([isFresh, text]: readonly unknown[]): NewestValue {
  return { isFresh: isFresh === true, text: typeof text === "string" ? text : undefined };
}
