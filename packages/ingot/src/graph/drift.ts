import { type Field, formatType } from "../model/data-type.js";
import type { Dataset } from "../model/definition.js";
import {
  type Contract,
  type ContractColumn,
  DRIFT_KINDS,
  type DriftAction,
  type DriftChange,
  type DriftKind,
} from "../model/drift.js";
import { sameName } from "../model/name.js";
import { compareTypes } from "./compare-types.js";

/** The columns of one source of a dataset with `drift`, beside its contract. */
export interface SourceDrift {
  /** Complete name of the source. */
  readonly source: string;
  /** As they were accepted; those of now where this is the first look. */
  readonly before: readonly ContractColumn[];
  /** As they are now. */
  readonly columns: readonly ContractColumn[];
  readonly changes: readonly (DriftChange & { readonly action: DriftAction })[];
}

const DEFAULT_ACTIONS: Readonly<Record<DriftKind, DriftAction>> = {
  added: "notify",
  removed: "notify",
  widened: "add",
  narrowed: "stop",
  retyped: "stop",
};

/**
 * Compares a source with what the dataset has taken over of it.
 *
 * @param before what that is; undefined where the dataset sees the source for the first time
 */
export function inspectSource(
  source: string,
  { before, columns }: { readonly before: readonly ContractColumn[] | undefined; readonly columns: readonly Field[] },
  dataset: Pick<Dataset, "drift" | "columns">,
  decisions: Contract["decisions"],
): SourceDrift {
  const now = columns.map(({ name, type }) => ({ name, type }));
  const changes = before === undefined ? [] : compareColumns(source, before, now);
  return {
    source,
    before: before ?? now,
    columns: now,
    changes: changes.map((change) => ({ ...change, action: actionOf(change, dataset, decisions) })),
  };
}

/** Who declares a column that was added wants it; one that was rejected stays out, and nobody is told of it again. */
function actionOf(
  change: DriftChange,
  { drift = {}, columns = [] }: Pick<Dataset, "drift" | "columns">,
  decisions: Contract["decisions"],
): DriftAction {
  const decided = decisions.findLast(
    ({ source, kind, column, to }) =>
      source === change.source && kind === change.kind && column === change.column && to === change.to,
  );
  if (change.kind === "added" && columns.some(({ name }) => sameName(name, change.column))) return "add";
  if (change.kind === "added" && decided?.decision === "rejected") return "ignore";
  const declared = typeof drift === "string" ? drift : drift[change.kind];
  return (declared as DriftAction | undefined) ?? DEFAULT_ACTIONS[change.kind];
}

/** What has become of each column, those that are gone first. */
export function compareColumns(
  source: string,
  before: readonly ContractColumn[],
  now: readonly ContractColumn[],
): DriftChange[] {
  const gone = before.filter(({ name }) => named(now, name) === undefined);
  const removed = gone.map(
    ({ name, type }) => ({ source, kind: "removed", column: name, from: formatType(type) }) as const,
  );
  const others = now.flatMap(({ name, type }): DriftChange[] => {
    const known = named(before, name);
    const to = formatType(type);
    if (known === undefined) return [{ source, kind: "added", column: name, to }];
    const kind = compareTypes(known.type, type);
    return kind === "same" ? [] : [{ source, kind, column: known.name, from: formatType(known.type), to }];
  });
  return [...removed, ...others];
}

/** The columns of a contract with one change taken over. @param now the source's */
export function takeOver(
  before: readonly ContractColumn[],
  { kind, column }: DriftChange,
  now: readonly ContractColumn[],
): ContractColumn[] {
  if (kind === "removed") return before.filter(({ name }) => !sameName(name, column));
  const found = named(now, column);
  if (found === undefined) return [...before];
  return kind === "added"
    ? [...before, found]
    : before.map((one) => (sameName(one.name, column) ? { ...one, type: found.type } : one));
}

/**
 * The columns of a source as a dataset's query finds them. Where the dataset stops they are the contract's; else a
 * column that was removed is there still, one that became narrower keeps its type, and one that was added and is not
 * taken over is out of `*`.
 */
export function columnsFound(columns: readonly Field[], { before, changes }: SourceDrift): Field[] {
  const stops = changes.some(({ action }) => action === "stop");
  const found = columns.map((field): Field => {
    const change = changes.find(({ column }) => sameName(column, field.name));
    if (change === undefined || (change.action === "add" && !stops)) return field;
    if (change.kind === "added") return { ...field, hidden: true };
    const known = named(before, field.name);
    return known !== undefined && (stops || change.kind === "narrowed") ? { ...field, type: known.type } : field;
  });
  const kept = changes.flatMap(({ kind, action, column }): Field[] => {
    const known = named(before, column);
    return kind !== "removed" || known === undefined || (action === "add" && !stops)
      ? []
      : [{ ...known, nullable: true }];
  });
  return [...found, ...kept];
}

/** What a dataset says of drift that has no implementation yet. */
export function* unknownDrift(drift: NonNullable<Dataset["drift"]>): Generator<string> {
  if (typeof drift === "string") {
    if (drift === "quarantine") yield "the drift action `quarantine`";
    return;
  }
  for (const [kind, action] of Object.entries(drift)) {
    if (!DRIFT_KINDS.some((known) => known === kind)) yield `the kind of drift \`${kind}\``;
    else if (action === "quarantine") yield `the drift action \`quarantine\` of \`${kind}\``;
  }
}

function named(columns: readonly ContractColumn[], name: string): ContractColumn | undefined {
  return columns.find((column) => sameName(column.name, name));
}
