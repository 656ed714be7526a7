import { writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { describe, expect, test } from "vitest";
import { readActions } from "../log/log.js";
import { readHistory } from "../snapshot/history.js";
import { localStore } from "../store/local-store.js";
import { add, ID_SCHEMA, metaData, PROTOCOL, snapshotOf, temporaryFolder, writeLog } from "../testing/test-log.js";
import { shallowClone } from "./clone.js";
import { vacuum } from "./vacuum.js";

const VECTOR = {
  storageType: "u",
  pathOrInlineDv: "ab^-aqEH.-t@S}K{vb[*k^",
  offset: 4,
  sizeInBytes: 40,
  cardinality: 6,
};

describe("shallowClone", () => {
  test("is a table of its own whose files are those of the source", async () => {
    const folder = await temporaryFolder();
    const [source, table] = [join(folder, "the source"), join(folder, "clone")];
    const configuration = { "delta.appendOnly": "true", owner: "x" };
    await writeLog(source, [
      [
        PROTOCOL,
        metaData({ name: "orders", configuration }),
        add("p%20q/a.parquet", { size: 10, stats: '{"numRecords":1}' }),
      ],
    ]);
    expect(await shallowClone(localStore, await snapshotOf(source), table, { configuration: { owner: "y" } })).toEqual({
      version: 0n,
    });
    const clone = await snapshotOf(table);
    expect(clone.files).toMatchObject([{ path: `${source}/p q/a.parquet`, size: 10, stats: '{"numRecords":1}' }]);
    expect(clone.schema).toEqual(ID_SCHEMA);
    expect(clone.metadata.configuration).toEqual({ "delta.appendOnly": "true", owner: "y" });
    expect(clone.metadata.id).not.toBe((await snapshotOf(source)).metadata.id);
    expect(clone.metadata.name).toBeUndefined();
    const [entry] = await readHistory(localStore, table);
    expect(entry?.operation).toBe("CLONE");
    expect(entry?.operationParameters).toEqual(new Map(Object.entries({ source, sourceVersion: "0" })));
    expect(entry?.operationMetrics.get("sourceTableSize")).toBe("10");
  });

  test("names files by URIs that begin at the root, of a source that is named by a relative path, too", async () => {
    const folder = await temporaryFolder();
    const source = join(folder, "s t");
    await writeLog(source, [[PROTOCOL, metaData(), add("a%2520b.parquet")]]);
    await shallowClone(localStore, await snapshotOf(relative(process.cwd(), source)), join(folder, "clone"));
    const actions = await readActions(localStore, join(folder, "clone"), 0n);
    const uris = actions.flatMap((action) => ("add" in action ? [action.add.uri] : []));
    expect(uris).toEqual([`file:${folder}/s%20t/a%2520b.parquet`]);
  });

  test("of a table in an object store keeps its scheme", async () => {
    const folder = await temporaryFolder();
    await writeLog(folder, [[PROTOCOL, metaData(), add("p=1%3A2/a.parquet")]]);
    const source = { ...(await snapshotOf(folder)), table: "s3://bucket/the table/" };
    await shallowClone(localStore, source, join(folder, "clone"));
    const [file] = (await snapshotOf(join(folder, "clone"))).files;
    expect(file?.path).toBe("s3://bucket/the table/p=1:2/a.parquet");
    expect(file?.uri).toBe("s3://bucket/the%20table/p=1%3A2/a.parquet");
  });

  test("takes deletion vectors by absolute path, clustering and features along, row ids and old names of theirs not", async () => {
    const folder = await temporaryFolder();
    const [source, table] = [join(folder, "source"), join(folder, "clone")];
    const writerFeatures = ["clustering", "deletionVectors", "domainMetadata", "rowTracking"];
    const protocol = { minReaderVersion: 3, minWriterVersion: 7, readerFeatures: ["deletionVectors"], writerFeatures };
    const configuration = {
      "delta.enableDeletionVectors": "true",
      "delta.enableRowTracking": "true",
      "delta.rowTracking.materializedRowIdColumnName": "_row-id-col-1",
      "delta.rowTracking.materializedRowCommitVersionColumnName": "_row-commit-version-col-1",
    };
    const clustering = '{"clusteringColumns":[["id"]],"domainName":"delta.clustering"}';
    const stats = '{"numRecords":10,"nullCount":{"id":0}}';
    await writeLog(source, [
      [
        { protocol },
        metaData({ configuration }),
        { domainMetadata: { domain: "delta.clustering", configuration: clustering, removed: false } },
        { domainMetadata: { domain: "delta.rowTracking", configuration: '{"rowIdHighWaterMark":99}', removed: false } },
        add("a.parquet", {
          stats,
          deletionVector: VECTOR,
          baseRowId: 90,
          defaultRowCommitVersion: 0,
          clusteringProvider: "liquid",
        }),
      ],
    ]);
    await shallowClone(localStore, await snapshotOf(source), table);
    const clone = await snapshotOf(table);
    expect(clone.files).toMatchObject([
      {
        clusteringProvider: "liquid",
        baseRowId: 0n,
        deletionVector: {
          storageType: "p",
          pathOrInlineDv: `file:${source}/ab/deletion_vector_d2c639aa-8816-431a-aaf6-d3fe2512ff61.bin`,
          offset: 4,
          cardinality: 6n,
        },
      },
    ]);
    expect(clone.domains.get("delta.clustering")).toBe(clustering);
    expect(clone.protocol.writerFeatures).toEqual(expect.arrayContaining(writerFeatures));
    const hidden = clone.metadata.configuration["delta.rowTracking.materializedRowIdColumnName"];
    expect(hidden).toMatch(/^_row-id-col-/);
    expect(hidden).not.toBe("_row-id-col-1");
  });

  test("leaves the source alone when it is vacuumed", async () => {
    const folder = await temporaryFolder();
    const table = join(folder, "clone");
    await writeLog(folder, [[PROTOCOL, metaData(), add("a.parquet")]]);
    await writeFile(join(folder, "a.parquet"), "");
    await shallowClone(localStore, await snapshotOf(folder), table);
    await writeFile(join(table, "orphan.parquet"), "");
    const forced = { retention: 0, force: true, now: () => Date.now() + 1000 };
    expect((await vacuum(localStore, table, forced)).deleted).toEqual(["orphan.parquet"]);
    // The clone lies within the source's folder: its files are not the source's to delete.
    await writeFile(join(table, "new.parquet"), "");
    expect((await vacuum(localStore, folder, forced)).deleted).toEqual([]);
  });

  test("refuses a place where a table is, and row tracking without counts of rows", async () => {
    const folder = await temporaryFolder();
    await writeLog(folder, [[PROTOCOL, metaData(), add("a.parquet")]]);
    const source = await snapshotOf(folder);
    await expect(shallowClone(localStore, source, folder)).rejects.toMatchObject({
      code: "DELTA_TABLE_ALREADY_EXISTS",
    });
    const configuration = { "delta.enableRowTracking": "true" };
    await expect(shallowClone(localStore, source, join(folder, "c"), { configuration })).rejects.toMatchObject({
      code: "DELTA_CLONE_WITH_ROW_TRACKING_WITHOUT_STATS",
      path: "a.parquet",
    });
  });
});
