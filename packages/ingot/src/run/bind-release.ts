import type { BoundQuery, Engine } from "../engine/engine.js";
import { eventQuery } from "../graph/change-query.js";
import type { GraphFlow } from "../graph/graph.js";
import { queriesBelow } from "../graph/queries-below.js";
import type { Manifest, Release } from "../model/batch.js";
import { type Field, fieldNamed, formatType } from "../model/data-type.js";
import type { AutoCdcFlow } from "../model/definition.js";
import { IngotError } from "../model/error.js";
import { quoteIdentifier } from "../model/name.js";
import { type SqlText, sqlText } from "../model/position.js";
import {
  ATTEMPT_COLUMN,
  FLOW_COLUMN,
  keptSource,
  ownColumns,
  RELEASED_COLUMN,
  ROW_SOURCES,
} from "../model/quarantine.js";
import type { RowRules } from "../model/rule.js";
import type { Compiler } from "../sql/compiler.js";
import { quoteString } from "../sql/quote.js";
import { bindFlow, bindReferences } from "./bind.js";
import { flowLabel } from "./flow-label.js";

/**
 * Gives a flow rows of a quarantine: they stand where the rows of the query stood whose rules had set them aside, and
 * take the same way from there on.
 *
 * @throws IngotError UNKNOWN_TABLE where rules or quarantine are gone; what compiling a query throws
 */
export async function bindRelease(
  flow: GraphFlow,
  { inputs }: Pick<Manifest, "inputs">,
  release: Release,
  tools: { readonly engine: Engine; readonly compiler: Compiler },
): Promise<BoundQuery> {
  const bound = new Map<GraphFlow, BoundQuery>();
  for (const ruled of queriesBelow(flow)) {
    const { rules } = ruled;
    if (rules?.dataset === release.dataset) {
      const rows = await releasedRows(flow, ruled, rules, release, tools);
      bound.set(ruled, { ...rows, inputs: new Map([...rows.inputs, ...bindReferences(ruled, inputs)]), rules });
    }
  }
  return bindFlow(flow, inputs, bound);
}

async function releasedRows(
  flow: GraphFlow,
  ruled: GraphFlow,
  rules: RowRules,
  { version, where, set }: Release,
  { engine, compiler }: { readonly engine: Engine; readonly compiler: Compiler },
): Promise<BoundQuery> {
  const location = rules.quarantine?.location ?? "";
  const state = await engine.describe(location, { version: BigInt(version) });
  if (state === undefined)
    throw new IngotError("UNKNOWN_TABLE", `${rules.dataset}: its quarantine is not there: ${location}`, {
      object: rules.dataset,
      hint: "Restore it; or start the table again with --full-refresh, which reads the rows from their source.",
    });
  const columns = ownColumns(ruled.query.schema).map(({ name, type }) => {
    const corrected = Object.entries(set).find(([column]) => column.toLowerCase() === name.toLowerCase())?.[1];
    const kept = fieldNamed(state.schema, name) === undefined ? "NULL" : quoteIdentifier(name);
    return `CAST((${corrected ?? kept}) AS ${formatType(type)}) AS ${quoteIdentifier(name)}`;
  });
  const rows = sqlText(
    `SELECT ${columns.join(", ")}, _attempt AS ${ATTEMPT_COLUMN}, _quarantine_id AS ${RELEASED_COLUMN} FROM quarantine WHERE _state = 'open' AND ${FLOW_COLUMN} = ${quoteString(flowLabel(flow.flow))} AND (${where})`,
    "<release>",
  );
  const text = ruled.flow.kind === "auto-cdc" ? asEvents(ruled.flow, rows, ruled.query.schema) : rows;
  const [relation, ...others] = await compiler.relations(text);
  if (relation === undefined || others.length > 0) throw unclear("reads another table", text.text);
  const query = await compiler.compile(text, new Map([[relation.id, state.schema]]));
  if (!query.deterministic) throw unclear("asks a clock or draws random numbers", text.text);
  const kept = ROW_SOURCES.filter((source) => fieldNamed(state.schema, keptSource(source)) !== undefined);
  const sources = Object.fromEntries(kept.map((source) => [source, [keptSource(source)] as const]));
  const input = { kind: "snapshot", location, version: BigInt(version), schema: state.schema, sources } as const;
  return { query, inputs: new Map([[relation.id, input]]) };
}

/** Rows that rules over the events of a flow had set aside, as events again: what a row asks for is said by its values. */
function asEvents(flow: AutoCdcFlow, rows: SqlText, columns: readonly Field[]): SqlText {
  const source = { ...rows, text: `(${rows.text})` };
  return eventQuery({ ...flow, source }, ownColumns(columns));
}

/** A release that is done again after a crash must come to the same rows. */
function unclear(why: string, text: string): IngotError {
  return new IngotError("INVALID_NON_DETERMINISTIC_EXPRESSIONS", `A predicate or correction of the release ${why}`, {
    object: text,
    hint: "Write conditions and values over the columns of the quarantined row.",
  });
}
