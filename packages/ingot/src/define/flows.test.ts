import { describe, expect, it } from "vitest";
import { api, declared, refusal, untyped } from "./api-fixture.js";

const { sql, appendFlow, replaceFlow, createAutoCdcFlow, createAutoCdcFromSnapshotFlow, createStreamingTable } = api;
const query = sql`SELECT 1`;
const change = { target: "t", source: "s", keys: ["id"], sequenceBy: "seq" } as const;

describe("flows", () => {
  it("take their name from the target and give the target on", () => {
    const made = declared(() => {
      const target = createStreamingTable("a.t");
      const flow = appendFlow({ target, query });
      expect(flow.target).toBe(target);
      expect(appendFlow({ target: "a.t", query, name: "more", once: true, comment: "c" })).toMatchObject({
        name: "more",
        target: { kind: "reference", name: "a.t" },
      });
    });
    const name = { catalog: "spark_catalog", schema: "a", table: "t" };
    expect(made.flows).toMatchObject([
      { kind: "query", name: "t", target: name, query: { text: "SELECT 1" } },
      { kind: "query", name: "more", target: name, once: true, comment: "c" },
    ]);
    expect(made.flows[0]).not.toHaveProperty("once");
  });

  it("replace by a condition, or by keys", () => {
    const { flows } = declared(() => {
      replaceFlow({ target: "t", query, replaceWhere: "day = '2026-01-01'" });
      replaceFlow({ target: "t", query, name: "u", replaceUsing: ["id"], sequenceBy: "seq" });
    });
    expect(flows).toMatchObject([
      { kind: "replace", replaceWhere: { text: "day = '2026-01-01'" } },
      { kind: "replace", replaceUsing: ["id"], sequenceBy: "seq" },
    ]);
  });

  it("apply changes: the source is read as a stream, several sequence columns are a STRUCT", () => {
    const { flows } = declared(() => {
      createAutoCdcFlow(change);
      createAutoCdcFlow({
        target: "t",
        name: "n",
        source: api.changeFeed(api.ref("x"), { startingVersion: 0 }),
        keys: ["id"],
        sequenceBy: ["a", "b c"],
        applyAsDeletes: "op = 'D'",
        exceptColumnList: ["op"],
        storedAsScdType: 2,
        trackHistoryExceptColumnList: ["v"],
        ignoreNullUpdates: { on: ["v"] },
        ties: "delete",
        onInvalid: "quarantine",
        maxDeleteShare: 0.2,
        onArchiveDelete: "keep",
        once: true,
      });
      createAutoCdcFlow({ ...change, name: "listed", columnsToUpdate: "written" });
    });
    expect(flows[2]).toMatchObject({ kind: "auto-cdc", name: "listed", columnsToUpdate: "written" });
    expect(flows[0]).toMatchObject({
      kind: "auto-cdc",
      name: "t",
      source: { text: "STREAM s" },
      keys: ["id"],
      sequenceBy: { text: "seq" },
      storedAs: "scd1",
    });
    expect(flows[1]).toMatchObject({
      source: { text: "STREAM x WITH (readChangeFeed = true, startingVersion = 0)" },
      sequenceBy: { text: "struct(a, `b c`)" },
      applyAsDeletes: { text: "op = 'D'" },
      exceptColumnList: ["op"],
      storedAs: "scd2",
      trackHistoryExceptColumnList: ["v"],
      ignoreNullUpdates: { on: ["v"] },
      ties: "delete",
      onInvalid: "quarantine",
      maxDeleteShare: 0.2,
      onArchiveDelete: "keep",
      once: true,
    });
  });

  it("apply snapshots", () => {
    const { flows } = declared(() => {
      createAutoCdcFromSnapshotFlow({ target: "t", source: "silver.s", keys: ["id"], minRowShare: 0.5 });
    });
    expect(flows).toMatchObject([
      {
        kind: "auto-cdc-from-snapshot",
        source: { text: "silver.s" },
        keys: ["id"],
        storedAs: "scd1",
        minRowShare: 0.5,
      },
    ]);
  });

  it.each<[string, () => unknown, string]>([
    ["no options", () => appendFlow(untyped(undefined)), "BAD_OPTION"],
    ["no target", () => appendFlow(untyped({ query })), "BAD_OPTION"],
    [
      "an external table as target",
      () => appendFlow({ target: untyped(api.externalTable("x.y.z")), query }),
      "BAD_OPTION",
    ],
    ["a qualified name", () => appendFlow({ target: "t", query, name: "a.b" }), "MULTIPART_FLOW_NAME_NOT_SUPPORTED"],
    ["neither way to replace", () => replaceFlow(untyped({ target: "t", query })), "BAD_OPTION"],
    [
      "both ways to replace",
      () => replaceFlow(untyped({ target: "t", query, replaceWhere: "x", sequenceBy: "y" })),
      "BAD_OPTION",
    ],
    ["half a way to replace", () => replaceFlow(untyped({ target: "t", query, replaceUsing: ["x"] })), "BAD_OPTION"],
    ["no key", () => createAutoCdcFlow(untyped({ ...change, keys: [] })), "AUTOCDC_EMPTY_KEYS"],
    ["keys left out", () => createAutoCdcFlow(untyped({ ...change, keys: undefined })), "AUTOCDC_EMPTY_KEYS"],
    [
      "no sequence",
      () => createAutoCdcFlow(untyped({ ...change, sequenceBy: undefined })),
      "AUTOCDC_MISSING_SEQUENCE_BY",
    ],
    [
      "both column lists",
      () => createAutoCdcFlow(untyped({ ...change, columnList: ["a"], exceptColumnList: ["b"] })),
      "AUTOCDC_BOTH_COLUMN_LIST_AND_EXCEPT_COLUMN_LIST",
    ],
    [
      "a history of type 1",
      () => createAutoCdcFlow(untyped({ ...change, trackHistoryColumnList: ["a"] })),
      "BAD_OPTION",
    ],
    [
      "truncates of type 2",
      () => createAutoCdcFlow(untyped({ ...change, storedAsScdType: 2, applyAsTruncates: "x" })),
      "BAD_OPTION",
    ],
    ["an unknown type", () => createAutoCdcFlow(untyped({ ...change, storedAsScdType: 3 })), "BAD_OPTION"],
    [
      "both null lists",
      () => createAutoCdcFlow(untyped({ ...change, ignoreNullUpdates: { on: ["a"], except: ["b"] } })),
      "BAD_OPTION",
    ],
    [
      "a snapshot without key",
      () => createAutoCdcFromSnapshotFlow(untyped({ target: "t", source: "s" })),
      "AUTOCDC_EMPTY_KEYS",
    ],
  ])("refuse %s", (_what, call, code) => {
    expect(refusal(call).code).toBe(code);
  });
});
