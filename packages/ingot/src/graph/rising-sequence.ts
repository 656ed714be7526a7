import { keptColumns, SEQUENCE } from "../model/changes.js";
import { splitName } from "../model/name.js";
import type { GraphFlow } from "./graph.js";

/**
 * Marks the rules of a flow whose events come in the order of their sequences, so that no event can be late and nothing
 * need be known of those before: the sequence is the version of one change feed, which a stream reads version by version, or
 * a STRUCT that begins with it.
 * Where a batch may end within a version, or another flow fills the table too, that is not so; nor where the rules ask for
 * the sequences of rows, or set events aside, which are late when they are released.
 *
 * @param isAlone no other flow is declared into the table, and none of its own rules sets events aside
 */
export function markRising(flow: GraphFlow, isAlone: boolean): GraphFlow {
  const { changes } = flow;
  if (changes === undefined || !isAlone || flow.flow.kind !== "auto-cdc" || flow.flow.once === true) return flow;
  const { truncates, maxDeleteShare } = changes;
  if (truncates || keptColumns(changes).length > 0 || maxDeleteShare !== undefined) return flow;
  const first = firstField(flow.flow.sequenceBy.text);
  if (!isCommitVersion(flow, SEQUENCE) && (first === undefined || !isCommitVersion(flow, first))) return flow;
  const { sequenceColumn: _, ...rules } = changes;
  return { ...flow, changes: { ...rules, rises: true } };
}

/** The column that `STRUCT(column, …)` begins with. */
function firstField(text: string): string | undefined {
  const name = /^\s*struct\s*\(\s*([a-z_]\w*|`(?:[^`]|``)+`)(?:\s+as\s+\w+)?\s*[,)]/i.exec(text)?.[1];
  return name === undefined ? undefined : splitName(name)[0];
}

/** Whether a column of a query is the version of a change feed below it, as it is. */
function isCommitVersion({ query, inputs }: GraphFlow, column: string): boolean {
  const index = query.schema.findIndex(({ name }) => name.toLowerCase() === column.toLowerCase());
  const [source, ...others] = query.lineage?.columns[index] ?? [];
  if (source === undefined || others.length > 0 || source.how !== "copied" || source.fields !== undefined) return false;
  const input = inputs.get(source.relation);
  if (input?.kind === "view")
    return input.view.rules?.quarantine === undefined && isCommitVersion(input.view, source.column);
  if (input?.kind !== "table" || !input.stream || source.column.toLowerCase() !== "_commit_version") return false;
  const { changeFeed, maxFiles, maxBytes } = input.options ?? {};
  return changeFeed === true && maxFiles === undefined && maxBytes === undefined;
}
