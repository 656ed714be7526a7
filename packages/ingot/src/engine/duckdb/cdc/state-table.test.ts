import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { rejected } from "../../../graph/test-builders.js";
import { END_AT, START_AT } from "../../../model/changes.js";
import { type TestEvent, type TestTarget, targetMaker, testRules } from "./test-changes.js";

const openTarget = targetMaker();

const makeTarget = (...given: Parameters<typeof testRules>): TestTarget => openTarget(testRules(...given));
const upsert = (k: string, seq: number, v = "x"): TestEvent => ({ kind: "upsert", k, seq, v, w: null });
const remove = (k: string, seq: number): TestEvent => ({ kind: "delete", k, seq, v: null, w: null });
const FIRST = [upsert("a", 1), upsert("b", 1), remove("c", 5)];
const state = (target: TestTarget) => target.read(join(target.folder, "state"), "k, __ingot_sequence, __ingot_deleted");

describe("the state", () => {
  it("has the sequence of every key where the target has none", async () => {
    const target = makeTarget("state");
    await target.apply(FIRST);
    await target.apply([upsert("a", 2), remove("b", 2)]);
    expect((await state(target)).sort()).toEqual([
      ["a", "2", "false"],
      ["b", "2", "true"],
      ["c", "5", "true"],
    ]);
  });

  it("has the tombstones alone where the target has the sequences, and loses them when a key comes back", async () => {
    const target = makeTarget("column");
    await target.apply(FIRST);
    await target.apply([upsert("c", 6), remove("b", 2)]);
    expect(await state(target)).toEqual([["b", "2", "true"]]);
  });

  it("forgets tombstones that are older than the table keeps them", async () => {
    const target = makeTarget("column");
    await target.apply(FIRST);
    const at = (planned: string) => ({ planned, tombstoneSeconds: 3600 });
    await target.apply([remove("a", 2)], at("2026-10-01T01:00:00.000Z"));
    expect((await state(target)).map(([k]) => k).sort()).toEqual(["a", "c"]);
    await target.apply([upsert("d", 1)], at("2026-10-01T01:00:01.000Z"));
    expect((await state(target)).map(([k]) => k)).toEqual(["a"]);
    // Late, and nobody knows any more.
    await target.apply([upsert("c", 4), upsert("a", 1)]);
    expect(await target.rows()).toEqual(["b:x:null", "c:x:null", "d:x:null"]);
  });
});

it.each([
  ["upsert", ["a:back:null"]],
  ["delete", []],
] as const)("gives ties between a tombstone and an upsert that comes later to the %s", async (ties, rows) => {
  const target = makeTarget("state", { ties });
  await target.apply([upsert("a", 1)]);
  await target.apply([remove("a", 6)]);
  await target.apply([upsert("a", 5, "late")]);
  expect(await target.rows()).toEqual([]);
  await target.apply([upsert("a", 6, "back")]);
  expect(await target.rows()).toEqual(rows);
});

it("forgets old deletes of type 2 that ended nothing; those that ended a version stay with it", async () => {
  const target = openTarget(testRules("state", { storedAs: "scd2" }));
  const bound = (name: string) => ({ name, type: { kind: "bigint" }, nullable: true }) as const;
  const columns = [...target.rules.columns, bound(START_AT), bound(END_AT)];
  const at = (planned: string) => ({ columns, planned, tombstoneSeconds: 3600 });
  const versions = async () =>
    (await target.read(target.location, `k, ${START_AT}, ${END_AT}`)).map((row) => row.map(String).join(" ")).sort();
  await target.apply([upsert("a", 1), remove("a", 5), remove("b", 5), remove("c", 5)], at("2026-10-01T00:00:00.000Z"));
  // Not yet forgotten: what comes late ends where it was deleted.
  await target.apply([upsert("b", 2)], at("2026-10-01T01:00:00.000Z"));
  await target.apply([remove("d", 9)], at("2026-10-01T01:00:01.000Z"));
  expect((await state(target)).map(([k]) => k)).toEqual(["d"]);
  await target.apply([upsert("a", 3), upsert("b", 3), upsert("c", 2)], at("2026-10-01T01:00:02.000Z"));
  expect(await versions()).toEqual(["a 1 5", "b 2 5", "c 2 null"]);
});

describe("a batch is refused", () => {
  it("where the keys are not those of before", async () => {
    const target = makeTarget("state");
    await target.apply(FIRST);
    const other = { rules: { ...target.rules, keys: ["k", "v"] } };
    expect(await rejected(target.apply([upsert("a", 2)], other))).toMatchObject({
      code: "AUTOCDC_INVALID_STATE.KEY_SCHEMA_DRIFT",
      message: "c.s.t was made with the keys k, and AUTO CDC names k, v",
    });
  });

  it.each([
    [{ sequenceType: { kind: "string" } } as const, "its sequence was bigint, and is string"],
    [{ sequenceColumn: "v" }, "its changes were ordered by an expression, and now by the column v"],
  ])("where the sequence is another: %j", async (more, message) => {
    const target = makeTarget("state");
    await target.apply(FIRST);
    expect(await rejected(target.apply([upsert("a", 2)], { rules: { ...target.rules, ...more } }))).toMatchObject({
      code: "AUTOCDC_INVALID_STATE.SEQUENCING_TYPE_DRIFT",
      message: `c.s.t: ${message}`,
    });
  });

  it("where the state is gone, and the rows with their order are there", async () => {
    const target = makeTarget("state");
    await target.apply(FIRST);
    rmSync(join(target.folder, "state"), { recursive: true });
    expect(await rejected(target.apply([upsert("a", 2)]))).toMatchObject({ code: "CHECKPOINT_DAMAGED" });
    expect(await target.rows()).toEqual(["a:x:null", "b:x:null"]);
  });

  it("where another flow has begun one and not finished it, until that is done", async () => {
    const target = makeTarget("state");
    await target.apply(FIRST);
    target.onCommit = (path) => {
      if (path.includes("/t/")) throw new Error("the process dies");
    };
    await target.apply([upsert("a", 3, "mine")]).catch(() => undefined);
    target.onCommit = () => {};
    const other = [upsert("a", 2, "other")];
    expect(await rejected(target.replay(other, { flow: "g" }))).toMatchObject({ code: "AUTOCDC_BATCH_PENDING" });
    await target.replay([upsert("a", 3, "mine")]);
    await target.replay(other, { flow: "g" });
    expect(await target.rows()).toEqual(["a:mine:null", "b:x:null"]);
  });
});

it("counts before-images, which change nothing", async () => {
  const target = makeTarget("state", { beforeImages: true });
  const counts = await target.apply([upsert("a", 1), { ...upsert("a", 2, "before"), isBefore: true }]);
  expect(counts).toMatchObject({ read: 2, inserted: 1, beforeImages: 1 });
  expect(await target.rows()).toEqual(["a:x:null"]);
});

it("adds columns that come later in the commit of the batch, and keeps what a column had that went", async () => {
  const target = makeTarget("state");
  const without = (name: string) => target.rules.columns.filter((column) => column.name !== name);
  const narrow = { rules: { ...target.rules, columns: without("w") }, columns: without("w") };
  await target.apply([upsert("a", 1), upsert("b", 1)], narrow);
  await target.apply([{ ...upsert("a", 2), w: "new" }]);
  expect(await target.rows()).toEqual(["a:x:new", "b:x:null"]);
  await target.apply([upsert("a", 3, "y")], { rules: narrow.rules });
  expect(await target.rows()).toEqual(["a:y:new", "b:x:null"]);
});

it("writes a change feed and deletion vectors where the table says so", async () => {
  const target = makeTarget("state");
  const properties = { "delta.enableDeletionVectors": "true", "delta.enableChangeDataFeed": "true" };
  await target.apply(FIRST, { properties });
  await target.apply([upsert("a", 2, "y"), remove("b", 2)], { properties });
  expect(await target.changes(1n)).toEqual(["a:x:update_preimage", "a:y:update_postimage", "b:x:delete"]);
});
