import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { stat } from "node:fs/promises";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { cachedDataFiles, commit, createTable, type RemoteStore, readSnapshot } from "@ingot/delta";
import { expect, it } from "vitest";
import { ID_SCHEMA, temporaryFolder } from "../../packages/delta/src/testing/test-log.js";
import { openStores } from "../../packages/ingot/src/storage/store-for.js";
import { deltalake } from "../../scripts/peers.mjs";
import { describeWith } from "../interop/peer.js";
import { CLOUDS, type Cloud, describeWithEmulator } from "./emulator.js";

const describeWithPeer = await describeWith("deltalake");
const OURS = 12;
const THEIRS = 8;

for (const cloud of CLOUDS.filter(({ deltalake }) => deltalake !== undefined))
  await describeWithEmulator(cloud, (address) => {
    describeWithPeer(`delta-rs and Ingot on one table on ${cloud.name}`, () => {
      it("append at the same time, and each reads all rows", { timeout: 120_000 }, async () => {
        const table = `${cloud.root}/${randomUUID()}/orders 100%`;
        const store = openStores(cloud.environment(address))(table) as RemoteStore;
        await createTable(store, table, { schema: ID_SCHEMA }, { operation: "CREATE TABLE" });
        const [theirs] = await Promise.all([runDeltalake(cloud, address, table, THEIRS), appendOurs(store, table)]);

        const ids = [...Array(THEIRS).keys()].map((index) => index - THEIRS).concat([...Array(OURS).keys()]);
        expect(await runDeltalake(cloud, address, table, 0)).toEqual({ version: OURS + THEIRS, ids });
        expect(theirs.ids.filter((id) => id < 0)).toHaveLength(THEIRS);
        expect(await readOurs(store, table)).toEqual({ version: BigInt(OURS + THEIRS), ids });
      });
    });
  });

/** One row a commit, as an engine does it: a local file, published and committed. */
async function appendOurs(store: RemoteStore, table: string): Promise<void> {
  const files = cachedDataFiles(store, { folder: await temporaryFolder(), maxBytes: 10_000_000 });
  await withDuckDB(async (connection) => {
    // delta-rs takes longer to start: the two are to meet.
    while ((await snapshotOf(store, table)).version === 0n) await setTimeout(20);
    for (let id = 0; id < OURS; id++) {
      const name = `part-${randomUUID()}.parquet`;
      const local = await files.stage(`${table}/${name}`);
      await connection.run(`COPY (SELECT ${id}::BIGINT AS id) TO '${local}' (FORMAT parquet)`);
      const { size } = await stat(local);
      await files.publish(`${table}/${name}`);
      const add = [{ path: name, size, stats: '{"numRecords":1}' }];
      await commit(store, await snapshotOf(store, table), { operation: "WRITE", add, isBlindAppend: true });
    }
  });
}

async function readOurs(store: RemoteStore, table: string) {
  const snapshot = await snapshotOf(store, table);
  const files = cachedDataFiles(store, { folder: await temporaryFolder(), maxBytes: 10_000_000 });
  const { paths, close } = await files.open(
    snapshot.files.map(({ path, size }) => ({ path: `${table}/${path}`, size: Number(size) })),
  );
  const list = paths.map((path) => `'${path}'`).join(", ");
  return withDuckDB(async (connection) => {
    const rows = await connection.runAndReadAll(`SELECT id FROM read_parquet([${list}]) ORDER BY id`);
    await close();
    return { version: snapshot.version, ids: rows.getRowsJS().map(([id]) => Number(id)) };
  });
}

async function withDuckDB<T>(use: (connection: DuckDBConnection) => Promise<T>): Promise<T> {
  const instance = await DuckDBInstance.create();
  const connection = await instance.connect();
  try {
    return await use(connection);
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

async function snapshotOf(store: RemoteStore, table: string) {
  const snapshot = await readSnapshot(store, table);
  if (snapshot === undefined) throw new Error(`${table} has no log`);
  return snapshot;
}

async function runDeltalake(cloud: Cloud, address: string, table: string, commits: number) {
  const peer = await deltalake();
  if ("missing" in peer) throw new Error(peer.missing);
  const script = fileURLToPath(new URL("append_by_deltalake.py", import.meta.url));
  const env = { ...process.env, ...cloud.deltalake?.(address) };
  const { stdout } = await promisify(execFile)(peer.python, ["-B", script, table, `${commits}`], { env });
  return JSON.parse(stdout) as { readonly version: number; readonly ids: readonly number[] };
}
