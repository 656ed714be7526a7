import { afterAll, describe, expect, it } from "vitest";
import { api, refusal, untyped } from "./api-fixture.js";
import { loadProject } from "./load-project.js";
import { outsideScope } from "./outside.js";
import { errorsOf, removeProjects, writeProject } from "./project-fixture.js";
import { createTestingApi } from "./testing.js";

afterAll(removeProjects);

const { collect, given, evaluate } = createTestingApi(outsideScope());
const { sql, createStreamingTable, createAutoCdcFlow, materializedView } = api;

const dimension = (name: string) =>
  createAutoCdcFlow({ target: createStreamingTable(`gold.dim_${name}`), source: "s", keys: ["id"], sequenceBy: "seq" });

describe("collect", () => {
  it("gives what a helper declares, and its SQL", () => {
    const made = collect(() => {
      dimension("customer");
    });
    expect(made.datasets.map((d) => d.name)).toEqual(["gold.dim_customer"]);
    expect(made.flows.map((f) => [f.name, f.target.name])).toEqual([["dim_customer", "gold.dim_customer"]]);
    expect(made.statements()).toContain("CREATE STREAMING TABLE gold.dim_customer");
  });

  it("may stand within another, and ends when its function throws", () => {
    const outer = collect(() => {
      expect(collect(() => void materializedView("inner", sql`SELECT 1`)).datasets).toHaveLength(1);
      expect(() =>
        collect(() => {
          materializedView("lost", sql`SELECT 1`);
          throw new RangeError("stop");
        }),
      ).toThrow(RangeError);
      materializedView("outer", sql`SELECT 1`);
    });
    expect(outer.datasets.map((d) => d.name)).toEqual(["outer"]);
  });

  it("refuses a function that waits", () => {
    expect(refusal(() => collect(untyped(async () => {}))).code).toBe("NOT_SUPPORTED");
  });
});

describe("loadProject", () => {
  const FILES = {
    "ingot.yml":
      "name: shop\nstorage: storage\nlibraries:\n  - glob: {include: definitions/**}\nconfiguration:\n  path: config.json\n",
    "definitions/bronze.ts": `
      import { config, fileExists, readJson, sql, table } from "ingot";
      for (const name of (await readJson<{ tables: string[] }>(config("path"))).tables) {
        if (await fileExists("raw/" + name)) table("bronze." + name, sql\`SELECT 1\`);
      }`,
    "definitions/gold.sql": "CREATE MATERIALIZED VIEW gold.total AS SELECT count(*) AS n FROM bronze.a;",
    "definitions/bronze.test.ts": "throw 1;",
    "config.json": `{ "tables": ["a"] }`,
    "raw/a": "",
  };

  it("loads .sql and .ts as one project, evaluated afresh", async () => {
    const root = writeProject(FILES);
    for (let i = 0; i < 2; i++) {
      const made = await loadProject(root);
      expect(made.datasets.map((d) => [d.kind, d.name])).toEqual([
        ["materialized-view", "gold.total"],
        ["streaming-table", "bronze.a"],
      ]);
      expect(made.flows.map((f) => f.name)).toEqual(["total", "a"]);
      expect(made.statements()).toContain("count(*)");
    }
  });

  it("loads some files, with other settings and files instead of the disk's", async () => {
    const made = await loadProject(writeProject(FILES), {
      only: ["definitions/bronze.ts"],
      configuration: { path: "other.json" },
      files: { "other.json": { tables: ["a", "b"] }, "raw/b": "x" },
    });
    expect(made.datasets.map((d) => d.name)).toEqual(["bronze.b"]);
  });

  it("tells the faults of .sql and .ts together", async () => {
    const root = writeProject({
      ...FILES,
      "definitions/gold.sql": "CREATE MATERIALIZED;",
      "definitions/bronze.ts": `import { sql, table } from "ingot";\ntable("a.b.c.d", sql\`SELECT 1\`);`,
    });
    expect(await errorsOf(root, loadProject(root))).toEqual([
      expect.stringMatching(/definitions\/gold.sql:1:/),
      "INVALID_IDENTIFIER definitions/bronze.ts:2:8",
    ]);
  });

  it("refuses files that it does not know, and paths out of the project", async () => {
    const root = writeProject(FILES);
    await expect(loadProject(root, { only: ["definitions/bronz.ts"] })).rejects.toMatchObject({
      code: "BAD_OPTION",
      hint: "Did you mean definitions/bronze.ts?",
    });
    await expect(loadProject(root, { files: { "../x": "" } })).rejects.toMatchObject({ code: "BAD_OPTION" });
  });
});

describe("what is not there yet", () => {
  it("is refused by name", async () => {
    const table = materializedView("t", sql`SELECT 1`);
    expect(given(table, [{ a: 1n }])).toEqual({ name: "t", rows: [{ a: 1n }] });
    await expect(evaluate(table, [])).rejects.toMatchObject({ code: "NOT_SUPPORTED" });
  });
});
