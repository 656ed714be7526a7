import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type AddFile, localStore, readSnapshot } from "@ingot/delta";
import { expect, it } from "vitest";
import type { Comparison } from "../../packages/delta/src/files/condition.js";
import { mayMatch, mustMatch } from "../../packages/delta/src/files/prune.js";
import { countRows } from "../../packages/delta/src/files/row-count.js";

/** Tables and values from practice, kept in `fixtures`, for which files must not be left out. */
const fixture = (name: string) => join(import.meta.dirname, "fixtures", name);

async function open(name: string, version: bigint) {
  const snapshot = await readSnapshot(localStore, fixture(name), { version });
  if (snapshot === undefined) throw new Error(`${name} has no log`);
  return snapshot;
}

it.each<[operator: Comparison, value: string, files: number]>([
  ["=", "2024-05-01 10:00:00.123456", 1],
  [">", "2024-05-01 10:00:00.123", 1],
  [">=", "2024-05-01 10:00:00.123400", 1],
  [">", "2024-05-01 10:00:00.124", 0],
])(
  "statistics cut to milliseconds keep the file where it has the row: ts %s %s (V41)",
  async (operator, value, files) => {
    const snapshot = await open("millisecond-statistics", 0n);
    const keep = mayMatch({ kind: "compare", column: ["ts"], operator, value }, snapshot);
    expect(snapshot.files.filter(keep).length).toBe(files);
  },
);

it("rows are counted without the deleted ones, by statistics alone (V40)", async () => {
  const [before, after] = [
    await open("partitioned-deletion-vector", 0n),
    await open("partitioned-deletion-vector", 1n),
  ];
  expect([countRows(before), countRows(after)]).toEqual([3n, 1n]);
  const part = { kind: "compare", column: ["part"], operator: "=", value: 1 } as const;
  expect(after.files.every(mustMatch(part, after))).toBe(true);
  const [file] = after.files;
  expect(countRows({ files: [{ ...(file as AddFile), stats: '{"minValues":{}}' }] })).toBeUndefined();
});

it("each special partition value finds its own file and no other, the empty text is NULL (V39)", () => {
  const rows = readFileSync(fixture("special-partition-values.jsonl"), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const files = rows.map(
    ({ id, p }): AddFile => ({
      path: `${id}`,
      uri: `${id}`,
      partitionValues: { p },
      size: 1,
      modificationTime: 1,
      dataChange: true,
    }),
  );
  const fields = [
    { name: "id", type: { kind: "long" as const }, nullable: true, metadata: {} },
    { name: "p", type: { kind: "string" as const }, nullable: true, metadata: {} },
  ];
  const table = {
    table: "/t",
    schema: { kind: "struct" as const, fields },
    metadata: { configuration: {}, partitionColumns: ["p"] },
  };
  const found = (value: string) =>
    files.filter(mayMatch({ kind: "compare", column: ["p"], operator: "=", value }, table)).map(({ path }) => path);
  // From the case's expected.json: these ten find one row each, and two rows have NULL.
  const values = ["A/B", "C:D", "50%", "ä ö", "x=y", " lead", "trail/", "a+b", "..", "%41"];
  expect(values.map(found)).toEqual(values.map((_, i) => [String(i + 1)]));
  expect(found("")).toEqual([]);
  expect(files.filter(mayMatch({ kind: "isNull", column: ["p"] }, table)).length).toBe(2);
});
