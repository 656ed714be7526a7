import { describe, expect, it } from "vitest";
import { sapTable } from "../public/sap.js";
import { api, declared, refusal, untyped } from "./api-fixture.js";

const landed = api.readFiles("landing", { format: "parquet" });

describe("sapTable", () => {
  it("declares two streaming tables, a view and a flow, and gives them", () => {
    let made: { readonly [part: string]: unknown } = {};
    const { datasets, flows } = declared(() => {
      made = { ...sapTable("vbfa", { from: landed, names: { snapshot: "silver.flow" } }) };
    });
    expect(datasets.map(({ kind, name }) => `${kind} ${name.schema}.${name.table}`)).toEqual([
      "streaming-table bronze.vbfa",
      "temporary-view default.vbfa_cdf",
      "streaming-table silver.flow",
    ]);
    expect(flows.map(({ kind, name }) => `${kind} ${name}`)).toEqual(["query vbfa", "query vbfa_cdf", "auto-cdc flow"]);
    expect(made).toMatchObject({ bronze: { name: "bronze.vbfa" }, snapshot: { name: "silver.flow" }, table: "vbfa" });
    const places = new Set([...datasets, ...flows].map(({ at }) => `${at.line}:${at.column}`));
    expect(places.size).toBe(1);
  });

  it("takes the whole key, and clusters by four columns of it, as Delta can", () => {
    const { datasets, flows } = declared(() => {
      sapTable("VBFA", { from: landed });
    });
    const key = ["mandt", "vbelv", "posnv", "vbeln", "posnn", "vbtyp_n"];
    expect(flows.at(-1)).toMatchObject({ keys: key });
    expect(datasets.at(-1)).toMatchObject({ clusterBy: key.slice(0, 4) });
  });

  it("hands its options to the declarations that they are of", () => {
    const { datasets, flows } = declared(() => {
      sapTable("VBAK", {
        from: landed,
        changeFormat: "slt",
        expectations: [api.expect("named", "ernam IS NOT NULL")],
        quarantine: "q.vbak",
        gate: { maxFailedShare: 0.1 },
        drift: { added: "stop" },
        comment: "orders",
        clusterBy: ["vbeln"],
        scdType: 2,
        ties: "upsert",
        maxDeleteShare: 0.5,
        applyAsDeletes: "operation_flag = 'A'",
      });
    });
    const [, view, snapshot] = datasets;
    expect(view).toMatchObject({ quarantine: "q.vbak", gate: { maxFailedShare: 0.1 }, drift: { added: "stop" } });
    expect(view?.expectations.at(-1)).toMatchObject({ name: "named", action: "warn" });
    expect(snapshot).toMatchObject({ comment: "orders", clusterBy: ["vbeln"] });
    expect(flows.at(-1)).toMatchObject({
      storedAs: "scd2",
      maxDeleteShare: 0.5,
      applyAsDeletes: { text: "operation_flag = 'A'" },
      trackHistoryExceptColumnList: ["event_ts"],
    });
    expect(flows.at(-1)).not.toHaveProperty("ties", "delete");
  });

  it("is refused as other calls are, outside of a load at once", () => {
    expect(refusal(() => sapTable("VBAK", untyped({ from: landed, colums: "typed" })))).toMatchObject({
      code: "UNKNOWN_OPTION",
      hint: "Did you mean `columns`?",
    });
  });
});
