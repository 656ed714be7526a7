import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { events, filesBelow, ingot, LANDING, projectMaker, refusal, rows, storedFiles, writeProject } from "./cli.js";

const project = projectMaker();

/** What a table may be asked to keep; names and values in any case. */
const PROPERTIES: Readonly<Record<string, string>> = {
  plain: "'quality' = 'bronze'",
  mapped: "'delta.columnMapping.mode' = 'name'",
  by_id: "'DELTA.COLUMNMAPPING.MODE' = 'ID'",
  tracked: "'delta.enableRowTracking' = 'TRUE', 'delta.enableDeletionVectors' = 'true'",
  timed: "'delta.enableInCommitTimestamps' = 'true', 'delta.enableTypeWidening' = 'true'",
  fed: "'delta.enableChangeDataFeed' = 'true', 'delta.feature.vacuumProtocolCheck' = 'enabled'",
  everything: `'delta.columnMapping.mode' = 'name', 'delta.enableRowTracking' = 'true', 'delta.enableDeletionVectors' = 'true',
    'delta.enableInCommitTimestamps' = 'true', 'delta.enableTypeWidening' = 'true', 'delta.checkpointPolicy' = 'v2'`,
};
const NAMES = Object.keys(PROPERTIES);
const FOLDER = (table: string) => `storage/warehouse/default/${table}`;

/** By version, which kinds of action the commit has. */
function actions(folder: string, table: string): string[][] {
  const log = `${folder}/${FOLDER(table)}/_delta_log`;
  return readdirSync(log)
    .filter((name) => /^\d+\.json$/.test(name))
    .sort()
    .map((name) => {
      const lines = readFileSync(`${log}/${name}`, "utf8").trim().split("\n");
      return lines.flatMap((line) => Object.keys(JSON.parse(line) as object));
    });
}

it("table properties of Delta are kept: rows read back right, and no later run states the definition again", async () => {
  const streams = NAMES.map(
    (name) => `CREATE STREAMING TABLE ${name} TBLPROPERTIES (${PROPERTIES[name]}) AS
      SELECT id, named_struct('v', v, 'n', array(named_struct('x', id))) AS s FROM STREAM ${LANDING};`,
  );
  const views = NAMES.map(
    (name) => `CREATE MATERIALIZED VIEW mv_${name} TBLPROPERTIES (${PROPERTIES[name]}) AS
      SELECT s.v, s.n[0].x AS x, count(*) AS rows FROM ${name} GROUP BY ALL;`,
  );
  const folder = project({
    "transformations/all.sql": [...streams, ...views].join("\n"),
    "landing/1.csv": "id,v\n1,a\n2,b\n",
  });
  expect(await ingot(["run"], { cwd: folder })).toMatchObject({ code: 0 });
  writeProject(folder, { "landing/2.csv": "id,v\n3,c\n" });
  expect((await ingot(["run"], { cwd: folder })).code).toBe(0);
  for (const name of NAMES) {
    expect(await rows(folder, `SELECT id, s.v AS v, s.n[0].x AS x FROM ${name} ORDER BY id`)).toEqual([
      { id: "1", v: "a", x: "1" },
      { id: "2", v: "b", x: "2" },
      { id: "3", v: "c", x: "3" },
    ]);
    expect(await rows(folder, `SELECT * FROM mv_${name} ORDER BY v`)).toEqual(
      ["a", "b", "c"].map((v, i) => ({ v, x: String(i + 1), rows: "1" })),
    );
    for (const table of [name, `mv_${name}`]) {
      const [first, second, ...more] = actions(folder, table);
      expect(first).toContain("metaData");
      expect(second).not.toContain("metaData");
      expect(second).not.toContain("protocol");
      expect(more).toEqual([]);
    }
  }
  const idle = await events(folder);
  const done = idle.events.flatMap((event) => ("flow_progress" in event.details ? [event.details.flow_progress] : []));
  const reasons = done.flatMap(({ status, reason }) => (status === "COMPLETED" ? [reason] : []));
  expect(new Set(reasons)).toEqual(new Set(["nothing new", "unchanged: the same query over the same inputs"]));
  expect(reasons).toHaveLength(2 * NAMES.length);
}, 120_000);

it("with column mapping a column may have any name, and columns come later", async () => {
  const define = (select: string) =>
    `CREATE STREAMING TABLE t TBLPROPERTIES ('delta.columnMapping.mode' = 'name') AS SELECT ${select} FROM STREAM ${LANDING};`;
  const folder = project({
    "transformations/all.sql": define("id AS `Order No. (SAP)`"),
    "landing/1.csv": "id,v\n1,a\n",
  });
  expect((await ingot(["run"], { cwd: folder })).code).toBe(0);
  writeProject(folder, {
    "transformations/all.sql": define("id AS `Order No. (SAP)`, v AS `Net, Price`"),
    "landing/2.csv": "id,v\n2,b\n",
  });
  expect((await ingot(["run"], { cwd: folder })).code).toBe(0);
  expect(await rows(folder, "SELECT * FROM t ORDER BY 1")).toEqual([
    { "Order No. (SAP)": "1", "Net, Price": null },
    { "Order No. (SAP)": "2", "Net, Price": "b" },
  ]);
});

it("a property that comes later is set once, and so is one that goes", async () => {
  const define = (properties: string) => ({
    "transformations/all.sql": `CREATE STREAMING TABLE t TBLPROPERTIES (${properties}) AS SELECT * FROM STREAM ${LANDING};`,
  });
  const folder = project({ ...define("'a' = '1'"), "landing/1.csv": "id,v\n1,a\n" });
  const steps = ["'a' = '1'", "'a' = '1', 'delta.enableRowTracking' = 'true'", "'delta.columnMapping.mode' = 'name'"];
  for (const [i, properties] of steps.entries()) {
    writeProject(folder, { ...define(properties), [`landing/${i + 1}.csv`]: `id,v\n${i + 1},a\n` });
    for (let times = 0; times < 2; times += 1) expect((await ingot(["run"], { cwd: folder })).code).toBe(0);
  }
  expect(actions(folder, "t").map((kinds) => kinds.includes("metaData"))).toEqual([true, true, true]);
  expect(await rows(folder, "SELECT id FROM t ORDER BY id")).toEqual([{ id: "1" }, { id: "2" }, { id: "3" }]);
});

it("refuses what a table cannot have before anything is written, all at once, where it is declared", async () => {
  const folder = project({
    "transformations/all.sql": [
      "CREATE MATERIALIZED VIEW a TBLPROPERTIES ('delta.apendOnly' = 'true') AS SELECT 1 AS x;",
      "CREATE MATERIALIZED VIEW b TBLPROPERTIES ('delta.checkpointInterval' = 'ten') AS SELECT 1 AS x;",
      "CREATE MATERIALIZED VIEW c TBLPROPERTIES ('delta.columnMapping.maxColumnId' = '9') AS SELECT 1 AS x;",
      "CREATE MATERIALIZED VIEW d TBLPROPERTIES ('delta.feature.teleport' = 'supported') AS SELECT 1 AS x;",
      "CREATE MATERIALIZED VIEW e AS SELECT 1 AS `net price`;",
      "CREATE VIEW f AS SELECT 1 AS `net price`;",
    ].join("\n"),
  });
  const { code, errors } = await refusal(folder, "run");
  expect(code).toBe(3);
  expect(errors.map((error) => [error.at, error.code])).toEqual([
    ["transformations/all.sql:1:1", "DELTA_UNKNOWN_CONFIGURATION"],
    ["transformations/all.sql:2:1", "DELTA_VIOLATE_TABLE_PROPERTY_VALIDATION_FAILED"],
    ["transformations/all.sql:3:1", "DELTA_CANNOT_MODIFY_TABLE_PROPERTY"],
    ["transformations/all.sql:4:1", "DELTA_UNSUPPORTED_FEATURES_IN_CONFIG"],
    ["transformations/all.sql:5:1", "DELTA_INVALID_CHARACTERS_IN_COLUMN_NAMES"],
  ]);
  expect(errors[0]?.message).toContain("delta.apendOnly");
  expect(errors[4]?.message).toContain("net price");
  expect(storedFiles(folder)).toEqual([]);
});

it("refuses a row without a value in a NOT NULL column, of any type, with the column and a row", async () => {
  const folder = project({
    "transformations/all.sql": `CREATE STREAMING TABLE flat (id BIGINT NOT NULL, v STRING) AS SELECT * FROM STREAM ${LANDING};
CREATE STREAMING TABLE nested (s STRUCT<v: STRING> NOT NULL) TBLPROPERTIES ('delta.columnMapping.mode' = 'name') AS
  SELECT CASE WHEN id IS NOT NULL THEN named_struct('v', v) END AS s FROM STREAM ${LANDING};`,
    "landing/1.csv": "id,v\n1,a\n,b\n,c\n",
  });
  const { code, errors } = await refusal(folder, "run");
  expect(code).toBe(1);
  expect(errors.map((error) => error.code)).toEqual(Array(2).fill("DELTA_NOT_NULL_CONSTRAINT_VIOLATED"));
  expect(errors.map((error) => error.message).sort()).toEqual([
    expect.stringMatching(/column: id\. 2 rows, such as .*NULL/),
    expect.stringMatching(/column: s\. 2 rows, such as .*NULL/),
  ]);
  expect(filesBelow(`${folder}/storage/warehouse`)).toEqual([]);
});
