import { describe, expect, it } from "vitest";
import { localStore } from "../store/local-store.js";
import { metaData, PROTOCOL, setTime, temporaryFolder, writeLog } from "../testing/test-log.js";
import { readHistory } from "./history.js";
import { readSnapshot } from "./snapshot.js";

const T0 = Date.parse("2024-05-01T10:00:00Z");

async function versionAt(table: string, timestamp: string | number): Promise<bigint | undefined> {
  return (await readSnapshot(localStore, table, { timestamp }))?.version;
}

async function threeCommits(): Promise<string> {
  const table = await temporaryFolder();
  await writeLog(table, [[PROTOCOL, metaData()], [{ txn: { appId: "a", version: 1 } }], [{ commitInfo: {} }]]);
  await setTime(table, 0n, T0);
  await setTime(table, 1n, T0 + 60_000);
  await setTime(table, 2n, T0 + 30_000);
  return table;
}

describe("reading as of a timestamp", () => {
  it("takes the newest version that was there, in UTC", async () => {
    const table = await threeCommits();
    expect(await versionAt(table, T0)).toBe(0n);
    expect(await versionAt(table, "2024-05-01 10:00:59.999999")).toBe(0n);
    expect(await versionAt(table, "2024-05-01T10:01:00Z")).toBe(1n);
    expect(await versionAt(table, "2024-05-01 12:01:00+02:00")).toBe(1n);
    // The third file is older than the second; its time counts as one millisecond later.
    expect(await versionAt(table, "2024-05-01 10:01:00.001")).toBe(2n);
  });

  it.each(["2024-05-01 09:59:59.999", "2024-05-01", "2024-05-01 10:01:00.002", "2025-01-01"])(
    "refuses %s, before the first or after the newest version, and names the range",
    async (timestamp) => {
      const table = await threeCommits();
      await expect(versionAt(table, timestamp)).rejects.toMatchObject({
        code: "DELTA_VERSION_NOT_FOUND",
        message: expect.stringContaining("2024-05-01T10:00:00.000Z to 2024-05-01T10:01:00.001Z"),
      });
    },
  );

  it.each(["yesterday", "2024-02-30", "2024-05-01 25:00", "2024-05-01 10:00:00 Europe/Berlin", Number.NaN, 1e20])(
    "refuses %s, which is no timestamp",
    async (timestamp) => {
      const table = await threeCommits();
      await expect(versionAt(table, timestamp)).rejects.toMatchObject({ code: "DELTA_TIMESTAMP_INVALID" });
    },
  );

  it("goes by in-commit timestamps from the version on that has them", async () => {
    const table = await temporaryFolder();
    const configuration = {
      "delta.enableInCommitTimestamps": "true",
      "delta.inCommitTimestampEnablementVersion": "1",
      "delta.inCommitTimestampEnablementTimestamp": `${T0 + 1000}`,
    };
    await writeLog(table, [
      [{ commitInfo: { inCommitTimestamp: 1 } }, PROTOCOL, metaData()],
      [{ commitInfo: { inCommitTimestamp: T0 + 1000 } }, metaData({ configuration })],
      [{ commitInfo: { inCommitTimestamp: T0 + 5000 } }],
    ]);
    await setTime(table, 0n, T0);
    expect(await versionAt(table, T0 + 999)).toBe(0n);
    expect(await versionAt(table, T0 + 4999)).toBe(1n);
    expect((await readSnapshot(localStore, table))?.timestamp).toBe(T0 + 5000);
    expect((await readSnapshot(localStore, table, { version: 0n }))?.timestamp).toBe(T0);
  });

  it("refuses a commit without the in-commit timestamp that the table demands", async () => {
    const table = await temporaryFolder();
    await writeLog(table, [[PROTOCOL, metaData({ configuration: { "delta.enableInCommitTimestamps": "true" } })]]);
    await expect(readSnapshot(localStore, table)).rejects.toMatchObject({
      code: "DELTA_TABLE_UNREADABLE",
      version: 0n,
    });
  });
});

describe("readHistory", () => {
  it("tells what each commit says of itself, newest first", async () => {
    const table = await temporaryFolder();
    const commitInfo = {
      timestamp: 7,
      operation: "WRITE",
      operationParameters: { mode: "Append", statsOnLoad: false, description: null },
      operationMetrics: { numFiles: "1" },
      isBlindAppend: true,
      engineInfo: "Apache-Spark/4.2.0 Delta-Lake/4.4.0",
      userMetadata: "note",
    };
    await writeLog(table, [[PROTOCOL, metaData()], [{ commitInfo }]]);
    await setTime(table, 0n, T0);
    await setTime(table, 1n, T0 + 1);
    const unknown = { operation: undefined, isBlindAppend: undefined, engineInfo: undefined, userMetadata: undefined };
    expect(await readHistory(localStore, table)).toEqual([
      {
        version: 1n,
        timestamp: T0 + 1,
        operation: "WRITE",
        operationParameters: new Map([
          ["mode", "Append"],
          ["statsOnLoad", "false"],
        ]),
        operationMetrics: new Map([["numFiles", "1"]]),
        isBlindAppend: true,
        engineInfo: "Apache-Spark/4.2.0 Delta-Lake/4.4.0",
        userMetadata: "note",
      },
      { version: 0n, timestamp: T0, operationParameters: new Map(), operationMetrics: new Map(), ...unknown },
    ]);
  });

  it("refuses a folder without a log", async () => {
    const table = await temporaryFolder();
    await expect(readHistory(localStore, table)).rejects.toMatchObject({ code: "NO_DELTA_TABLE", table });
  });
});
