import { cp, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import { localStore, readSnapshot } from "@ingot/delta";
import { afterAll, beforeAll, expect, it } from "vitest";
import { formatSchema } from "../../../packages/delta/src/schema/schema.js";
import { toDeltaSchema } from "../../../packages/ingot/src/engine/duckdb/delta-schema.js";
import { DuckdbSession } from "../../../packages/ingot/src/engine/duckdb/duckdb-session.js";
import { parseSchema } from "../../../packages/ingot/src/sql/ddl-types.js";
import { appendDelta, operateDelta, type Reading, tryDelta, tryDeltaChanges, tryDuckdb } from "../deltalake.js";
import { describeWith } from "../peer.js";
import type { Relation } from "../relation.js";
import { type Spark, startSpark } from "../spark.js";
import { carryOn, carryOut } from "./carry-out.js";
import { about, askSpark, CHANGES, expectedOf, pick, ROWS, rowsOf, sorted } from "./compare.js";

import type { Gap, WriteFeature } from "./features/feature.js";
import { WRITE_FEATURES } from "./features.js";
import { carryOutPlainly } from "./model.js";
import { duckdbReader, javascriptReader, type OwnReader } from "./readers.js";
import { type MadeByDeltalake, PEER_TABLES, type PeerTable } from "./theirs.js";
import { duckdbWriter, javascriptWriter, type Writer } from "./writers.js";

const describeMatrix = await describeWith("spark", "deltalake");

const ROW_IDS = "SELECT id, _metadata.row_id FROM $table";
const WRITERS: readonly Writer["name"][] = ["JavaScript", "DuckDB"];
/** Of a query over a handful of rows, half of the time goes into plans and tasks for many. */
const SMALL_TABLES = {
  "spark.sql.codegen.wholeStage": "false",
  "spark.sql.adaptive.enabled": "false",
  "spark.sql.shuffle.partitions": "1",
  "spark.databricks.delta.snapshotPartitions": "1",
};
/** Many tables are made before the first test. */
const PREPARATION_LIMIT_MS = 300_000;

let folder: string;
let session: DuckdbSession;
let connection: DuckDBConnection;
let spark: Spark;

describeMatrix("the matrix", () => {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "ingot-matrix-"));
    session = new DuckdbSession(folder);
    // Kept for the life of the tests: the work that it is given never ends by itself.
    connection = await new Promise<DuckDBConnection>((resolve) => {
      void session.use(new AbortController().signal, async (own) => resolve(own));
    });
    spark = await startSpark("long", SMALL_TABLES);
  }, 120_000);

  afterAll(async () => {
    await spark?.stop();
    await session?.close();
    await rm(folder, { recursive: true, force: true });
  }, 30_000);

  const places = new Map<string, string | Error>();
  const byDelta = new Map<string, Reading>();
  const byDuckdb = new Map<string, Reading>();

  /** One start of Python for all. */
  async function letPythonRead(keys: readonly string[]): Promise<void> {
    const readable = keys.filter((key) => typeof places.get(key) === "string");
    const locations = readable.map((key) => placeOf(key));
    const [delta, duckdb] = await Promise.all([tryDelta(locations), tryDuckdb(locations)]);
    for (const [i, key] of readable.entries()) {
      byDelta.set(key, delta[i] ?? { error: "no answer" });
      byDuckdb.set(key, duckdb[i] ?? { error: "no answer" });
    }
  }

  function placeOf(key: string): string {
    const place = places.get(key);
    if (typeof place === "string") return place;
    throw place ?? new Error(`${key} was not made`);
  }

  describeMatrix("what we write", () => {
    const cases = WRITERS.flatMap((writer) =>
      WRITE_FEATURES.map((feature) => ({ writer, feature, name: feature.name, key: `${writer}: ${feature.name}` })),
    );
    const deltaChanges = new Map<string, Reading>();
    /** By key and statement. */
    const bySpark = new Map<string, Reading>();

    beforeAll(async () => {
      for (const [i, { writer, feature, key }] of cases.entries())
        places.set(
          key,
          await attempt(carryOut(join(folder, `w${i}`), feature.table, feature.steps, writerNamed(writer))),
        );
      await letPythonRead(cases.map(({ key }) => key));
      const questions = cases.flatMap(({ key, feature }) =>
        typeof places.get(key) === "string"
          ? statementsOf(feature).map((sql) => ({ key, sql, location: placeOf(key) }))
          : [],
      );
      const answers = await askSpark(spark, questions);
      for (const [i, { key, sql }] of questions.entries())
        bySpark.set(`${key}: ${sql}`, answers[i] ?? { error: "no answer" });
      const fed = cases.filter(({ key, feature }) => typeof places.get(key) === "string" && feature.changeFeed);
      // A panic of delta-rs may end the process: those that may go alone.
      const calm = fed.filter(({ feature }) => changeGap(feature)?.error === undefined);
      const feeds = await tryDeltaChanges(
        calm.map(({ key }) => placeOf(key)),
        0,
      );
      for (const [i, { key }] of calm.entries()) deltaChanges.set(key, feeds[i] ?? { error: "no answer" });
      for (const { key } of fed.filter((one) => !calm.includes(one))) {
        const alone = await attempt(tryDeltaChanges([placeOf(key)], 0));
        deltaChanges.set(key, alone instanceof Error ? { error: alone.message } : (alone[0] ?? { error: "no answer" }));
      }
    }, PREPARATION_LIMIT_MS);

    it.each(cases.map(named))("%s: we read it", async (_, { feature, key }) => {
      const place = placeOf(key);
      const { rows, changes } = expectedOf(feature);
      for (const reader of ownReaders()) {
        expect(sorted(await reader.read(place)), reader.name).toEqual(rows);
        if (feature.changeFeed === undefined) continue;
        expect(rowsOf(await reader.readChanges(place)), `changes by ${reader.name}`).toEqual(changes);
      }
      if (feature.protocol === undefined) return;
      const { minReaderVersion, minWriterVersion } = await protocolOf(place);
      expect([minReaderVersion, minWriterVersion]).toEqual(feature.protocol);
    });

    it.each(cases.map(named))("%s: deltalake reads it", (_, { feature, key }) => {
      const { rows, changes } = expectedOf(feature);
      expectReading(sorted(readingOf(byDelta, key)), rows, feature.unread?.deltalake);
      if (feature.changeFeed === undefined) return;
      expectReading(rowsOf(readingOf(deltaChanges, key)), changes, changeGap(feature));
    });

    it.each(cases.map(named))("%s: DuckDB's extension reads it", (_, { feature, key }) => {
      expectReading(sorted(readingOf(byDuckdb, key)), expectedOf(feature).rows, feature.unread?.duckdb);
    });

    it.each(cases.map(named))("%s: Spark reads it", (_, { feature, key }) => {
      const { rows, changes } = expectedOf(feature);
      const ask = (sql: string) => readingOf(bySpark, `${key}: ${sql}`);
      expectReading(sorted(ask(ROWS)), rows, feature.unread?.spark);
      if (feature.changeFeed !== undefined) expect(rowsOf(ask(CHANGES)), "changes").toEqual(changes);
      for (const { sql, pick: columns, rows: answer } of feature.questions ?? [])
        expect(pick(ask(sql), columns), sql).toEqual(answer);
    });
  });

  describeMatrix("what they write", () => {
    const tables = PEER_TABLES.map((table) => ({ table, name: table.name, by: table.made.by, key: keyOfTable(table) }));
    const cases = tables.flatMap(({ table, key }) =>
      WRITERS.map((writer) => ({ table, writer, original: key, key: `${key}, then ${writer}` })),
    );
    /** As the peer that made it reads it. */
    const originals = new Map<string, Reading>();
    const bySpark = new Map<string, Reading>();

    async function letSparkRead(questions: readonly { readonly key: string; readonly sql: string }[]): Promise<void> {
      const asked = questions.flatMap(({ key, sql }) => {
        const location = places.get(key);
        return typeof location === "string" ? [{ key, sql, location }] : [];
      });
      const answers = await askSpark(spark, asked);
      for (const [i, { key, sql }] of asked.entries())
        bySpark.set(`${key}: ${sql}`, answers[i] ?? { error: "no answer" });
    }

    async function makeTables(): Promise<void> {
      const located = tables.map((one, i) => ({ ...one, location: join(folder, `t${i}`) }));
      const bySql = located.flatMap((one) => (one.table.made.by === "spark" ? [{ ...one, made: one.table.made }] : []));
      const byPython = located.flatMap(({ table: { made }, ...one }) =>
        made.by === "spark" ? [] : [{ ...one, made }],
      );
      const scriptOf = ({ table, made, location }: (typeof bySql)[number]) =>
        [...made.sql, ...(table.unread === undefined ? [ROWS] : [])].map((sql) => about(location, sql));
      const note = (
        { key, location, table }: (typeof bySql)[number],
        answer: Relation | Error = new Error("no answer"),
      ) => {
        places.set(key, answer instanceof Error ? answer : location);
        if (!(answer instanceof Error) && table.unread === undefined) originals.set(key, sorted(answer));
      };
      const together = bySql.filter(({ made }) => made.settings === undefined);
      const [answers] = await Promise.all([
        spark.runAll(together.map(scriptOf)),
        ...byPython.map(async ({ key, made, location }) => {
          const error = await attempt(makeByDeltalake(made, location));
          places.set(key, error instanceof Error ? error : location);
        }),
      ]);
      for (const [i, one] of together.entries()) note(one, answers[i]);
      for (const one of bySql) {
        const settings = Object.entries(one.made.settings ?? {});
        if (settings.length === 0) continue;
        for (const [name, value] of settings) await spark.sql(`SET ${name} = ${value}`);
        note(one, (await spark.runAll([scriptOf(one)]))[0]);
        for (const [name] of settings) await spark.sql(`RESET ${name}`);
      }
    }

    beforeAll(async () => {
      await makeTables();
      await letPythonRead(tables.map(({ key }) => key));
      for (const { key, by } of tables) if (by === "deltalake") originals.set(key, sorted(readingOf(byDelta, key)));
      await letSparkRead(
        tables.flatMap(({ table, key }) => [
          ...(table.changeFeed ? [{ key, sql: CHANGES }] : []),
          ...(table.keepsRowIds ? [{ key, sql: ROW_IDS }] : []),
        ]),
      );
      for (const [i, { table, writer, original, key }] of cases.entries()) {
        if (typeof places.get(original) !== "string" || table.unread !== undefined) continue;
        const copy = join(folder, `r${i}`);
        await cp(placeOf(original), copy, { recursive: true });
        places.set(key, await attempt(carryOn(copy, table.ours, writerNamed(writer))));
      }
      await letPythonRead(cases.map(({ key }) => key));
      await letSparkRead(
        cases.flatMap(({ table, key }) => [{ key, sql: ROWS }, ...(table.keepsRowIds ? [{ key, sql: ROW_IDS }] : [])]),
      );
    }, PREPARATION_LIMIT_MS);

    it.each(tables.map(named))("%s: we read it", async (_, { table, key }) => {
      const place = placeOf(key);
      for (const reader of ownReaders()) {
        if (table.unread !== undefined) {
          await expect(reader.read(place), reader.name).rejects.toMatchObject(refusal(table.unread));
          continue;
        }
        expect(sorted(await reader.read(place)), reader.name).toEqual(readingOf(originals, key));
        if (table.changeFeed)
          expect(rowsOf(await reader.readChanges(place)), `changes by ${reader.name}`).toEqual(
            rowsOf(readingOf(bySpark, `${key}: ${CHANGES}`)),
          );
      }
    });

    it.each(cases.map(named))(
      "%s: what must not be written is refused",
      async (_, { table, writer, original, key }) => {
        for (const { step, ...expected } of table.refused ?? []) {
          const copy = join(folder, `refused-${tables.findIndex((one) => one.key === original)}-${writer}`);
          await cp(placeOf(original), copy, { recursive: true });
          const before = (await readdir(copy, { recursive: true })).sort();
          await expect(carryOn(copy, [step], writerNamed(writer)), key).rejects.toMatchObject(refusal(expected));
          expect((await readdir(copy, { recursive: true })).sort(), "files").toEqual(before);
          await rm(copy, { recursive: true });
        }
      },
    );

    it.each(cases.filter(({ table }) => table.unread === undefined).map(named))(
      "%s: all read it",
      async (_, { table, original, key }) => {
        const place = placeOf(key);
        const start = readingOf(originals, original);
        if ("error" in start) throw new Error(start.error);
        const columns = start.columns.map(({ name }) => name);
        const model = carryOutPlainly({ columns, rows: start.rows, versions: [start.rows] }, table.ours);
        const expected = sorted({ columns: start.columns, rows: model.rows });

        for (const reader of ownReaders()) expect(sorted(await reader.read(place)), reader.name).toEqual(expected);
        expect(sorted(readingOf(bySpark, `${key}: ${ROWS}`)), "Spark").toEqual(expected);
        expectReading(sorted(readingOf(byDelta, key)), expected, table.unreadByPeers?.deltalake);
        expectReading(sorted(readingOf(byDuckdb, key)), expected, table.unreadByPeers?.duckdb);
        if (!table.keepsRowIds) return;
        const before = rowsOf(readingOf(bySpark, `${original}: ${ROW_IDS}`));
        const after = rowsOf(readingOf(bySpark, `${key}: ${ROW_IDS}`));
        if ("error" in before || "error" in after) throw new Error(JSON.stringify([before, after]));
        const ids = new Map(before.map(([id = null, rowId]) => [id, rowId]));
        const kept = after.filter(([id = null]) => ids.has(id));
        expect(kept.length).toBeGreaterThan(0);
        for (const [id = null, rowId] of kept) expect([id, rowId]).toEqual([id, ids.get(id)]);
      },
    );
  });
});

/** With what a test is called by. */
function named<Case extends { readonly key: string }>(one: Case): [string, Case] {
  return [one.key, one];
}

async function makeByDeltalake({ columns, rows, steps }: MadeByDeltalake, location: string): Promise<void> {
  await appendDelta(location, rows, formatSchema(toDeltaSchema(parseSchema(columns))));
  await operateDelta(location, ...steps);
}

/** What Spark is asked about a table of the feature. */
function statementsOf({ changeFeed, questions = [] }: WriteFeature): string[] {
  return [ROWS, ...(changeFeed === undefined ? [] : [CHANGES]), ...questions.map(({ sql }) => sql)];
}

function keyOfTable({ made, name }: PeerTable): string {
  return `${made.by}: ${name}`;
}

function writerNamed(name: Writer["name"]): Writer {
  return name === "JavaScript" ? javascriptWriter : duckdbWriter(connection);
}

function ownReaders(): OwnReader[] {
  return [javascriptReader, duckdbReader(connection)];
}

function changeGap({ changeFeed }: WriteFeature): Gap | undefined {
  return typeof changeFeed === "object" ? changeFeed.deltalake : undefined;
}

function readingOf(readings: ReadonlyMap<string, Reading>, key: string): Reading {
  const reading = readings.get(key);
  if (reading === undefined) throw new Error(`${key} was not read`);
  return reading;
}

/** A gap must be there as it is told: when the peer closes it, the entry is to go. */
function expectReading(reading: Reading | Relation["rows"], expected: Reading | Relation["rows"], gap?: Gap): void {
  if (gap === undefined) expect(reading).toEqual(expected);
  else if (gap.error === undefined) expect(reading, gap.why).not.toEqual(expected);
  else expect(reading, gap.why).toEqual({ error: expect.stringMatching(gap.error) });
}

function refusal({ code, message }: { readonly code: string; readonly message: RegExp }) {
  return { code, message: expect.stringMatching(message) };
}

async function protocolOf(location: string) {
  const snapshot = await readSnapshot(localStore, location);
  if (snapshot === undefined) throw new Error(`${location} is no table`);
  return snapshot.protocol;
}

/** An error as a value: one table that cannot be made fails its own tests only. */
function attempt<T>(work: Promise<T>): Promise<T | Error> {
  return work.catch((error: unknown) => (error instanceof Error ? error : new Error(String(error))));
}
