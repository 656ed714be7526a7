import { describe, expect, it } from "vitest";
import type { Definitions } from "../model/definition.js";
import type { IngotError } from "../model/error.js";
import { register } from "./register.js";
import { at, dataset, keyOf, queryFlow, tableName } from "./test-builders.js";

const project = (more: Partial<Definitions>): Definitions => ({
  datasets: [],
  flows: [],
  externals: [],
  notices: [],
  ...more,
});

function faults(more: Partial<Definitions>) {
  const errors: IngotError[] = [];
  register(project(more), errors);
  return errors.map(({ code, at: place, hint }) => ({ code, line: place?.line, hint }));
}

describe("register", () => {
  it("finds the flows of each dataset, names compared without case", () => {
    const flows = [queryFlow("T"), queryFlow("t", "SELECT 1", { name: "more" }), queryFlow("v")];
    const errors: IngotError[] = [];
    const registry = register(project({ datasets: [dataset("t"), dataset("V", "view")], flows }), errors);
    expect(errors).toEqual([]);
    expect(registry.flows.get(keyOf("t"))).toEqual([flows[0], flows[1]]);
    expect(registry.flows.get(keyOf("v"))).toEqual([flows[2]]);
  });

  it("tells both places of a doubled dataset, and nothing that only follows from it", () => {
    const datasets = [dataset("t", "streaming-table", { at: at(3) }), dataset("T", "materialized-view", { at: at(7) })];
    expect(faults({ datasets, flows: [queryFlow("t"), queryFlow("T")] })).toEqual([
      {
        code: "PIPELINE_DUPLICATE_IDENTIFIERS.DATASET",
        line: 7,
        hint: "The other one stands at /p/all.sql:3:1. Names are compared without case; rename one.",
      },
    ]);
  });

  it("tells both places of a doubled flow", () => {
    const flows = [queryFlow("t", "SELECT 1", { at: at(2) }), queryFlow("t", "SELECT 1", { name: "T", at: at(9) })];
    const [fault, ...others] = faults({ datasets: [dataset("t")], flows });
    expect(others).toEqual([]);
    expect(fault).toMatchObject({ code: "PIPELINE_DUPLICATE_IDENTIFIERS.FLOW", line: 9 });
    expect(fault?.hint).toContain("/p/all.sql:2:1");
  });

  it("takes temporary views of two schemas for one, since queries write their last part alone", () => {
    const datasets = [
      dataset("t"),
      dataset("a.v", "temporary-view", { at: at(1) }),
      dataset("b.V", "temporary-view", { at: at(5) }),
    ];
    const flows = [queryFlow("t"), queryFlow("a.v"), queryFlow("b.V")];
    expect(faults({ datasets, flows })).toMatchObject([{ code: "PIPELINE_DUPLICATE_IDENTIFIERS.DATASET", line: 5 }]);
  });

  it("refuses an external table that the project declares itself", () => {
    const externals = [{ name: tableName("T"), at: at(8) }];
    expect(faults({ datasets: [dataset("t")], flows: [queryFlow("t")], externals })).toMatchObject([
      { code: "PIPELINE_DUPLICATE_IDENTIFIERS.DATASET", line: 8 },
    ]);
  });

  it.each(["view", "temporary-view", "materialized-view"] as const)("refuses a second query of a %s", (kind) => {
    const flows = [queryFlow("v"), queryFlow("v", "SELECT 1", { name: "more", at: at(4) }), queryFlow("t")];
    expect(faults({ datasets: [dataset("v", kind), dataset("t")], flows })).toMatchObject([
      { code: "MATERIALIZED_VIEW_WITH_MULTIPLE_QUERIES", line: 4 },
    ]);
  });

  it("refuses a flow into a table that nobody declares", () => {
    const flows = [queryFlow("t"), queryFlow("order", "SELECT 1", { at: at(6) }), queryFlow("xyz")];
    expect(faults({ datasets: [dataset("t"), dataset("orders")], flows })).toMatchObject([
      { code: "UNKNOWN_TARGET", line: 6, hint: "Did you mean spark_catalog.default.orders?" },
      { code: "UNKNOWN_TARGET" },
      { code: "PIPELINE_DATASET_WITHOUT_FLOW" },
    ]);
  });

  it("refuses a project without a table", () => {
    const views = { datasets: [dataset("v", "view")], flows: [queryFlow("v")] };
    expect(faults({})).toMatchObject([{ code: "RUN_EMPTY_PIPELINE" }]);
    expect(faults(views)).toMatchObject([{ code: "RUN_EMPTY_PIPELINE" }]);
  });
});
