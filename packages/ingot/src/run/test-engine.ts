import {
  type ApplyResult,
  type ApplyStep,
  type BoundInput,
  type Engine,
  NO_EVENTS,
  type RangeEnd,
  type ResultSet,
  type VersionRange,
  type WritePart,
  type WriteResult,
  type WriteStep,
} from "../engine/engine.js";
import type { GraphNode } from "../graph/graph.js";
import { DEFAULTS, PLACES, tableState, testCompiler } from "../graph/test-builders.js";
import { IngotError } from "../model/error.js";
import type { RunEvent } from "../model/event.js";
import type { AsOf, Moment, TableOptions } from "../model/query.js";
import type { DeclaredTable, TableState } from "../model/table.js";
import { LandingFiles } from "../sources/files/landing-files.js";
import { createEmitter } from "./emitter.js";
import { type RunRequest, type RunSummary, runPipeline } from "./run.js";

interface Table {
  readonly state: TableState;
  /** What was read for each row: `/p/orders@3`, or a file's path. */
  readonly rows: readonly string[];
  /** Versions that took rows away. */
  readonly rewritten: ReadonlySet<bigint>;
}

/**
 * For tests: an engine that keeps Delta's promises (versions, `txn`, one commit a step) in memory. A row of a table is
 * the name of what it was read from.
 */
export class TestEngine implements Engine {
  readonly tables = new Map<string, Table>();
  readonly writes: WriteStep[] = [];
  readonly dialects = {};
  /** Called before each commit, and by its answer after it: both may wait, or throw. */
  onWrite: (step: WriteStep, signal: AbortSignal) => Promise<(() => void) | undefined> = async () => undefined;

  put(location: string, more: Partial<TableState> = {}): void {
    this.tables.set(location, { state: tableState({ location, ...more }), rows: [], rewritten: new Set() });
  }

  rows(location: string): readonly string[] {
    return this.tables.get(location)?.rows ?? [];
  }

  async describe(location: string, asOf?: AsOf): Promise<TableState | undefined> {
    const state = this.tables.get(location)?.state;
    return state === undefined || asOf === undefined || !("version" in asOf)
      ? state
      : { ...state, version: asOf.version };
  }

  async declare({ properties }: DeclaredTable): Promise<Readonly<Record<string, string>>> {
    return properties;
  }

  async resolveRange(location: string, from: Moment | "latest"): Promise<{ from: bigint; to: bigint }> {
    const to = this.tables.get(location)?.state.version ?? -1n;
    return { from: from !== "latest" && "version" in from ? BigInt(from.version) : to + 1n, to };
  }

  /** A version has one file. */
  async admit(location: string, { after, to }: VersionRange, { maxFiles }: TableOptions): Promise<RangeEnd> {
    if (after === undefined) return { to };
    const bad = [...(this.tables.get(location)?.rewritten ?? [])].find((v) => v > after && v <= to);
    if (bad !== undefined) throw new IngotError("DELTA_SOURCE_TABLE_IGNORE_CHANGES", `version ${bad} took rows away`);
    const limit = after + BigInt(maxFiles ?? to - after);
    return { to: limit < to ? limit : to };
  }

  async write(step: WriteStep, signal: AbortSignal): Promise<WriteResult> {
    this.writes.push(step);
    const after = await this.onWrite(step, signal);
    const { location, properties, schema } = step.target;
    const before = this.tables.get(location);
    const version = before === undefined ? 0n : before.state.version + 1n;
    const isNew = ({ transaction: { appId, version: batch } }: WritePart) =>
      (before?.state.transactions.get(appId) ?? -1n) < batch;
    const written = step.parts.map((part) => (isNew(part) ? [...part.bound.inputs.values()].flatMap(rowsOf) : []));
    const rows = written.flat();
    const results = written.map(({ length }) => ({ rows: length, bytes: length }));
    const parts = step.parts.filter(isNew);
    if (parts.length === 0 && step.parts.length > 0) return { version: version - 1n, parts: results };
    const transactions = new Map(before?.state.transactions);
    for (const { transaction } of parts) transactions.set(transaction.appId, transaction.version);
    const state = tableState({ location, version, properties, schema, transactions, lastCommitNote: step.note });
    const overwrite = step.mode === "overwrite";
    this.tables.set(location, {
      state: { ...state, id: before?.state.id ?? `id of ${location}` },
      rows: [...(overwrite ? [] : (before?.rows ?? [])), ...rows],
      rewritten: new Set([...(before?.rewritten ?? []), ...(overwrite ? [version] : [])]),
    });
    after?.();
    return { version, parts: results };
  }

  async apply({ mode, ...step }: ApplyStep, signal: AbortSignal): Promise<ApplyResult> {
    const written = await this.write({ ...step, mode: mode === "reset" ? "overwrite" : "append" }, signal);
    const parts = written.parts.map(({ rows }) => ({ events: { ...NO_EVENTS, read: rows, inserted: rows } }));
    return { version: written.version, parts };
  }

  async appendRows(): Promise<void> {
    throw new Error("no test rows");
  }

  async dropQuarantined(): Promise<number> {
    throw new Error("no test quarantines");
  }

  async optimize(): Promise<never> {
    throw new Error("no test optimizes");
  }

  async vacuum(): Promise<never> {
    throw new Error("no test vacuums");
  }

  async query(): Promise<ResultSet> {
    throw new Error("no test queries");
  }

  async close(): Promise<void> {}
}

function rowsOf(input: BoundInput): string[] {
  switch (input.kind) {
    case "view":
      return [...input.view.inputs.values()].flatMap(rowsOf);
    case "files":
      return input.files.map((file) => file.path);
    case "snapshot":
      return [`${input.location} as of ${input.version}`];
    case "changes":
    case "appended": {
      const first = (input.after ?? -1n) + 1n;
      return Array.from({ length: Number(input.to - first + 1n) }, (_, i) => `${input.location}@${first + BigInt(i)}`);
    }
  }
}

export interface TestRun {
  readonly summary: RunSummary;
  readonly events: readonly RunEvent[];
  /** `flow STATUS` in order. */
  readonly flows: readonly string[];
  /** Milliseconds of each pause. */
  readonly pauses: readonly number[];
}

/** Runs nodes once over an engine and a storage folder. */
export async function testRun(
  engine: TestEngine,
  storage: string,
  nodes: readonly GraphNode[],
  more: Partial<RunRequest> & { readonly only?: readonly GraphNode[]; readonly reset?: readonly GraphNode[] } = {},
): Promise<TestRun> {
  const events: RunEvent[] = [];
  const pauses: number[] = [];
  const clock = () => new Date("2026-10-01T12:00:00Z");
  const existing = await Promise.all(
    nodes.map(async (node) => {
      const state = node.location === undefined ? undefined : await engine.describe(node.location);
      return state === undefined ? node : { ...node, existing: state };
    }),
  );
  const keys = (of: readonly GraphNode[]) => new Set(of.map((node) => node.key));
  const summary = await runPipeline({
    rebuild: async () => ({ defaults: DEFAULTS, nodes: existing, externals: [], warnings: [] }),
    graph: { defaults: DEFAULTS, nodes: existing, externals: [], warnings: [] },
    selection: { selected: keys(more.only ?? nodes), reset: keys(more.reset ?? []), protectedTables: [] },
    places: { ...PLACES, storage },
    runId: "run-1",
    engine,
    compiler: testCompiler,
    landing: new LandingFiles((more.places ?? PLACES).root),
    emitter: createEmitter("shop", "run-1", clock, [(event) => events.push(event)]),
    clock,
    maxConcurrent: 16,
    wait: async (ms) => void pauses.push(ms),
    stop: new AbortController().signal,
    abort: new AbortController().signal,
    ...more,
  });
  return { summary, events, flows: flowsOf(events), pauses };
}

export function flowsOf(events: readonly RunEvent[]): string[] {
  return events.flatMap(({ details, origin }) => {
    if (!("flow_progress" in details)) return [];
    return `${origin.flow_name?.split(".").at(-1)} ${details.flow_progress.status}`;
  });
}
