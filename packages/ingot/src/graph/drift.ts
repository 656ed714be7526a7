import { type Field, formatType } from "../model/data-type.js";
import type { Dataset } from "../model/definition.js";
import {
  type Contract,
  type ContractColumn,
  type DriftAction,
  type DriftChange,
  type DriftKind,
  KEY,
} from "../model/drift.js";
import { sameName } from "../model/name.js";
import { compareTypes } from "./compare-types.js";
import { guessRenames, type Rename } from "./guess-renames.js";

/** The columns of one source of a dataset with `drift`, beside its contract. */
export interface SourceDrift {
  /** Complete name of the source. */
  readonly source: string;
  /** As they were accepted; those of now where this is the first look. */
  readonly before: readonly ContractColumn[];
  /** As they are now. */
  readonly columns: readonly ContractColumn[];
  /** Of the source as it is now, where it has one. */
  readonly key?: readonly string[];
  readonly changes: readonly (DriftChange & { readonly action: DriftAction })[];
}

const DEFAULT_ACTIONS: Readonly<Record<DriftKind, DriftAction>> = {
  added: "notify",
  removed: "notify",
  renamed: "notify",
  widened: "add",
  narrowed: "stop",
  retyped: "stop",
  keyChanged: "stop",
};

/** Whether a dataset reads nothing of its source, since of it a column changed. */
export function holdsBack(action: DriftAction): boolean {
  return action === "stop" || action === "quarantine";
}

/** A source of a dataset, and what the dataset has taken over of it. */
export interface Source {
  readonly source: string;
  readonly columns: readonly Field[];
  readonly key?: readonly string[];
  /** Undefined where the dataset sees the source for the first time. */
  readonly before: readonly ContractColumn[] | undefined;
  readonly keyBefore?: readonly string[];
}

/** Compares a source with what the dataset has taken over of it. */
export function inspectSource(
  { source, columns, key, before, keyBefore }: Source,
  dataset: Pick<Dataset, "drift" | "columns">,
  decisions: Contract["decisions"],
): SourceDrift {
  const now = columns.map(({ name, type }) => ({ name, type }));
  const mayBe = (rename: Rename) => !isDeclared(dataset, rename.into.name) && !isRejected(source, rename, decisions);
  const changes = before === undefined ? [] : compareColumns(source, before, now, mayBe);
  if (key !== undefined && keyBefore !== undefined && key.join().toLowerCase() !== keyBefore.join().toLowerCase())
    changes.push({ source, kind: "keyChanged", column: KEY, from: keyBefore.join(", "), to: key.join(", ") });
  return {
    source,
    before: before ?? now,
    columns: now,
    ...(key === undefined ? {} : { key }),
    changes: changes.map((change) => ({ ...change, action: actionOf(change, dataset, decisions) })),
  };
}

function isDeclared({ columns = [] }: Pick<Dataset, "columns">, column: string): boolean {
  return columns.some(({ name }) => sameName(name, column));
}

/** A rename that somebody has said is none. */
function isRejected(source: string, { from, into }: Rename, decisions: Contract["decisions"]): boolean {
  const last = decisions.findLast(
    (one) => one.kind === "renamed" && one.source === source && one.column === from.name && one.into === into.name,
  );
  return last?.decision === "rejected";
}

/** Who declares a column that was added wants it; one that was rejected stays out, and nobody is told of it again. */
function actionOf(
  change: DriftChange,
  dataset: Pick<Dataset, "drift" | "columns">,
  decisions: Contract["decisions"],
): DriftAction {
  const decided = decisions.findLast(
    ({ source, kind, column, to }) =>
      source === change.source && kind === change.kind && column === change.column && to === change.to,
  );
  if (change.kind === "added" && isDeclared(dataset, change.column)) return "add";
  if (change.kind === "added" && decided?.decision === "rejected") return "ignore";
  const { drift = {} } = dataset;
  const declared = typeof drift === "string" ? drift : drift[change.kind];
  return (declared as DriftAction | undefined) ?? DEFAULT_ACTIONS[change.kind];
}

/**
 * What has become of each column, those that are gone first.
 *
 * @param mayBe which guesses count
 */
export function compareColumns(
  source: string,
  before: readonly ContractColumn[],
  now: readonly ContractColumn[],
  mayBe: (rename: Rename) => boolean = () => true,
): DriftChange[] {
  const renames = guessRenames(before, now).filter(mayBe);
  const gone = before
    .filter(({ name }) => named(now, name) === undefined)
    .map((column): DriftChange => {
      const from = formatType(column.type);
      const rename = renames.find((one) => one.from === column);
      if (rename === undefined) return { source, kind: "removed", column: column.name, from };
      const { into, confidence } = rename;
      return {
        source,
        kind: "renamed",
        column: column.name,
        from,
        to: formatType(into.type),
        into: into.name,
        confidence,
      };
    });
  const others = now.flatMap((column): DriftChange[] => {
    const known = named(before, column.name);
    const to = formatType(column.type);
    if (known === undefined)
      return renames.some(({ into }) => into === column) ? [] : [{ source, kind: "added", column: column.name, to }];
    const kind = compareTypes(known.type, column.type);
    return kind === "same" ? [] : [{ source, kind, column: known.name, from: formatType(known.type), to }];
  });
  return [...gone, ...others];
}

/** A contract with one change of a source taken over. */
export function takeOver(
  contract: Contract,
  change: DriftChange,
  { source, before, columns, key }: Pick<SourceDrift, "source" | "before" | "columns" | "key">,
): Contract {
  if (change.kind === "keyChanged")
    return key === undefined ? contract : { ...contract, keys: { ...contract.keys, [source]: key } };
  const taken = takeColumn(contract.sources[source] ?? before, change, columns);
  return { ...contract, sources: { ...contract.sources, [source]: taken } };
}

function takeColumn(
  before: readonly ContractColumn[],
  { kind, column, into }: DriftChange,
  now: readonly ContractColumn[],
): ContractColumn[] {
  if (kind === "removed") return before.filter(({ name }) => !sameName(name, column));
  const found = named(now, into ?? column);
  if (found === undefined) return [...before];
  if (kind === "added") return [...before, found];
  const after = kind === "renamed" ? found : { type: found.type };
  return before.map((one) => (sameName(one.name, column) ? { ...one, ...after } : one));
}

/**
 * The columns of a source as a dataset's query finds them. Where the dataset reads nothing they are the contract's; else a
 * column that was removed is there still, one that became narrower keeps its type, and one that was added and is not
 * taken over is out of `*`. One that was renamed is removed, and the new name added.
 */
export function columnsFound(columns: readonly Field[], { before, changes }: SourceDrift): Field[] {
  const stops = changes.some(({ action }) => holdsBack(action));
  const isTaken = ({ action }: SourceDrift["changes"][number]) => action === "add" && !stops;
  const found = columns.map((field): Field => {
    const change = changes.find(({ column, into }) => sameName(into ?? column, field.name));
    if (change === undefined || isTaken(change)) return field;
    if (change.kind === "added" || change.kind === "renamed") return { ...field, hidden: true };
    const known = named(before, field.name);
    return known !== undefined && (stops || change.kind === "narrowed") ? { ...field, type: known.type } : field;
  });
  const kept = changes.flatMap((change): Field[] => {
    const known = named(before, change.column);
    const isGone = change.kind === "removed" || change.kind === "renamed";
    return !isGone || known === undefined || isTaken(change) ? [] : [{ ...known, nullable: true }];
  });
  return [...found, ...kept];
}

function named(columns: readonly ContractColumn[], name: string): ContractColumn | undefined {
  return columns.find((column) => sameName(column.name, name));
}
