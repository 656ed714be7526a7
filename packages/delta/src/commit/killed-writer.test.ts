import { spawn } from "node:child_process";
import { once } from "node:events";
import { describe, expect, it } from "vitest";
import { readDeletionVectors } from "../files/deletion-vector.js";
import { numRecords } from "../files/stats.js";
import { localStore } from "../store/local-store.js";
import { ID_SCHEMA, snapshotOf, temporaryFolder } from "../testing/test-log.js";
import { buildProgram } from "../testing/test-process.js";
import { transact } from "./transact.js";
import { createTable } from "./transaction.js";

const KILLS = 12;

/**
 * Each commit deletes one more row of every file by a new vector and adds a file of 100 rows; what is told on stdout
 * is committed.
 */
const WRITER = `
  import { randomUUID } from "node:crypto";
  import { transact } from "./../commit/transact.js";
  import { formatRows } from "../files/roaring-bitmap.js";
  import { encodeZ85 } from "../files/z85.js";
  import { localStore } from "../store/local-store.js";
  const [, , table] = process.argv;
  for (;;) {
    const { version } = await transact(localStore, table, async ({ files }) => {
      const path = "part-" + randomUUID() + ".parquet";
      await localStore.putIfAbsent(table + "/" + path, "rows");
      const mask = files.filter((file) => (file.deletionVector?.cardinality ?? 0n) < 90n).map((file) => {
        const count = Number(file.deletionVector?.cardinality ?? 0n) + 1;
        const bytes = formatRows(Float64Array.from({ length: count }, (_, row) => row));
        const deletionVector = { storageType: "i", pathOrInlineDv: encodeZ85(bytes), sizeInBytes: bytes.length, cardinality: BigInt(count) };
        return { file, deletionVector };
      });
      return { operation: "MERGE", mask, add: [{ path, size: 4, stats: '{"numRecords":100}' }] };
    });
    process.stdout.write(version + "\\n");
  }`;

describe("a writer that is killed at any moment", () => {
  it(`leaves the last version whole and the next write free (${KILLS} times)`, { timeout: 60_000 }, async () => {
    const folder = await temporaryFolder();
    const table = `${folder}/table`;
    const configuration = { "delta.enableDeletionVectors": "true", "delta.enableRowTracking": "true" };
    await createTable(localStore, table, { schema: ID_SCHEMA, configuration }, { operation: "CREATE TABLE" });
    const program = await buildProgram(folder, WRITER);
    for (let kill = 0; kill < KILLS; kill += 1) {
      const told = await killAfter(program, table, 5 + kill * 7);
      const snapshot = await snapshotOf(table);
      // At most the commit whose answer the dead writer did not live to tell.
      expect([told, told + 1n]).toContain(snapshot.version);
      for (const { path, stats } of snapshot.files) {
        await localStore.read(`${table}/${path}`);
        expect(numRecords(stats)).toBe(100);
      }
      // Vectors that are whole: their counts and checksums are looked at.
      await readDeletionVectors(localStore, snapshot, snapshot.files);
      const next = await transact(localStore, table, () => ({ operation: "X", domains: new Map([["d", `${kill}`]]) }));
      expect(next.version).toBe(snapshot.version + 1n);
    }
  });
});

/** The last version that the writer told before it was killed, so many milliseconds after the first one. */
async function killAfter(program: string, table: string, milliseconds: number): Promise<bigint> {
  const writer = spawn(process.execPath, [program, table], { stdio: ["ignore", "pipe", "inherit"] });
  let told = "";
  writer.stdout.setEncoding("utf8").on("data", (text: string) => {
    told += text;
  });
  await once(writer.stdout, "data");
  setTimeout(() => writer.kill("SIGKILL"), milliseconds);
  await once(writer, "close");
  return BigInt(told.trimEnd().split("\n").at(-1) ?? -1);
}
