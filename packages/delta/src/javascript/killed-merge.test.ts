import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, it } from "vitest";
import { createTable } from "../commit/transaction.js";
import { localStore as store } from "../store/local-store.js";
import { snapshotOf, temporaryFolder } from "../testing/test-log.js";
import { buildProgram } from "../testing/test-process.js";
import { columnsOf, gatherRows } from "../testing/test-table.js";
import { mergeRows } from "./merge-rows.js";
import { readChangeRows } from "./read-change-rows.js";
import { readRows } from "./read-rows.js";

const KILLS = 10;
/** Rows in every version. */
const KEYS = 20;

/**
 * Each merge moves one from the amount of a row to that of another: Parquet files, vectors in files, change files, and
 * every second commit a checkpoint.
 */
const WRITER = `
  import { mergeRows } from "../javascript/merge-rows.js";
  import { localStore } from "../store/local-store.js";
  const [, , table, begin] = process.argv;
  for (let turn = Number(begin); ; turn += 1) {
    const [from, to] = [turn % ${KEYS}, (turn * 7 + 3) % ${KEYS}];
    if (from === to) continue;
    const { version } = await mergeRows(localStore, table, {
      source: [{ id: from, change: -1 }, { id: to, change: 1 }],
      on: ["id"],
      whenMatched: [{ update: (target, source) => ({ amount: target.amount + source.change }) }],
    });
    process.stdout.write(version + "\\n");
  }`;

it(`merges of rows, killed at any moment, lose and double none (${KILLS} times)`, { timeout: 120_000 }, async () => {
  const folder = await temporaryFolder();
  const table = `${folder}/table`;
  const schema = { kind: "struct", fields: columnsOf({ id: "integer", amount: "integer" }) } as const;
  const configuration = {
    "delta.enableDeletionVectors": "true",
    "delta.enableChangeDataFeed": "true",
    "delta.enableRowTracking": "true",
    "delta.checkpointInterval": "2",
  };
  await createTable(store, table, { schema, configuration }, { operation: "CREATE TABLE" });
  const rows = Array.from({ length: KEYS }, (_, id) => ({ id, amount: 100 }));
  await mergeRows(store, table, { source: rows, on: ["id"], whenNotMatched: [{ insert: "*" }] });
  const program = await buildProgram(folder, WRITER);
  let version = 1n;
  for (let kill = 0; kill < KILLS; kill += 1) {
    const writer = spawn(process.execPath, [program, table, String(kill * 100)], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    await once(writer.stdout, "data");
    setTimeout(() => writer.kill("SIGKILL"), 3 + kill * 11);
    await once(writer, "close");

    const snapshot = await snapshotOf(table);
    expect(snapshot.version).toBeGreaterThan(version);
    version = snapshot.version;
    expect(snapshot.warnings).toEqual([]);
    const found = await gatherRows(readRows(store, snapshot, { rowIds: true }));
    expect(found.map(({ id }) => Number(id)).sort((a, b) => a - b)).toEqual(rows.map(({ id }) => id));
    expect(new Set(found.map(({ _metadata: ids }) => (ids as { row_id: bigint }).row_id)).size).toBe(KEYS);
    expect(found.reduce((sum, { amount }) => sum + Number(amount), 0)).toBe(KEYS * 100);
    // The feed tells of every change once: rows of the first version, and each update before and after.
    const amounts = new Map<number, number>();
    for await (const row of readChangeRows(store, snapshot, 1n)) {
      const id = Number(row["id"]);
      if (row._change_type === "update_preimage") expect(amounts.get(id)).toBe(row["amount"]);
      else amounts.set(id, Number(row["amount"]));
    }
    expect([...amounts].sort(([a], [b]) => a - b)).toEqual(
      found.map(({ id, amount }) => [id, amount]).sort(([a], [b]) => Number(a) - Number(b)),
    );
  }
});
