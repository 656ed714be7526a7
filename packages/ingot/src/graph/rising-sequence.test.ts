import { expect, it } from "vitest";
import type { ChangeRules } from "../model/changes.js";
import type { AutoCdcFlow } from "../model/definition.js";
import { sqlText } from "../model/position.js";
import type { RowRules } from "../model/rule.js";
import type { GraphFlow, GraphInput } from "./graph.js";
import { markRising } from "./rising-sequence.js";
import { at, columns, compiled, DEFAULTS, queryFlow, tableName } from "./test-builders.js";

const RULES: ChangeRules = {
  storedAs: "scd1",
  keys: ["id"],
  columns: columns("id int, _commit_version bigint"),
  sequenceType: { kind: "bigint" },
  truncates: false,
  beforeImages: true,
  archived: false,
  ties: "upsert",
  ignoreNulls: [],
  tracked: [],
  sequenceColumn: "_commit_version",
};
const FEED = { kind: "table", stream: true, location: "/t", name: "t", options: { changeFeed: true } } as const;
const copied = (relation: string, column: string) => ({ relation, column, how: "copied" }) as const;

function changeFlow(input: GraphInput, more: Partial<AutoCdcFlow> = {}, rules: Partial<ChangeRules> = {}): GraphFlow {
  const base = { name: "f", target: tableName("t"), at: at(), defaults: DEFAULTS, source: sqlText("STREAM s") };
  return {
    flow: { kind: "auto-cdc", ...base, keys: ["id"], sequenceBy: sqlText("seq"), storedAs: "scd1", ...more },
    query: compiled({
      schema: columns("id int, __ingot_sequence bigint"),
      lineage: { columns: [[copied("r0", "id")], [copied("r0", "_commit_version")]], influences: [] },
    }),
    inputs: new Map([["r0", input]]),
    changes: { ...RULES, ...rules },
  };
}

const ASIDE: RowRules = {
  dataset: "v",
  rules: [],
  absent: [],
  sensitive: [],
  quarantine: { name: "q", location: "/q" },
};

/** A view over a change feed. */
function view(
  column: ReturnType<typeof copied> | { how: "computed"; relation: string; column: string },
  more: Partial<GraphFlow> = {},
): GraphInput {
  const query = compiled({
    schema: columns("_commit_version bigint"),
    lineage: { columns: [[column]], influences: [] },
  });
  const inputs = new Map([["r0", FEED]]);
  return { kind: "view", stream: true, view: { flow: queryFlow("v"), query, inputs, ...more } };
}

it("takes the version of a change feed, also through a view, and needs no column for it", () => {
  for (const flow of [
    changeFlow(FEED),
    changeFlow(view(copied("r0", "_commit_version"))),
    changeFlow(FEED, {}, { storedAs: "scd2" }),
  ]) {
    const { changes } = markRising(flow, true);
    expect(changes).toMatchObject({ rises: true });
    expect(changes).not.toHaveProperty("sequenceColumn");
  }
});

/** A flow that is ordered by a STRUCT, over columns of a change feed. */
function structFlow(sequenceBy: string): GraphFlow {
  const flow = changeFlow(FEED, { sequenceBy: sqlText(sequenceBy) });
  const computed = { relation: "r0", column: "_commit_version", how: "computed" } as const;
  const query = compiled({
    schema: columns("_commit_version bigint, n int, __ingot_sequence bigint"),
    lineage: { columns: [[copied("r0", "_commit_version")], [copied("r0", "n")], [computed]], influences: [] },
  });
  return { ...flow, query };
}

it.each([
  ["STRUCT(_commit_version, n)", true],
  ["struct( `_COMMIT_VERSION` AS v , n)", true],
  ["struct(n, _commit_version)", false],
  ["struct(_commit_version + n, n)", false],
  ["struct(-_commit_version)", false],
])("of %s the first field decides", (sequenceBy, rises) => {
  expect(markRising(structFlow(sequenceBy), true).changes?.rises === true).toBe(rises);
});

it.each<[string, GraphFlow, boolean]>([
  ["another flow fills the table", changeFlow(FEED), false],
  ["the table is read without its feed", changeFlow({ ...FEED, options: {} }), true],
  ["a batch may end within a version", changeFlow({ ...FEED, options: { changeFeed: true, maxFiles: 1 } }), true],
  ["a view sets events aside", changeFlow(view(copied("r0", "_commit_version"), { rules: ASIDE })), true],
  ["the version is computed", changeFlow(view({ how: "computed", relation: "r0", column: "_commit_version" })), true],
  ["another column orders", changeFlow(view(copied("r0", "seq"))), true],
  ["the flow runs one time", changeFlow(FEED, { once: true }), true],
  ["truncates ask for sequences", changeFlow(FEED, {}, { truncates: true }), true],
  ["NULL keeps values", changeFlow(FEED, {}, { ignoreNulls: ["a"] }), true],
  ["a share of rows must be known", changeFlow(FEED, {}, { maxDeleteShare: 0.5 }), true],
])("is not so where %s", (_, flow, isAlone) => {
  expect(markRising(flow, isAlone)).toBe(flow);
});
