import { randomBytes, randomUUID } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import { cachedDataFiles, commit, createTable, type RemoteStore, readSnapshot } from "@ingot/delta";
import { describe, expect, it } from "vitest";
import { describeStore } from "../../packages/delta/src/testing/store-contract.js";
import { temporaryFolder } from "../../packages/delta/src/testing/test-log.js";
import { adlsStore } from "../../packages/ingot/src/storage/adls-store.js";
import { gcsStore } from "../../packages/ingot/src/storage/gcs-store.js";
import { s3Store } from "../../packages/ingot/src/storage/s3-store.js";
import { openStores } from "../../packages/ingot/src/storage/store-for.js";
import { CLOUDS, describeWithEmulator, S3 } from "./emulator.js";
import { lossyProxy } from "./lossy-proxy.js";

const STORES = { s3: s3Store, azure: adlsStore, google: gcsStore };
/** Requests that create an object: the log's file, not the probe of a service that is new to us. */
const createsCommit = ({ method, url }: IncomingMessage): boolean =>
  (method === "PUT" || method === "POST") && /(7|8)\.json/.test(url ?? "");

for (const cloud of CLOUDS) {
  await describeWithEmulator(cloud, (address) => {
    const environment = cloud.environment(address);
    const newRoot = (): string => `${cloud.root}/${randomUUID()}`;
    const small = STORES[cloud.name](environment, 7);
    describeStore(cloud.name, async () => ({ store: small, root: newRoot() }), { manyFiles: 40 });

    describe(`${cloud.name}, beyond the contract`, () => {
      const store = openStores(environment)(`${cloud.root}/x`) as RemoteStore;

      it("uploads files of every size", async () => {
        const folder = await temporaryFolder();
        const root = newRoot();
        for (const size of [0, 1, 16 * 2 ** 20, 16 * 2 ** 20 + 1, 35_000_000]) {
          const content = randomBytes(size);
          await writeFile(`${folder}/file`, content);
          await store.upload(`${folder}/file`, `${root}/${size} a+b.parquet`);
          const found = await store.read(`${root}/${size} a+b.parquet`);
          expect([size, Buffer.compare(found, content)]).toEqual([size, 0]);
        }
        expect(await store.list(root)).toHaveLength(5);
        await expect(store.upload(`${folder}/absent`, `${root}/absent`)).rejects.toThrow(/absent/);
        expect(await store.list(root)).toHaveLength(5);
      });

      it("serves an engine that knows local files only", async () => {
        const folder = await temporaryFolder();
        const options = { folder: `${folder}/one`, maxBytes: 100_000_000 };
        const path = `${newRoot()}/p=a%20b/part-1.parquet`;
        const content = randomBytes(17 * 2 ** 20 + 3);
        const writer = cachedDataFiles(store, options);
        await writeFile(await writer.stage(path), content);
        await writer.publish(path);
        const reader = cachedDataFiles(store, { ...options, folder: `${folder}/other` });
        const { paths, close } = await reader.open([{ path, size: content.length }]);
        expect(Buffer.compare(await readFile(paths[0] ?? ""), content)).toBe(0);
        await close();
        await reader.discard(path);
        await expect(store.read(path)).rejects.toMatchObject({ code: "ENOENT" });
      });

      it("leaves out the empty objects that mark a folder", async () => {
        const root = newRoot();
        await store.put(`${root}/t/`, "");
        await store.put(`${root}/t/x`, "1");
        await store.put(`${root}/t`, "");
        expect(await store.list(root)).toMatchObject([{ name: "t", kind: "folder" }]);
        expect(await store.list(`${root}/t`)).toMatchObject([{ name: "x", kind: "file" }]);
      });

      it("has won when only the answer was lost", async () => {
        const root = newRoot();
        let losses = 1;
        const proxy = await lossyProxy(address, (request) => createsCommit(request) && losses-- > 0);
        const lossy = STORES[cloud.name](cloud.environment(proxy.address));
        expect(await lossy.putIfAbsent(`${root}/7.json`, "ours")).toBe(true);
        expect(proxy.lost()).toBe(1);

        await store.put(`${root}/8.json`, "theirs");
        losses = 1;
        expect(await lossy.putIfAbsent(`${root}/8.json`, "ours")).toBe(false);
        expect(Buffer.from(await store.read(`${root}/8.json`)).toString()).toBe("theirs");
      });

      it("tells of a bucket that is not there", async () => {
        const absent = cloud.root.replace(/bucket|container/, "nowhere");
        for (const act of [
          () => store.list(`${absent}/t`),
          () => store.putIfAbsent(`${absent}/t/f`, "x"),
          () => store.put(`${absent}/t/f`, "x"),
        ]) {
          await expect(act()).rejects.toMatchObject({
            code: "STORAGE_FAILED",
            message: expect.stringContaining(absent),
          });
        }
      });
    });
  });
}

await describeWithEmulator(S3, (address) => {
  // Case V45. What a store cannot tell, the log does: the same for every cloud.
  it("a commit whose every answer is lost is found by its transaction id, and made once", async () => {
    const table = `${S3.root}/${randomUUID()}`;
    const store = s3Store(S3.environment(address));
    const change = (path: string) => ({ operation: "WRITE", add: [{ path, size: 1 }], isBlindAppend: true });
    await createTable(store, table, { schema: { kind: "struct", fields: [] } }, { operation: "CREATE TABLE" });
    for (const path of ["1", "2", "3", "4", "5", "6"]) {
      await commit(store, await snapshotOf(store, table), change(path));
    }

    const proxy = await lossyProxy(address, createsCommit);
    const lossy = s3Store(S3.environment(proxy.address));
    const before = await snapshotOf(store, table);
    expect(await commit(lossy, before, change("ours"))).toMatchObject({ version: 7n });
    expect(proxy.lost()).toBeGreaterThan(1);
    // On the old snapshot, version 7 is a foreign commit.
    expect(await commit(lossy, before, change("second"))).toMatchObject({ version: 8n });

    const { version, files } = await snapshotOf(store, table);
    expect([version, files.map(({ path }) => path).sort()]).toEqual([
      8n,
      ["1", "2", "3", "4", "5", "6", "ours", "second"],
    ]);
  });
});

async function snapshotOf(store: RemoteStore, table: string) {
  const snapshot = await readSnapshot(store, table);
  if (snapshot === undefined) throw new Error(`${table} has no log`);
  return snapshot;
}
