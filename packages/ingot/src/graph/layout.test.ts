import { describe, expect, it } from "vitest";
import { layoutOf } from "./layout.js";
import { columns, dataset, tableState, thrown } from "./test-builders.js";

const SCHEMA = columns("Region string, order_id int");

describe("layoutOf", () => {
  it("gives the columns as the schema writes them", () => {
    const clustered = dataset("t", "streaming-table", { clusterBy: ["ORDER_ID", "region"] });
    expect(layoutOf(clustered, SCHEMA, tableState())).toEqual({ clusterBy: ["order_id", "Region"] });
    const partitioned = dataset("t", "streaming-table", { partitionBy: ["region"] });
    expect(layoutOf(partitioned, SCHEMA, undefined)).toEqual({ partitionBy: ["Region"] });
    expect(layoutOf(dataset("t", "streaming-table"), SCHEMA, undefined)).toEqual({});
  });

  it("refuses a column that is not there, with the nearest", () => {
    const error = thrown(() => layoutOf(dataset("t", "streaming-table", { clusterBy: ["regoin"] }), SCHEMA, undefined));
    expect(error).toMatchObject({ code: "UNRESOLVED_COLUMN.WITH_SUGGESTION", hint: "Did you mean Region?" });
  });

  it("refuses both at once", () => {
    const both = dataset("t", "streaming-table", { clusterBy: ["region"], partitionBy: ["order_id"] });
    expect(thrown(() => layoutOf(both, SCHEMA, undefined)).code).toBe(
      "SPECIFY_CLUSTER_BY_WITH_PARTITIONED_BY_IS_NOT_ALLOWED",
    );
  });

  it("refuses other partition columns for a table that keeps its rows", () => {
    const partitioned = dataset("t", "streaming-table", { partitionBy: ["region"] });
    const error = thrown(() => layoutOf(partitioned, SCHEMA, tableState({ partitionBy: ["order_id"] })));
    expect(error.code).toBe("CANNOT_UPDATE_PARTITION_COLUMNS");
    expect(error.message).toContain("partitioned by order_id, and is declared with Region");
  });
});
