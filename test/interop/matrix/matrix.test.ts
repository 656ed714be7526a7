import { cp, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { localStore, readSnapshot } from "@ingot/delta";
import { afterAll, beforeAll, expect, it } from "vitest";
import { describeWith } from "../peer.js";
import { carryOn, carryOut } from "./carry-out.js";
import { expectedAfter, expectedOf, expectReading, pick, rowsOf, sorted } from "./compare.js";
import type { Gap, WriteFeature } from "./features/feature.js";
import { WRITE_FEATURES } from "./features.js";
import { CHANGES, type Lab, openLab, ROW_IDS, ROWS } from "./lab.js";
import { makePeerTables } from "./make-peer-tables.js";
import { PEER_TABLES } from "./theirs.js";
import type { Writer } from "./writers.js";

const describeMatrix = await describeWith("spark", "deltalake");

const WRITERS: readonly Writer["name"][] = ["JavaScript", "DuckDB"];
/** All tables are made before the first test: readers that start slowly read them at once. */
const PREPARATION_LIMIT_MS = 600_000;

let lab: Lab;

// One Spark for both halves: it costs a minute of processor time before it is quick.
describeMatrix("Delta tables between us and others", () => {
  beforeAll(async () => {
    lab = await openLab();
  }, 120_000);
  afterAll(() => lab?.close(), 30_000);

  describeMatrix("what we write", () => {
    const cases = WRITERS.flatMap((writer) =>
      WRITE_FEATURES.map((feature) => ({ writer, feature, key: `${writer}: ${feature.name}` })),
    );

    beforeAll(async () => {
      for (const [i, { writer, feature, key }] of cases.entries())
        await lab.put(key, carryOut(join(lab.folder, `w${i}`), feature.table, feature.steps, lab.writer(writer)));
      await lab.letPythonRead(cases.map(({ key }) => key));
      const fed = cases.filter(({ feature }) => feature.changeFeed !== undefined);
      const panicking = fed.filter(({ feature }) => gapOfChanges(feature)?.error !== undefined).map(({ key }) => key);
      await lab.letDeltaReadChanges(
        fed.map(({ key }) => key).filter((key) => !panicking.includes(key)),
        panicking,
      );
      await lab.letSparkAnswer(cases.flatMap(({ key, feature }) => statements(feature).map((sql) => ({ key, sql }))));
    }, PREPARATION_LIMIT_MS);

    it.each(cases.map(named))("%s: we read it", async (_, { feature, key }) => {
      const place = lab.place(key);
      const { rows, changes } = expectedOf(feature);
      for (const reader of lab.ownReaders()) {
        expect(sorted(await reader.read(place)), reader.name).toEqual(rows);
        if (feature.changeFeed === undefined) continue;
        expect(rowsOf(await reader.readChanges(place)), `changes by ${reader.name}`).toEqual(changes);
      }
      if (feature.protocol === undefined) return;
      const snapshot = await readSnapshot(localStore, place);
      expect([snapshot?.protocol.minReaderVersion, snapshot?.protocol.minWriterVersion]).toEqual(feature.protocol);
    });

    it.each(cases.map(named))("%s: deltalake reads it", (_, { feature, key }) => {
      const { rows, changes } = expectedOf(feature);
      expectReading(sorted(lab.reading(key, "deltalake")), rows, feature.unread?.deltalake);
      if (feature.changeFeed === undefined) return;
      expectReading(rowsOf(lab.reading(key, "changes by deltalake")), changes, gapOfChanges(feature));
    });

    it.each(cases.map(named))("%s: DuckDB's extension reads it", (_, { feature, key }) => {
      expectReading(sorted(lab.reading(key, "duckdb")), expectedOf(feature).rows, feature.unread?.duckdb);
    });

    it.each(cases.map(named))("%s: Spark reads it", (_, { feature, key }) => {
      const { rows, changes } = expectedOf(feature);
      expect(sorted(lab.reading(key, ROWS))).toEqual(rows);
      if (feature.changeFeed !== undefined) expect(rowsOf(lab.reading(key, CHANGES)), "changes").toEqual(changes);
      for (const { sql, pick: columns, rows: answer } of feature.questions ?? [])
        expect(pick(lab.reading(key, sql), columns), sql).toEqual(answer);
    });
  });

  describeMatrix("what they write", () => {
    const tables = PEER_TABLES.map((table) => ({ table, key: `${table.made.by}: ${table.name}` }));
    const readable = tables.filter(({ table }) => table.unread === undefined);
    const rewritten = readable.flatMap(({ table, key }) =>
      WRITERS.map((writer) => ({ table, writer, original: key, key: `${key}, then ${writer}` })),
    );
    const refused = tables.flatMap(({ table, key: original }, i) =>
      (table.refused ?? []).flatMap((refusal, j) =>
        WRITERS.map((writer) => ({
          ...refusal,
          original,
          writer,
          copy: `refused-${i}-${j}-${writer}`,
          key: `${original}, ${refusal.step.kind} by ${writer} (${j + 1})`,
        })),
      ),
    );

    beforeAll(async () => {
      await makePeerTables(lab, tables);
      await lab.letPythonRead(tables.map(({ key }) => key));
      await lab.letSparkAnswer(
        readable.flatMap(({ table, key }) => [
          { key, sql: ROWS },
          ...(table.changeFeed ? [{ key, sql: CHANGES }] : []),
          ...(table.keepsRowIds ? [{ key, sql: ROW_IDS }] : []),
        ]),
      );
      for (const [i, { table, writer, original, key }] of rewritten.entries()) {
        const copy = join(lab.folder, `r${i}`);
        const making = copyOf(original, copy).then(() => carryOn(copy, table.ours, lab.writer(writer)));
        await lab.put(key, making);
      }
      await lab.letPythonRead(rewritten.map(({ key }) => key));
      await lab.letSparkAnswer(
        rewritten.flatMap(({ table, key }) => [
          { key, sql: ROWS },
          ...(table.keepsRowIds ? [{ key, sql: ROW_IDS }] : []),
        ]),
      );
    }, PREPARATION_LIMIT_MS);

    it.each(tables.map(named))("%s: we read it", async (_, { table, key }) => {
      const place = lab.place(key);
      for (const reader of lab.ownReaders()) {
        if (table.unread !== undefined) {
          await expect(reader.read(place), reader.name).rejects.toMatchObject(errorOf(table.unread));
          continue;
        }
        expect(sorted(await reader.read(place)), reader.name).toEqual(sorted(lab.reading(key, ROWS)));
        if (!table.changeFeed) continue;
        const changes = rowsOf(lab.reading(key, CHANGES));
        expect(rowsOf(await reader.readChanges(place)), `changes by ${reader.name}`).toEqual(changes);
      }
    });

    it.each(tables.filter(({ table }) => table.made.by === "deltalake").map(named))(
      "%s: Spark reads it as its maker does",
      (_, { key }) => {
        expect(sorted(lab.reading(key, ROWS))).toEqual(sorted(lab.reading(key, "deltalake")));
      },
    );

    it.each(rewritten.map(named))("%s: all read it", async (_, { table, original, key }) => {
      const place = lab.place(key);
      const expected = expectedAfter(lab.reading(original, ROWS), table.ours);
      for (const reader of lab.ownReaders()) expect(sorted(await reader.read(place)), reader.name).toEqual(expected);
      expect(sorted(lab.reading(key, ROWS)), "Spark").toEqual(expected);
      expectReading(sorted(lab.reading(key, "deltalake")), expected, table.unreadByPeers?.deltalake);
      expectReading(sorted(lab.reading(key, "duckdb")), expected, table.unreadByPeers?.duckdb);
      if (table.keepsRowIds) expectKeptIds(rowsOf(lab.reading(original, ROW_IDS)), rowsOf(lab.reading(key, ROW_IDS)));
    });

    it.each(refused.map(named))(
      "%s is refused, nothing written",
      async (_, { original, copy, step, writer, ...error }) => {
        const location = join(lab.folder, copy);
        await copyOf(original, location);
        const before = (await readdir(location, { recursive: true })).sort();
        await expect(carryOn(location, [step], lab.writer(writer))).rejects.toMatchObject(errorOf(error));
        expect((await readdir(location, { recursive: true })).sort()).toEqual(before);
        await rm(location, { recursive: true });
      },
    );
  });
});

/** With what a test is called by. */
function named<Case extends { readonly key: string }>(one: Case): [string, Case] {
  return [one.key, one];
}

/** What Spark is asked about a table of the feature. */
function statements({ changeFeed, questions = [] }: WriteFeature): string[] {
  return [ROWS, ...(changeFeed === undefined ? [] : [CHANGES]), ...questions.map(({ sql }) => sql)];
}

function gapOfChanges({ changeFeed }: WriteFeature): Gap | undefined {
  return typeof changeFeed === "object" ? changeFeed.deltalake : undefined;
}

function errorOf({ code, message }: { readonly code: string; readonly message: RegExp }) {
  return { code, message: expect.stringMatching(message) };
}

async function copyOf(key: string, location: string): Promise<void> {
  await cp(lab.place(key), location, { recursive: true });
}

/** Rows of id and row id: those that were there before have theirs still. */
function expectKeptIds(before: ReturnType<typeof rowsOf>, after: ReturnType<typeof rowsOf>): void {
  if ("error" in before || "error" in after) throw new Error(JSON.stringify([before, after]));
  const ids = new Map(before.map(([id = null, rowId]) => [id, rowId]));
  const kept = after.filter(([id = null]) => ids.has(id));
  expect(kept.length).toBeGreaterThan(0);
  expect(kept).toEqual(kept.map(([id = null]) => [id, ids.get(id)]));
}
