import { collect, loadProject } from "ingot/testing";
import { dimension } from "./gold";

declare function test(name: string, run: () => void | Promise<void>): void;
declare function assertEqual(a: unknown, b: unknown): void;

test("a dimension is a table and a flow", () => {
  const made = collect(() => {
    dimension("customer", ["market"]);
  });
  assertEqual(
    made.datasets.map((d) => d.name),
    ["gold.dim_customer"],
  );
  assertEqual(made.flows.length, 1);
});

test("a missing extract is left out", async () => {
  const made = await loadProject(".", {
    only: ["bronze.ts"],
    configuration: { config_path: "config.json" },
    files: {
      "config.json": { bronze_tables: ["EKKO", "EKPO"], bronze_source_relative_path: "raw" },
      "raw/EKKO.csv": "EBELN\n1\n",
    },
  });
  assertEqual(
    made.datasets.map((d) => d.name),
    ["bronze.ekko"],
  );
});
