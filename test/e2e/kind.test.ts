import { rmSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { ingot, LANDING, projectMaker, rows, writeProject } from "./cli.js";

const project = projectMaker();
const STREAMING = `CREATE STREAMING TABLE t AS SELECT * FROM STREAM ${LANDING};`;
const VIEW = "CREATE MATERIALIZED VIEW t AS SELECT 7L AS id, 'mv' AS v;";

describe("a streaming table that is declared a materialized view, or the other way round", () => {
  it("is refused with both kinds, and keeps its rows; a full refresh may do it", async () => {
    const folder = project({ "transformations/t.sql": STREAMING, "landing/1.csv": "id,v\n1,a\n2,b\n" });
    expect((await ingot(["run"], { cwd: folder })).code).toBe(0);
    writeProject(folder, { "transformations/t.sql": VIEW });
    const refused = await ingot(["dry-run"], { cwd: folder });
    expect(refused.code).toBe(3);
    expect(refused.stderr).toContain("was a streaming table and is declared a materialized view");
    expect((await ingot(["run"], { cwd: folder })).code).not.toBe(0);
    expect(await rows(folder, "SELECT count(*) AS n FROM t")).toEqual([{ n: "2" }]);
    expect((await ingot(["run", "--full-refresh", "t"], { cwd: folder })).code).toBe(0);
    expect(await rows(folder, "SELECT id FROM t")).toEqual([{ id: "7" }]);
    writeProject(folder, { "transformations/t.sql": STREAMING });
    expect((await ingot(["dry-run"], { cwd: folder })).stderr).toContain("DATASET_KIND_CHANGED");
  });
});

describe("a damaged checkpoint", () => {
  const batch = (folder: string, n: number) => `${folder}/storage/_checkpoints/spark_catalog/default/t/t/${n}`;

  it.each([
    ["a manifest that is no JSON", (path: string) => writeFileSync(`${path}/batch-0.json`, "{")],
    ["a generation without its id", (path: string) => rmSync(`${path}/metadata.json`)],
  ])("is told, and a full refresh leads out of it: %s", async (_, damage) => {
    const folder = project({ "transformations/t.sql": STREAMING, "landing/1.csv": "id,v\n1,a\n" });
    await ingot(["run"], { cwd: folder });
    damage(batch(folder, 0));
    expect((await ingot(["run"], { cwd: folder })).stderr).toContain("CHECKPOINT_DAMAGED");
    expect((await ingot(["run", "--full-refresh", "t"], { cwd: folder })).code).toBe(0);
    expect(await rows(folder, "SELECT id FROM t")).toEqual([{ id: "1" }]);
    expect((await ingot(["run"], { cwd: folder })).code).toBe(0);
  });
});
