import { readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { removeProjects, writeProject } from "../../define/project-fixture.js";
import { columns } from "../../graph/test-builders.js";
import { planTarget } from "../tables/plan-target.js";
import { watchSyncs } from "../test-syncs.js";
import { DuckdbSession } from "./duckdb-session.js";
import { stageFiles } from "./stage-files.js";

afterAll(removeProjects);

async function write(folder: string, query: string) {
  const session = new DuckdbSession(writeProject({}));
  try {
    const schema = columns("a int");
    const plan = planTarget({ location: folder, name: "t", schema, properties: {} }, "append", undefined);
    return await session.use(new AbortController().signal, (connection) => stageFiles(connection, plan, query, schema));
  } finally {
    await session.close();
  }
}

it("has the file and its name on disk when it returns, the folders of a new table too", async () => {
  const warehouse = writeProject({});
  const table = join(warehouse, "shop/orders");
  const wasSynced = await watchSyncs();
  const [written] = await write(table, "SELECT 1 AS a");
  expect(written).toMatchObject({ stats: { numRecords: 1 } });
  const paths = [warehouse, join(warehouse, "shop"), table, join(table, written?.file.path ?? "")];
  expect(paths.filter((path) => !wasSynced(path))).toEqual([]);
});

it("leaves no file where there is no row, or where the query fails", async () => {
  const table = writeProject({});
  expect(await write(table, "SELECT 1 AS a WHERE false")).toEqual([]);
  await expect(write(table, "SELECT error('no') AS a")).rejects.toThrow("no");
  expect(readdirSync(table)).toEqual([]);
});
