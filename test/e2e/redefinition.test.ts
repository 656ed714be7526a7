import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { events, ingot, rows, SPEC, temporaryFolder, writeProject } from "./cli.js";

const FILES = "read_files('landing', format => 'csv', header => true, schema => 'id BIGINT, name STRING')";

describe("a definition that changes between runs", () => {
  const folder = temporaryFolder();
  const define = (sql: string) => writeProject(folder, { "ingot.yml": SPEC, "transformations/all.sql": sql });
  const metadata = (table: string, version: number) => {
    const path = join(
      folder,
      "storage/warehouse/default",
      table,
      "_delta_log",
      `${String(version).padStart(20, "0")}.json`,
    );
    return readFileSync(path, "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { metaData?: { description?: string; configuration: Record<string, string> } })
      .find((action) => action.metaData !== undefined)?.metaData;
  };

  it("reaches the tables without new rows, once", async () => {
    writeProject(folder, { "landing/a.csv": "id,name\n1,a\n" });
    define(`CREATE STREAMING TABLE b AS SELECT id, name FROM STREAM ${FILES};
      CREATE MATERIALIZED VIEW g AS SELECT count(*) AS n FROM b;`);
    expect((await ingot(["run"], { cwd: folder })).code).toBe(0);
    define(`CREATE STREAMING TABLE b COMMENT 'every line' TBLPROPERTIES ('quality' = 'bronze') AS SELECT id, name FROM STREAM ${FILES};
      CREATE MATERIALIZED VIEW g COMMENT 'how many' AS SELECT count(*) AS n FROM b;`);
    expect((await ingot(["run"], { cwd: folder })).code).toBe(0);
    expect(metadata("b", 1)).toMatchObject({ description: "every line", configuration: { quality: "bronze" } });
    expect(metadata("g", 1)).toMatchObject({ description: "how many" });
    expect(await rows(folder, "SELECT id, name FROM b")).toEqual([{ id: "1", name: "a" }]);
    const again = await events(folder);
    expect(again.events.filter((e) => e.message.endsWith("has COMPLETED.")).map((e) => e.details)).toEqual([
      { flow_progress: { status: "COMPLETED", reason: "nothing new", metrics: { num_output_rows: 0 } } },
      {
        flow_progress: {
          status: "COMPLETED",
          reason: "unchanged: the same query over the same inputs",
          metrics: { num_output_rows: 0 },
        },
      },
    ]);
  });

  it("adds a column to a streaming table: old rows read NULL, and history is kept when its files are gone (V07)", async () => {
    writeProject(folder, { "landing/b.csv": "id,name\n2,b\n" });
    define(`CREATE STREAMING TABLE b AS SELECT id, name, upper(name) AS big FROM STREAM ${FILES};
      CREATE MATERIALIZED VIEW g AS SELECT count(*) AS n FROM b;`);
    expect((await ingot(["run"], { cwd: folder })).code).toBe(0);
    expect(await rows(folder, "SELECT * FROM b ORDER BY id")).toEqual([
      { id: "1", name: "a", big: null },
      { id: "2", name: "b", big: "B" },
    ]);
  });

  it("refuses a changed type by name, and leaves everything as it was", async () => {
    define(`CREATE STREAMING TABLE b AS SELECT CAST(id AS STRING) AS id, name FROM STREAM ${FILES};
      CREATE MATERIALIZED VIEW g AS SELECT count(*) AS n FROM b;`);
    const { code, stderr } = await ingot(["run"], { cwd: folder });
    expect(code).toBe(3);
    expect(stderr).toContain("CANNOT_MERGE_INCOMPATIBLE_DATA_TYPE");
    expect(stderr).toContain("id is bigint in the table and string in the query");
  });
});
