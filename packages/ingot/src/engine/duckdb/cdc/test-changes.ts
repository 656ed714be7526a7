import { join } from "node:path";
import { localStore, readChangeRows, readSnapshot, type Store } from "@ingot/delta";
import { afterAll, afterEach } from "vitest";
import { removeProjects, writeProject } from "../../../define/project-fixture.js";
import { columns, compiled } from "../../../graph/test-builders.js";
import { BEFORE_IMAGE, type ChangeRules, DELETED, LISTED, SEQUENCE, TRUNCATES } from "../../../model/changes.js";
import type { Field } from "../../../model/data-type.js";
import { quoteText } from "../../../sql/lower/lower-text.js";
import { quoteString } from "../../../sql/quote.js";
import type { ApplyStep, Engine, EventCounts } from "../../engine.js";
import { DuckdbEngine } from "../duckdb-engine.js";

/** For tests: an event of a table with the key `k` and the value `v`. */
export interface TestEvent {
  readonly kind: "upsert" | "delete" | "truncate";
  readonly k: string | null;
  readonly seq: number;
  readonly v: string | null;
  readonly w: string | null;
  /** Columns that it writes, where the rules ask; v and w. */
  readonly listed?: readonly string[];
  /** A before-image. */
  readonly isBefore?: boolean;
}

/** What a batch is other than usual. */
interface Otherwise extends Partial<ApplyStep> {
  /** Columns of the target; those of the rules. */
  readonly columns?: readonly Field[];
  readonly properties?: Readonly<Record<string, string>>;
  /** Name of the flow. */
  readonly flow?: string;
}

const COLUMNS = columns("k string, seq bigint, v string, w string");

/** Rules over these events: the sequence in the state table, or in the column `seq` of the target. */
export function testRules(sequence: "state" | "column", more: Partial<ChangeRules> = {}): ChangeRules {
  return {
    storedAs: "scd1",
    keys: ["k"],
    columns: sequence === "column" ? COLUMNS : COLUMNS.filter(({ name }) => name !== "seq"),
    sequenceType: { kind: "bigint" },
    truncates: false,
    beforeImages: false,
    archived: false,
    ties: "upsert",
    ignoreNulls: [],
    tracked: ["v", "w"],
    ...(sequence === "column" ? { sequenceColumn: "seq" } : {}),
    ...more,
  };
}

/** Opens an engine over the folder of a test. */
type OpenEngine = (folder: string, store: Store) => Pick<Engine, "apply" | "close">;

/**
 * Makes targets for the tests of a file; each is closed behind its test.
 *
 * @param openEngine what applies the batches
 */
export function targetMaker(openEngine: OpenEngine = openDuckdb): (rules: ChangeRules) => TestTarget {
  const open: TestTarget[] = [];
  afterEach(async () => {
    for (const target of open.splice(0)) await target.close();
  });
  afterAll(removeProjects);
  return (rules) => {
    const target = new TestTarget(rules, openEngine);
    open.push(target);
    return target;
  };
}

function openDuckdb(folder: string, store: Store): DuckdbEngine {
  return new DuckdbEngine(folder, store);
}

/** A table that changes are applied to batch by batch, by an engine; DuckDB reads it. */
export class TestTarget {
  readonly folder = writeProject({});
  readonly rules: ChangeRules;
  readonly #engine: ReturnType<OpenEngine>;
  readonly #reader: DuckdbEngine;
  #batch = -1n;
  /** What the last batch said beside its counts. */
  notice: string | undefined;
  /** Called before each commit with the path of its file; may throw, as a process that dies. */
  onCommit: (path: string) => void = () => {};

  constructor(rules: ChangeRules, openEngine: OpenEngine) {
    this.rules = rules;
    const store: Store = {
      ...localStore,
      putIfAbsent: async (path, content) => {
        this.onCommit(path);
        return localStore.putIfAbsent(path, content);
      },
    };
    this.#engine = openEngine(this.folder, store);
    this.#reader = openDuckdb(this.folder, localStore);
  }

  /** Applies the next batch. */
  async apply(events: readonly TestEvent[], more: Otherwise = {}): Promise<EventCounts> {
    this.#batch += 1n;
    return this.replay(events, more);
  }

  /** Applies the last batch again. */
  async replay(
    events: readonly TestEvent[],
    { columns = this.rules.columns, properties = {}, flow = "f", ...more }: Otherwise = {},
  ): Promise<EventCounts> {
    const part = {
      bound: { query: this.#query(events), inputs: new Map() },
      transaction: { appId: `ingot/${flow}/1`, version: this.#batch },
    };
    const step: ApplyStep = {
      target: { location: this.location, name: "c.s.t", schema: columns, properties },
      mode: "apply",
      rules: this.rules,
      parts: [part],
      state: join(this.folder, "state"),
      planned: "2026-10-01T00:00:00.000Z",
      allowMassDelete: false,
      note: `batch ${this.#batch}`,
      ...more,
    };
    const { parts, notice } = await this.#engine.apply(step, new AbortController().signal);
    this.notice = notice;
    const [counts] = parts;
    if (counts === undefined) throw new Error("the step has one part");
    return counts.events;
  }

  get location(): string {
    return join(this.folder, "t");
  }

  /** Rows of the target as `k:v:w`, sorted. */
  async rows(): Promise<string[]> {
    return (await this.read(this.location, "k, v, w")).map((row) => row.map(String).join(":")).sort();
  }

  /** Values of a table of the test. */
  async read(location: string, list: string): Promise<unknown[][]> {
    const state = await this.#reader.describe(location);
    if (state === undefined) return [];
    const read = {
      id: "r0",
      kind: "path",
      path: location,
      stream: false,
      at: { file: "", line: 1, column: 1 },
    } as const;
    const names = list.split(", ");
    const schema = names.map((name): Field => ({ name, type: { kind: "string" }, nullable: true }));
    const duckdb = `SELECT ${names.map((name) => `${name}::VARCHAR AS ${name}`).join(", ")} FROM "r0"`;
    const inputs = new Map([["r0", { kind: "snapshot", location, version: state.version } as const]]);
    const query = compiled({ reads: [read], schema, duckdb });
    const result = await this.#reader.query({ query, inputs }, { signal: new AbortController().signal });
    return result.rows.map((row) => [...row]);
  }

  /** The change feed from a version on, as `k:v:change`, sorted. */
  async changes(from: bigint): Promise<string[]> {
    const changes: string[] = [];
    const snapshot = await readSnapshot(localStore, this.location);
    if (snapshot === undefined) throw new Error(`${this.location} is gone`);
    for await (const row of readChangeRows(localStore, snapshot, from))
      changes.push(`${row["k"]}:${row["v"]}:${row._change_type}`);
    return changes.sort();
  }

  async close(): Promise<void> {
    await this.#engine.close();
    await this.#reader.close();
  }

  #query(events: readonly TestEvent[]) {
    const text = (value: string | null) => `${value === null ? "NULL" : quoteText(value)}::VARCHAR`;
    const rows = events.map(
      ({ kind, k, seq, v, w, listed = ["v", "w"], isBefore = false }) =>
        `(${text(k)}, ${seq}::BIGINT, ${text(v)}, ${text(w)}, ${seq}::BIGINT, ${kind === "delete"}, ${kind === "truncate"}, ${isBefore}, [${listed.map(quoteText).join(", ")}]::VARCHAR[])`,
    );
    const names = `k, seq, v, w, ${SEQUENCE}, ${DELETED}, ${TRUNCATES}, ${BEFORE_IMAGE}, ${LISTED}`;
    return compiled({
      schema: [
        ...COLUMNS,
        ...columns(`${SEQUENCE} bigint, ${DELETED} boolean, ${TRUNCATES} boolean, ${BEFORE_IMAGE} boolean`),
        { name: LISTED, type: { kind: "array", element: { kind: "string" }, containsNull: true }, nullable: true },
      ],
      duckdb: `SELECT * FROM (VALUES ${rows.join(", ")}) e(${names})`,
      spark: [sparkEvents(events, names)],
    });
  }
}

function sparkEvents(events: readonly TestEvent[], names: string): string {
  const text = (value: string | null) => `CAST(${value === null ? "NULL" : quoteString(value)} AS STRING)`;
  const rows = events.map(
    ({ kind, k, seq, v, w, listed = ["v", "w"], isBefore = false }) =>
      `(${text(k)}, ${seq}L, ${text(v)}, ${text(w)}, ${seq}L, ${kind === "delete"}, ${kind === "truncate"}, ${isBefore}, array(${listed.map(text).join(", ")}))`,
  );
  return `SELECT * FROM VALUES ${rows.join(", ")} AS e(${names})`;
}
