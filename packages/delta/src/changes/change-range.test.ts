import { expect, it } from "vitest";
import type { AsOf } from "../snapshot/snapshot.js";
import { localStore } from "../store/local-store.js";
import { metaData, PROTOCOL, setTime, snapshotOf, temporaryFolder, writeLog } from "../testing/test-log.js";
import { resolveChangeRange } from "./change-range.js";

/** A table with the versions 0, 1 and 2 at 10:00, 11:00 and 12:00. */
async function threeVersions(): Promise<string> {
  const table = await temporaryFolder();
  await writeLog(table, [[PROTOCOL, metaData()], [{ commitInfo: {} }], [{ commitInfo: {} }]]);
  for (const version of [0, 1, 2]) await setTime(table, BigInt(version), Date.parse(`2026-10-01T1${version}:00:00Z`));
  return table;
}

const version = (v: bigint): AsOf => ({ version: v });
const time = (hour: string): AsOf => ({ timestamp: `2026-10-01 ${hour}` });
const resolve = async (from: AsOf, to?: AsOf) => {
  const range = await resolveChangeRange(localStore, await snapshotOf(await threeVersions()), from, to);
  return [range.from, range.to];
};

// What Spark 4.2 with Delta Lake answers to table_changes with these ends.
it.each<[string, AsOf, AsOf | undefined, bigint[]]>([
  ["versions", version(1n), version(2n), [1n, 2n]],
  ["an end beyond the newest version", version(1n), version(99n), [1n, 2n]],
  ["no end", version(0n), undefined, [0n, 2n]],
  ["a start between two versions: the later one", time("10:30"), undefined, [1n, 2n]],
  ["a start at a version's moment", time("11:00"), undefined, [1n, 2n]],
  ["a start before the first version", time("01:00"), undefined, [0n, 2n]],
  ["an end between two versions: the earlier one", version(0n), time("11:30"), [0n, 1n]],
  ["both between the same two versions: nothing", time("11:10"), time("11:20"), [2n, 1n]],
])("takes %s", async (_, from, to, expected) => {
  expect(await resolve(from, to)).toEqual(expected);
});

it.each<[string, AsOf, AsOf | undefined, string]>([
  ["a start behind the newest version", version(3n), undefined, "DELTA_CDC_START_VERSION_AFTER_LATEST"],
  ["an end before the start", version(2n), version(1n), "DELTA_INVALID_CDC_RANGE"],
  ["a moment before another", time("12:00"), time("10:00"), "DELTA_INVALID_CDC_RANGE"],
  ["a start after the newest version's moment", time("13:00"), undefined, "DELTA_TIMESTAMP_GREATER_THAN_COMMIT"],
  ["an end after it", version(0n), time("13:00"), "DELTA_TIMESTAMP_GREATER_THAN_COMMIT"],
  ["an end before the first version", version(0n), time("01:00"), "DELTA_TIMESTAMP_EARLIER_THAN_COMMIT_RETENTION"],
  ["what is no moment", { timestamp: "0" }, undefined, "DELTA_TIMESTAMP_INVALID"],
])("refuses %s", async (_, from, to, code) => {
  await expect(resolve(from, to)).rejects.toMatchObject({ code });
});
