import type { Dataset, Definitions } from "../model/definition.js";
import { IngotError, throwAll } from "../model/error.js";
import type { NameDefaults } from "../model/name.js";
import { formatName, nameKey, shortName } from "../model/name.js";
import { RESET_PROPERTY } from "../model/table.js";
import { findByName, suggestName } from "./find-by-name.js";
import { isTable } from "./graph.js";
import { isResettable } from "./resettable.js";

/** What the command line asked for. */
export interface Refresh {
  readonly refresh: readonly string[];
  readonly fullRefresh: readonly string[];
  readonly fullRefreshAll: boolean;
  readonly resetCheckpoint?: readonly string[];
  readonly allowMassDelete?: readonly string[];
}

/** What a run does with each table, by key. Tables that are neither are EXCLUDED. */
export interface Selection {
  readonly selected: ReadonlySet<string>;
  /** Start again: a subset of `selected`. */
  readonly reset: ReadonlySet<string>;
  /** Read everything again and keep their rows: a subset of `selected`, without those of `reset`. */
  readonly resetCheckpoint?: ReadonlySet<string>;
  /** Tables that --full-refresh-all leaves as they are, since they forbid it. */
  readonly protectedTables: readonly string[];
  /** Tables whose `maxDeleteShare` does not hold this time. */
  readonly allowMassDelete?: ReadonlySet<string>;
}

/**
 * Spark's rules: without lists all tables run; with lists only the named ones, neither what they read nor what reads
 * them. Other than Spark, a name that no table has is an error.
 *
 * @throws IngotError CONFLICTING_PIPELINE_REFRESH_OPTIONS, UNKNOWN_SELECTION, TABLE_NOT_RESETTABLE, NO_CHECKPOINT
 */
export function selectTables(definitions: Definitions, defaults: NameDefaults, options: Refresh): Selection {
  const tables = new Map(definitions.datasets.filter(isTable).map((d) => [nameKey(d.name), d]));
  const unknown: IngotError[] = [];
  const find = (text: string): [string, Dataset][] => {
    const dataset = findByName(text, [...tables.values()], (d) => d.name, defaults);
    if (dataset !== undefined) return [[nameKey(dataset.name), dataset]];
    const names = [...tables.values()].map((d) => d.name);
    const hint = suggestName(text, names, defaults, "Tables:");
    unknown.push(
      new IngotError("UNKNOWN_SELECTION", `No table of the project is called ${text}`, { object: text, hint }),
    );
    return [];
  };
  const refresh = options.refresh.flatMap(find);
  const full = options.fullRefresh.flatMap(find);
  const checkpoints = (options.resetCheckpoint ?? []).flatMap(find);
  const allowed = (options.allowMassDelete ?? []).flatMap(find).map(([key]) => key);
  throwAll(unknown);
  const allowance = allowed.length === 0 ? {} : { allowMassDelete: new Set(allowed) };
  const conflict = (message: string) =>
    new IngotError("CONFLICTING_PIPELINE_REFRESH_OPTIONS", message, { hint: "Give one of them." });
  if (options.fullRefreshAll) {
    if (refresh.length + full.length + checkpoints.length > 0)
      throw conflict("--full-refresh-all does not go with --refresh, --full-refresh or --reset-checkpoint");
    const locked = [...tables].filter(([, d]) => !isResettable(d)).map(([key]) => key);
    return {
      selected: new Set(tables.keys()),
      reset: new Set([...tables.keys()].filter((key) => !locked.includes(key))),
      protectedTables: locked,
      ...allowance,
    };
  }
  for (const [key, dataset] of full) {
    if (refresh.some(([other]) => other === key))
      throw conflict(`${shortName(dataset.name, defaults)} is in --refresh and in --full-refresh`);
    if (isResettable(dataset)) continue;
    throw new IngotError(
      "TABLE_NOT_RESETTABLE",
      `${formatName(dataset.name)} must not be fully refreshed: its property ${RESET_PROPERTY} is false`,
      {
        at: dataset.at,
        object: formatName(dataset.name),
        hint: "A full refresh loses rows whose source is gone. Take the property away if that is meant.",
      },
    );
  }
  for (const [key, dataset] of checkpoints) {
    const name = shortName(dataset.name, defaults);
    if (full.some(([other]) => other === key)) throw conflict(`${name} is in --full-refresh and in --reset-checkpoint`);
    if (dataset.kind === "streaming-table") continue;
    throw new IngotError("NO_CHECKPOINT", `${name} is a materialized view: it has no position to reset`, {
      at: dataset.at,
      object: name,
      hint: `It is computed from its whole input. To compute it anew: --full-refresh ${name}.`,
    });
  }
  const named = [...refresh, ...full, ...checkpoints].map(([key]) => key);
  return {
    selected: new Set(named.length === 0 ? tables.keys() : named),
    reset: new Set(full.map(([key]) => key)),
    ...(checkpoints.length === 0 ? {} : { resetCheckpoint: new Set(checkpoints.map(([key]) => key)) }),
    protectedTables: [],
    ...allowance,
  };
}
