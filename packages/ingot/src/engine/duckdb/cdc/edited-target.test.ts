import { appendRows, deleteRows, localStore, updateRows } from "@ingot/delta";
import { describe, expect, it } from "vitest";
import { END_AT, START_AT } from "../../../model/changes.js";
import { type TestEvent, targetMaker, testRules } from "./test-changes.js";

const openTarget = targetMaker();
const upsert = (k: string, seq: number, v: string): TestEvent => ({ kind: "upsert", k, seq, v, w: null });
const remove = (k: string, seq: number): TestEvent => ({ kind: "delete", k, seq, v: null, w: null });

describe.each(["state", "column"] as const)(
  "a table of type 1 that was edited by hand, its sequences in the %s",
  (place) => {
    const row = (k: string, v: string) => ({ k, v, w: null, ...(place === "column" ? { seq: 5n } : {}) });

    it("has of each key what its next newer change says; what is late does not undo the edit", async () => {
      const target = openTarget(testRules(place));
      await target.apply(["a", "b", "c"].map((k) => upsert(k, 5, "x")));
      await updateRows(localStore, target.location, { set: () => ({ v: "hand" }), where: ({ k }) => k === "a" });
      await deleteRows(localStore, target.location, ({ k }) => k === "b");
      await appendRows(localStore, target.location, [row("d", "hand")]);
      await target.apply([upsert("a", 4, "late")]);
      expect(await target.rows()).toEqual(["a:hand:null", "c:x:null", "d:hand:null"]);
      await target.apply([upsert("a", 6, "new"), upsert("b", 6, "back"), upsert("d", 6, "new")]);
      expect(await target.rows()).toEqual(["a:new:null", "b:back:null", "c:x:null", "d:new:null"]);
      await target.apply([remove("d", 7), upsert("b", 5, "late")]);
      expect(await target.rows()).toEqual(["a:new:null", "b:back:null", "c:x:null"]);
    });

    it("changes all rows of a key, and says that there are several", async () => {
      const target = openTarget(testRules(place));
      await target.apply([upsert("a", 5, "x"), upsert("b", 5, "x")]);
      await appendRows(localStore, target.location, [row("a", "twice"), row("b", "twice")]);
      expect(await target.apply([upsert("a", 6, "y"), remove("b", 6)])).toMatchObject({
        read: 2,
        updated: 1,
        deleted: 1,
      });
      expect(target.notice).toBe(
        "c.s.t: 2 rows share their keys with another, which another writer has put there: each got the change.",
      );
      expect(await target.rows()).toEqual(["a:y:null", "a:y:null"]);
    });
  },
);

it("a table of type 2 takes versions that were written by hand for its own", async () => {
  const target = openTarget(testRules("state", { storedAs: "scd2" }));
  const bound = (name: string) => ({ name, type: { kind: "bigint" }, nullable: true }) as const;
  const options = { columns: [...target.rules.columns, bound(START_AT), bound(END_AT)] };
  await target.apply([upsert("a", 1, "x"), upsert("a", 5, "y"), upsert("b", 1, "x")], options);
  await appendRows(localStore, target.location, [{ k: "c", v: "hand", w: null, [START_AT]: 3n, [END_AT]: null }]);
  await updateRows(localStore, target.location, { set: () => ({ v: "hand" }), where: (r) => r[START_AT] === 5n });
  await deleteRows(localStore, target.location, ({ k }) => k === "b");
  await target.apply([upsert("a", 3, "late"), upsert("b", 4, "new"), upsert("c", 6, "new")], options);
  const versions = await target.read(target.location, `k, v, ${START_AT}, ${END_AT}`);
  expect(versions.map((row) => row.map(String).join(" ")).sort()).toEqual([
    "a hand 5 null",
    "a late 3 5",
    "a x 1 3",
    "b new 4 null",
    "c hand 3 6",
    "c new 6 null",
  ]);
});
