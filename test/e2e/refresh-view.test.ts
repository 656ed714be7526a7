import { readdirSync, writeFileSync } from "node:fs";
import { appendRows, deleteRows, localStore, readChangeRows, readSnapshot } from "@ingot/delta";
import { describe, expect, it } from "vitest";
import { events, ingot, LANDING, projectMaker, refusal, rows } from "./cli.js";

const project = projectMaker();
const tableOf = (folder: string, name: string) => `${folder}/storage/warehouse/default/${name}`;
const versionOf = async (folder: string, name: string) =>
  (await readSnapshot(localStore, tableOf(folder, name)))?.version;

const FEED = "'delta.enableChangeDataFeed' = 'true'";
const VECTORS = "'delta.enableDeletionVectors' = 'true'";
/** DISTINCT looks beyond the groups, so changes cannot be followed. */
const files = (clauses: string, query = "SELECT DISTINCT v, count(*) AS n FROM src GROUP BY v") => ({
  "transformations/src.sql": `CREATE STREAMING TABLE src AS SELECT id, v FROM STREAM ${LANDING};`,
  "transformations/v.sql": `CREATE MATERIALIZED VIEW v ${clauses.startsWith("'") ? `TBLPROPERTIES (${clauses})` : clauses} AS ${query};`,
  "transformations/w.sql": "CREATE MATERIALIZED VIEW w AS SELECT sum(n) AS n FROM v;",
  "landing/1.csv": "id,v\n1,a\n2,b\n3,c\n4,c\n5,d\n6,e\n7,f\n8,g\n9,h\n10,i\n11,j\n",
});

/** How a run computed the view, and the rows that it has then. */
async function refresh(folder: string, ...args: readonly string[]) {
  const { code, events: told } = await events(folder, ...args);
  expect(code).toBe(0);
  const planning = told.find(
    ({ event_type: type, origin }) => type === "planning_information" && origin.dataset_name?.endsWith(".v"),
  );
  const flow = told.find(({ message }) => message.endsWith(".v has COMPLETED."));
  return {
    planning:
      planning === undefined || !("planning_information" in planning.details)
        ? undefined
        : planning.details.planning_information,
    metrics: flow !== undefined && "flow_progress" in flow.details ? flow.details.flow_progress.metrics : undefined,
    reason: flow !== undefined && "flow_progress" in flow.details ? flow.details.flow_progress.reason : undefined,
  };
}
const add = (folder: string, text: string) =>
  writeFileSync(`${folder}/landing/${readdirSync(`${folder}/landing`).length + 1}.csv`, `id,v\n${text}\n`);

describe("a view that is computed anew", () => {
  it.each([
    ["the table records its changes", FEED],
    ["the table records its changes", `${FEED}, ${VECTORS}`],
    ["few rows differ", VECTORS],
  ])("writes only the difference: %s (%s)", async (reason, properties) => {
    const folder = project(files(properties));
    expect((await refresh(folder)).planning).toBeUndefined();
    add(folder, "12,c");
    const { planning, metrics } = await refresh(folder);
    const computed = "COMPLETE_RECOMPUTE: DISTINCT compares groups with each other";
    expect(planning).toEqual({ computed, technique: "difference", inserted_rows: 1, deleted_rows: 1, reason });
    expect(metrics).toMatchObject({ num_output_rows: 1, num_deleted_rows: 1, table_version: 1 });
    expect(await rows(folder, "SELECT n FROM v WHERE v = 'c'")).toEqual([{ n: "3" }]);
    expect(await rows(folder, "SELECT count(*) AS n FROM v")).toEqual([{ n: "10" }]);
    expect(await rows(folder, "SELECT n FROM w")).toEqual([{ n: "12" }]);
    expect((await ingot(["dry-run"], { cwd: folder })).stdout).toMatch(/v +nothing +unchanged/);
    if (!properties.includes(FEED)) return;
    const changes: string[] = [];
    const snapshot = await readSnapshot(localStore, tableOf(folder, "v"));
    if (snapshot === undefined) throw new Error("the view has a table");
    for await (const row of readChangeRows(localStore, snapshot, 1n))
      changes.push(`${row._change_type} ${row["v"]} ${row["n"]}`);
    expect(changes.sort()).toEqual(["delete c 2", "insert c 3"]);
  });

  it.each([
    ["the table has no deletion vectors", "", "12,c"],
    ["many rows differ", VECTORS, "12,a\n13,b\n14,c\n15,d\n16,e"],
  ])("writes all rows: %s", async (reason, properties, text) => {
    const folder = project(files(properties));
    await refresh(folder);
    add(folder, text);
    expect((await refresh(folder)).planning).toMatchObject({ technique: "overwrite", reason });
    expect(await rows(folder, "SELECT n FROM v WHERE v = 'c'")).toEqual([{ n: "3" }]);
  });

  it.each(["", FEED, VECTORS])(
    "writes nothing where its rows are the same, and is not computed again",
    async (properties) => {
      const folder = project({
        ...files(properties, "SELECT v FROM src WHERE id < 5"),
        "transformations/w.sql": "CREATE MATERIALIZED VIEW w AS SELECT count(*) AS n FROM v;",
      });
      await refresh(folder);
      const before = await versionOf(folder, "v");
      add(folder, "12,c");
      const { planning, metrics } = await refresh(folder);
      expect(planning).toMatchObject({ technique: "unchanged", inserted_rows: 0, deleted_rows: 0 });
      expect(metrics).toMatchObject({ num_output_rows: 0 });
      expect(await versionOf(folder, "v")).toBe(before);
      expect((await refresh(folder)).reason).toBe("unchanged: the same query over the same inputs");
      add(folder, "0,z");
      expect((await refresh(folder)).planning?.technique).not.toBe("unchanged");
      expect((await rows(folder, "SELECT v FROM v ORDER BY v")).flatMap(Object.values)).toEqual([
        "a",
        "b",
        "c",
        "c",
        "z",
      ]);
    },
  );

  it("counts equal rows, and tells what is equal from what is the same", async () => {
    const query =
      "SELECT CASE WHEN count(*) < 12 THEN 0D ELSE -0D END AS d, CAST(NULL AS STRING) AS s FROM src UNION ALL SELECT 1D, v FROM src WHERE v = 'c'";
    const folder = project({ ...files(FEED, query), "transformations/w.sql": "" });
    await refresh(folder);
    add(folder, "12,c");
    expect((await refresh(folder)).planning).toMatchObject({
      technique: "difference",
      inserted_rows: 2,
      deleted_rows: 1,
    });
    expect(await rows(folder, "SELECT CAST(d AS STRING) AS d, s FROM v ORDER BY d, s")).toEqual([
      { d: "-0.0", s: null },
      { d: "1.0", s: "c" },
      { d: "1.0", s: "c" },
      { d: "1.0", s: "c" },
    ]);
  });

  it("puts right what another writer did, and is made wholly anew by a full refresh", async () => {
    const folder = project(files(`${FEED}, ${VECTORS}`));
    await refresh(folder);
    await deleteRows(localStore, tableOf(folder, "v"), (row) => row["v"] === "a");
    await appendRows(localStore, tableOf(folder, "v"), [{ v: "x", n: 7n }]);
    const computed = "COMPLETE_RECOMPUTE: another writer changed the table";
    expect(await refresh(folder)).toMatchObject({ planning: { computed, inserted_rows: 1, deleted_rows: 1 } });
    expect(await rows(folder, "SELECT count(*) AS n, sum(n) AS s FROM v")).toEqual([{ n: "10", s: "11" }]);
    expect((await refresh(folder, "--full-refresh", "v")).planning).toBeUndefined();
  });

  it("is written anew where its columns or its properties change", async () => {
    const folder = project(files(FEED));
    await refresh(folder);
    writeFileSync(
      `${folder}/transformations/v.sql`,
      files(FEED, "SELECT v, count(*) AS n, max(id) AS m FROM src GROUP BY v")["transformations/v.sql"],
    );
    expect((await refresh(folder)).planning).toBeUndefined();
    expect(await rows(folder, "SELECT m FROM v WHERE v = 'c'")).toEqual([{ m: "4" }]);
  });
});

describe("a view that follows the changes of its inputs", () => {
  const BY_GROUP = "SELECT v, count(*) AS n, max(id) AS last FROM src GROUP BY v";

  it("reads what was appended, through views, and says so", async () => {
    const folder = project({
      ...files("", "SELECT v, count(*) AS n FROM few GROUP BY v"),
      "transformations/few.sql": "CREATE TEMPORARY VIEW few AS SELECT id, v FROM src WHERE id < 100;",
    });
    await refresh(folder);
    add(folder, "12,c\n100,c");
    expect((await refresh(folder)).planning).toEqual({
      computed: "INCREMENTAL: the groups of the rows that changed in its inputs",
      technique: "difference",
      inserted_rows: 1,
      deleted_rows: 1,
      reason: "its other rows stay",
    });
    expect(await rows(folder, "SELECT n FROM v WHERE v = 'c'")).toEqual([{ n: "3" }]);
    add(folder, "101,c");
    expect((await refresh(folder)).planning).toMatchObject({ technique: "unchanged" });
    expect((await ingot(["dry-run"], { cwd: folder })).stdout).toMatch(/v +nothing +unchanged/);
  });

  it("reads the change feed where rows change and go", async () => {
    const folder = project({
      ...files("REFRESH POLICY INCREMENTAL STRICT", BY_GROUP),
      "transformations/src.sql": `CREATE STREAMING TABLE raw AS SELECT id, v FROM STREAM ${LANDING};
        CREATE STREAMING TABLE src TBLPROPERTIES (${FEED}, ${VECTORS});
        CREATE FLOW f AS AUTO CDC INTO src FROM STREAM(raw) KEYS (id) APPLY AS DELETE WHEN v = 'z' SEQUENCE BY v COLUMNS *;`,
    });
    await refresh(folder);
    add(folder, "2,c\n1,z");
    expect((await refresh(folder)).planning?.computed).toMatch(/^INCREMENTAL/);
    expect(await rows(folder, "SELECT v, n, last FROM v WHERE v IN ('a', 'b', 'c')")).toEqual([
      { v: "c", n: "3", last: "4" },
    ]);
  });

  it("follows changes through UNION ALL, DISTINCT, windows and totals to what the query gives", async () => {
    const queries = {
      both: "SELECT id, v FROM src WHERE v < 'd' UNION ALL SELECT id, 'raw' FROM raw WHERE id > 3",
      values: "SELECT DISTINCT v FROM src",
      last: "SELECT v, id, count(*) OVER (PARTITION BY v) AS n FROM src QUALIFY row_number() OVER (PARTITION BY v ORDER BY id DESC) = 1",
      counts: "SELECT count(*) AS n, count_if(v = 'c') AS c FROM src",
    };
    const views = Object.entries(queries).map(
      ([name, query]) => `CREATE MATERIALIZED VIEW ${name} REFRESH POLICY INCREMENTAL STRICT AS ${query};`,
    );
    const folder = project({
      "transformations/all.sql": `CREATE STREAMING TABLE raw AS SELECT id, v FROM STREAM ${LANDING};
        CREATE STREAMING TABLE src TBLPROPERTIES (${FEED}, ${VECTORS});
        CREATE FLOW f AS AUTO CDC INTO src FROM STREAM(raw) KEYS (id) APPLY AS DELETE WHEN v = 'z' SEQUENCE BY v COLUMNS *;
        ${views.join("\n")}`,
      "landing/1.csv": "id,v\n1,a\n2,b\n3,c\n4,c\n5,d\n",
    });
    await events(folder);
    for (const changes of ["2,c\n1,z", "6,e\n3,z\n4,d"]) {
      add(folder, changes);
      const { code, events: told } = await events(folder);
      expect(code).toBe(0);
      const computed = told.flatMap(({ details }) =>
        "planning_information" in details ? [details.planning_information.computed.split(":")[0]] : [],
      );
      expect(computed).toEqual(["INCREMENTAL", "INCREMENTAL", "INCREMENTAL", "INCREMENTAL"]);
      for (const [name, query] of Object.entries(queries))
        expect(await rows(folder, `SELECT * FROM ${name} ORDER BY ALL`), name).toEqual(
          await rows(folder, `SELECT * FROM (${query}) ORDER BY ALL`),
        );
    }
  }, 60_000);

  it("is computed anew where its definition or its source is another, whatever the policy", async () => {
    const folder = project(files("REFRESH POLICY INCREMENTAL STRICT", BY_GROUP));
    await refresh(folder);
    const other = BY_GROUP.replace("max", "min");
    writeFileSync(
      `${folder}/transformations/v.sql`,
      files("REFRESH POLICY INCREMENTAL STRICT", other)["transformations/v.sql"],
    );
    expect((await refresh(folder)).planning?.computed).toBe("COMPLETE_RECOMPUTE: the definition changed");
    expect(await rows(folder, "SELECT last FROM v WHERE v = 'c'")).toEqual([{ last: "3" }]);
  });

  it("refuses what it cannot follow, by the policy, and leaves the table as it was", async () => {
    const folder = project(files("REFRESH POLICY INCREMENTAL STRICT", BY_GROUP));
    await refresh(folder);
    expect((await ingot(["run", "--full-refresh", "src"], { cwd: folder })).code).toBe(0);
    for (const _ of ["", "and again"])
      expect(await refusal(folder, "run")).toMatchObject({
        errors: [{ code: "MATERIALIZED_VIEW_NOT_INCREMENTALIZABLE" }],
      });
    expect(await versionOf(folder, "v")).toBe(0n);
    writeFileSync(
      `${folder}/transformations/v.sql`,
      files("REFRESH POLICY INCREMENTAL", BY_GROUP)["transformations/v.sql"],
    );
    expect((await refresh(folder)).planning?.computed).toMatch(
      /^COMPLETE_RECOMPUTE: the changes of src cannot be told/,
    );
  });

  it("refuses the policy for a query that never can, before the run", async () => {
    const folder = project(files("REFRESH POLICY INCREMENTAL"));
    const { code, errors } = await refusal(folder, "dry-run");
    expect(code).toBe(3);
    expect(errors).toMatchObject([
      { code: "MATERIALIZED_VIEW_NOT_INCREMENTALIZABLE", at: "transformations/v.sql:1:1" },
    ]);
  });
});
