import { expect, it } from "vitest";
import type { Dataset } from "../model/definition.js";
import type { CompiledQuery } from "../model/query.js";
import { refuseRefreshPolicy } from "./refresh-policy.js";
import { dataset, graphFlow, graphNode, queryFlow } from "./test-builders.js";

const LINEAR: Partial<CompiledQuery> = { deterministic: true, propagation: { linear: { r0: [] } } };

function refused(policy: Dataset["refreshPolicy"], query: Partial<CompiledQuery>): string[] {
  const view = dataset("m", "materialized-view", policy === undefined ? {} : { refreshPolicy: policy });
  const node = graphNode(view, [graphFlow(queryFlow("m"), {}, query)]);
  return refuseRefreshPolicy(node).map(({ code, message }) => `${code} ${message}`);
}

it.each(["incremental", "incremental strict"] as const)(
  "refuses %s where the query cannot follow changes",
  (policy) => {
    const fault = `MATERIALIZED_VIEW_NOT_INCREMENTALIZABLE spark_catalog.default.m: REFRESH POLICY ${policy.toUpperCase()}, and`;
    expect(refused(policy, LINEAR)).toEqual([]);
    expect(refused(policy, { entangled: "LIMIT" })).toEqual([`${fault} LIMIT`]);
    expect(refused(policy, { dialect: "duckdb" })).toEqual([
      `${fault} the changes of what a dialect's query reads are not followed`,
    ]);
    expect(refused(policy, { ...LINEAR, deterministic: false })).toEqual([`${fault} the query is not deterministic`]);
  },
);

it.each([undefined, "auto", "full"] as const)("lets every query pass: %s", (policy) => {
  expect(refused(policy, {})).toEqual([]);
});
