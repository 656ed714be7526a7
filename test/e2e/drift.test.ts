import { writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { events, ingot, projectMaker, refusal, rows } from "./cli.js";

const project = projectMaker();

/** A source of one row, whose columns the query says, a silver copy of it, and a table that is made of that. */
const sql = (columns: string, drift: string, gold = "SELECT id, amount * 2 AS twice FROM silver") =>
  `CREATE MATERIALIZED VIEW source AS SELECT ${columns};
CREATE MATERIALIZED VIEW silver TBLPROPERTIES (${drift}) AS SELECT * FROM source;
CREATE MATERIALIZED VIEW gold AS ${gold};`;
const BEFORE = "1 AS id, CAST(2 AS DECIMAL(13,2)) AS amount, 'x' AS name";
const DEFAULTS = "'ingot.drift.added' = 'notify'";

interface Told {
  readonly level: string;
  readonly message: string;
  readonly drift: { readonly kind: string; readonly column: string; readonly action: string };
}

/** Runs, and gives what was told of drift. */
async function run(folder: string): Promise<{ code: number; told: Told[] }> {
  const result = await events(folder);
  const told = result.events.flatMap(({ level, message, details }) =>
    "notice" in details && "drift" in details.notice
      ? [{ level, message, drift: details.notice["drift"] as Told["drift"] }]
      : [],
  );
  return { code: result.code, told };
}

/** A project that ran once, and whose source has other columns since. */
async function drifted(after: string, drift = DEFAULTS): Promise<string> {
  const folder = project({ "transformations/all.sql": sql(BEFORE, drift) });
  expect(await run(folder)).toEqual({ code: 0, told: [] });
  writeFileSync(`${folder}/transformations/all.sql`, sql(after, drift));
  return folder;
}

async function drift(folder: string, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await ingot(["drift", ...args], { cwd: folder });
  expect(code, stderr).toBe(0);
  return stdout;
}

const silver = async (folder: string) => (await rows(folder, "SELECT * FROM silver"))[0];

const GREW = `${BEFORE}, 7 AS extra`;
const LOST = "1 AS id, CAST(2 AS DECIMAL(13,2)) AS amount";
const WIDER = BEFORE.replace("13,2", "23,2");
const NARROWER = BEFORE.replace("13,2", "10,2");
const RETYPED = BEFORE.replace("CAST(2 AS DECIMAL(13,2))", "'2'");

describe("what a dataset does where the columns of its source changed", () => {
  it("a column that is new is told once and stays out, until it is accepted", async () => {
    const folder = await drifted(GREW);
    const { code, told } = await run(folder);
    expect(code).toBe(0);
    expect(told).toMatchObject([
      {
        level: "WARN",
        message: "silver: spark_catalog.default.source.extra is new (int); it stays out of *.",
        drift: { kind: "added", column: "extra", action: "notify", to: "int" },
      },
    ]);
    expect(await silver(folder)).toEqual({ id: 1, amount: "2.00", name: "x" });
    expect((await run(folder)).told).toEqual([]);
    expect(await drift(folder, "list")).toContain("notify  spark_catalog.default.source.extra is new (int)");
    await drift(folder, "accept", "silver", "--column", "EXTRA", "--reason", "agreed");
    expect((await run(folder)).told).toEqual([]);
    expect(await silver(folder)).toEqual({ id: 1, amount: "2.00", name: "x", extra: 7 });
    expect(await drift(folder, "list")).toBe("silver: as accepted\n");
    expect(await drift(folder, "show", "silver")).toMatch(/accepted {2}.*extra is new \(int\); by tester: agreed/);
  });

  it("a column that is new and named is read", async () => {
    const folder = await drifted(GREW);
    const text = sql(GREW, DEFAULTS).replace("SELECT * FROM source", "SELECT *, extra + 1 AS more FROM source");
    writeFileSync(`${folder}/transformations/all.sql`, text);
    expect((await run(folder)).told[0]?.message).toContain("Made of it: silver.more.");
    expect(await silver(folder)).toEqual({ id: 1, amount: "2.00", name: "x", more: 8 });
  });

  it("one that is gone is NULL; accepted, it is gone", async () => {
    const folder = await drifted(LOST);
    expect((await run(folder)).told).toMatchObject([{ level: "WARN", drift: { kind: "removed", column: "name" } }]);
    expect(await silver(folder)).toEqual({ id: 1, amount: "2.00", name: null });
    await drift(folder, "accept", "silver", "--reason", "nobody used it");
    await run(folder);
    expect(await silver(folder)).toEqual({ id: 1, amount: "2.00" });
  });

  it("a wider type is taken over by itself, and what is made of it is told", async () => {
    const folder = await drifted(WIDER);
    expect((await ingot(["dry-run"], { cwd: folder })).stderr).toContain(
      "WARN: silver: spark_catalog.default.source.amount is decimal(23,2), and was decimal(13,2) (widened); it is taken over.",
    );
    expect((await run(folder)).told).toMatchObject([
      {
        level: "INFO",
        message:
          "silver: spark_catalog.default.source.amount is decimal(23,2), and was decimal(13,2) (widened); it is taken over. Made of it: silver.amount, gold.twice.",
        drift: { kind: "widened", action: "add" },
      },
    ]);
    expect((await run(folder)).told).toEqual([]);
    expect(await drift(folder, "show", "silver")).toContain("(widened); by the option drift");
  });

  it.each([
    ["narrowed", NARROWER, "2.00"],
    ["retyped", RETYPED, "2"],
  ])("a type that is %s stops the dataset and what reads it, until it is accepted", async (kind, after, amount) => {
    const folder = await drifted(after);
    const before = await silver(folder);
    const result = await run(folder);
    expect(result).toMatchObject({ code: 4, told: [{ level: "WARN", drift: { kind, action: "stop" } }] });
    const told = await refusal(folder, "run");
    expect(told.errors).toMatchObject([{ code: "SCHEMA_DRIFT", at: "transformations/all.sql:2:1" }]);
    expect((await refusal(folder, "dry-run")).errors).toMatchObject([{ code: "SCHEMA_DRIFT" }]);
    expect(await silver(folder)).toEqual(before);
    await drift(folder, "accept", "silver", "--reason", "the source is right");
    expect((await run(folder)).code).toBe(0);
    expect(await silver(folder)).toEqual({ id: 1, amount, name: "x" });
  });

  it("declared columns are the contract, from the first run on", async () => {
    const declared = (columns: string) => `CREATE MATERIALIZED VIEW source AS SELECT ${columns};
      CREATE MATERIALIZED VIEW silver (id INT, amount DECIMAL(13,2), label STRING) TBLPROPERTIES (${DEFAULTS})
        AS SELECT * EXCEPT (name), name AS label FROM source;`;
    const folder = project({ "transformations/all.sql": declared(GREW) });
    expect(await run(folder)).toMatchObject({ code: 0, told: [{ drift: { kind: "added", column: "extra" } }] });
    expect(await silver(folder)).toEqual({ id: 1, amount: "2.00", label: "x" });
    const more = declared(GREW).replace("label STRING)", "extra INT, label STRING)");
    writeFileSync(`${folder}/transformations/all.sql`, more);
    expect(await run(folder)).toMatchObject({ code: 0 });
    expect(await silver(folder)).toEqual({ id: 1, amount: "2.00", extra: 7, label: "x" });
    const other = project({ "transformations/all.sql": declared(RETYPED) });
    expect(await run(other)).toMatchObject({ code: 4, told: [{ drift: { kind: "retyped", column: "amount" } }] });
  });

  it("the source that comes back is as accepted", async () => {
    const folder = await drifted(RETYPED);
    expect((await run(folder)).code).toBe(4);
    writeFileSync(`${folder}/transformations/all.sql`, sql(BEFORE, DEFAULTS));
    expect(await run(folder)).toEqual({ code: 0, told: [] });
  });
});

describe("actions", () => {
  it("add takes a new column over, in a stream too", async () => {
    const streams = `CREATE STREAMING TABLE bronze AS SELECT * FROM STREAM read_files('landing', format => 'json');
      CREATE STREAMING TABLE silver TBLPROPERTIES ('ingot.drift.added' = 'add') AS SELECT * FROM STREAM bronze;
      CREATE STREAMING TABLE strict TBLPROPERTIES ('ingot.drift' = 'stop') AS SELECT * FROM STREAM bronze;
      CREATE STREAMING TABLE closed TBLPROPERTIES ('ingot.drift.added' = 'ignore') AS SELECT * FROM STREAM bronze;`;
    const folder = project({ "transformations/all.sql": streams, "landing/1.json": '{"id":1}\n' });
    expect(await run(folder)).toEqual({ code: 0, told: [] });
    writeFileSync(`${folder}/landing/2.json`, '{"id":2,"extra":"e"}\n');
    const { code, told } = await run(folder);
    expect(code).toBe(4);
    expect(told.map(({ drift: { column, action } }) => [column, action])).toEqual([
      ["extra", "add"],
      ["extra", "stop"],
    ]);
    const all = (table: string) => rows(folder, `SELECT * FROM ${table} ORDER BY id`);
    expect(await all("silver")).toEqual([
      { id: "1", extra: null },
      { id: "2", extra: "e" },
    ]);
    expect(await all("closed")).toEqual([{ id: "1" }, { id: "2" }]);
    expect(await all("strict")).toEqual([{ id: "1" }]);
    await drift(folder, "reject", "strict", "--reason", "not for us");
    expect(await run(folder)).toEqual({ code: 0, told: [] });
    expect(await all("strict")).toEqual([{ id: "1" }, { id: "2" }]);
  });

  it("a customer's field that SAP's extract brings reaches bronze, and silver when it is accepted", async () => {
    const text = `CREATE STREAMING TABLE bronze AS SELECT * FROM STREAM read_files('landing', format => 'csv', header => true);
      CREATE STREAMING TABLE vbak TBLPROPERTIES ('ingot.drift.added' = 'notify');
      CREATE FLOW f AS AUTO CDC INTO vbak FROM STREAM(bronze) KEYS (VBELN) SEQUENCE BY TSN COLUMNS * EXCEPT (TSN);`;
    const folder = project({ "transformations/all.sql": text, "landing/1.csv": "VBELN,NETWR,TSN\n1,10.00,1\n" });
    expect(await run(folder)).toEqual({ code: 0, told: [] });
    writeFileSync(`${folder}/landing/2.csv`, "VBELN,NETWR,TSN,ZZTERM\n1,11.00,2,N30\n2,5.00,3,N60\n");
    expect(await run(folder)).toMatchObject({ code: 0, told: [{ drift: { column: "ZZTERM", action: "notify" } }] });
    const vbak = () => rows(folder, "SELECT * FROM vbak ORDER BY VBELN");
    expect(await vbak()).toEqual([
      { VBELN: "1", NETWR: "11.00" },
      { VBELN: "2", NETWR: "5.00" },
    ]);
    expect(Object.keys((await rows(folder, "SELECT * FROM bronze"))[0] ?? {})).toContain("ZZTERM");
    await drift(folder, "accept", "vbak", "--reason", "agreed with finance");
    writeFileSync(`${folder}/landing/3.csv`, "VBELN,NETWR,TSN,ZZTERM\n2,6.00,4,N90\n");
    expect(await run(folder)).toEqual({ code: 0, told: [] });
    expect(await vbak()).toEqual([
      { VBELN: "1", NETWR: "11.00", ZZTERM: null },
      { VBELN: "2", NETWR: "6.00", ZZTERM: "N90" },
    ]);
  });

  it("a material number of 40 characters is no change: lengths of texts are no part of a type", async () => {
    const text = `CREATE STREAMING TABLE bronze AS SELECT * FROM STREAM read_files('landing', format => 'csv', header => true);
      CREATE STREAMING TABLE mara TBLPROPERTIES ('ingot.drift' = 'stop') AS SELECT * FROM STREAM bronze;`;
    const folder = project({ "transformations/all.sql": text, "landing/1.csv": `MATNR\n${"1".repeat(18)}\n` });
    expect(await run(folder)).toEqual({ code: 0, told: [] });
    writeFileSync(`${folder}/landing/2.csv`, `MATNR\n${"2".repeat(40)}\n`);
    expect(await run(folder)).toEqual({ code: 0, told: [] });
    expect(await rows(folder, "SELECT length(MATNR) AS n FROM mara ORDER BY n")).toEqual([{ n: 18 }, { n: 40 }]);
  });

  it("of a temporary view stop the tables that read it", async () => {
    const views = (columns: string) => `CREATE MATERIALIZED VIEW source AS SELECT ${columns};
      CREATE TEMPORARY VIEW checked TBLPROPERTIES ('ingot.drift.retyped' = 'stop') AS SELECT * FROM source;
      CREATE MATERIALIZED VIEW silver AS SELECT * FROM checked;`;
    const folder = project({ "transformations/all.sql": views(BEFORE) });
    expect(await run(folder)).toEqual({ code: 0, told: [] });
    writeFileSync(`${folder}/transformations/all.sql`, views(RETYPED));
    expect((await run(folder)).code).toBe(4);
    expect(await silver(folder)).toEqual({ id: 1, amount: "2.00", name: "x" });
    await drift(folder, "accept", "checked", "--reason", "so be it");
    expect((await run(folder)).code).toBe(0);
  });

  it("in TypeScript", async () => {
    const text = (columns: string) => `import { materializedView, sql } from "ingot";
      const source = materializedView("source", { query: sql\`SELECT ${columns}\` });
      materializedView("silver", { drift: { added: "add" }, query: sql\`SELECT * FROM \${source}\` });`;
    const folder = project({ "transformations/all.ts": text(BEFORE) });
    expect((await run(folder)).code).toBe(0);
    writeFileSync(`${folder}/transformations/all.ts`, text(GREW));
    expect((await run(folder)).told).toMatchObject([{ drift: { column: "extra", action: "add" } }]);
    expect(await silver(folder)).toMatchObject({ extra: 7 });
  });
});

describe("a column that seems to be renamed", () => {
  const RENAMED = BEFORE.replace("AS name", "AS names");
  const change = { kind: "renamed", column: "name", into: "names", confidence: 0.94, from: "string", to: "string" };

  it("is told with how sure that is: the old name is NULL, the new one waits", async () => {
    const folder = await drifted(RENAMED);
    expect((await run(folder)).told).toMatchObject([
      {
        message:
          "silver: spark_catalog.default.source.name is gone, and names (string) came (renamed, 94 % sure); it is NULL from now on, and names stays out of *. Made of it: silver.name.",
        drift: { ...change, action: "notify" },
      },
    ]);
    expect(await silver(folder)).toEqual({ id: 1, amount: "2.00", name: null });
    await drift(folder, "accept", "silver", "--column", "names", "--reason", "the same field");
    expect(await run(folder)).toEqual({ code: 0, told: [] });
    expect(await silver(folder)).toEqual({ id: 1, amount: "2.00", names: "x" });
  });

  it("is one that is gone and one that is new, where somebody says so", async () => {
    const folder = await drifted(RENAMED);
    await drift(folder, "reject", "silver", "--column", "name", "--reason", "something else");
    expect((await run(folder)).told).toMatchObject([
      { drift: { kind: "removed", column: "name" } },
      { drift: { kind: "added", column: "names" } },
    ]);
  });
});

describe("the action quarantine", () => {
  const HOLD = "'ingot.drift.retyped' = 'quarantine'";

  it("holds the batch back: the run goes on, the table stays, and what waits is read when it is accepted", async () => {
    const folder = await drifted(RETYPED, HOLD);
    const before = await silver(folder);
    const { code, told } = await run(folder);
    expect(code).toBe(0);
    expect(told).toMatchObject([{ level: "WARN", drift: { kind: "retyped", action: "quarantine" } }]);
    expect(told[0]?.message).toContain("(retyped); the batch is held back.");
    expect(await silver(folder)).toEqual(before);
    const again = await ingot(["run"], { cwd: folder });
    expect(again.stderr).toContain(
      "silver has COMPLETED. (the batch is held back: spark_catalog.default.source.amount is string, and was decimal(13,2) (retyped))",
    );
    expect((await ingot(["dry-run"], { cwd: folder })).stdout).toMatch(/silver +nothing +the batch is held back/);
    await drift(folder, "accept", "silver", "--reason", "texts from now on");
    expect((await run(folder)).code).toBe(0);
    expect(await silver(folder)).toEqual({ id: 1, amount: "2", name: "x" });
  });

  it("stops what is to begin anew: its rows would be gone", async () => {
    const folder = await drifted(RETYPED, HOLD);
    const { errors } = await refusal(folder, "run", "--full-refresh-all");
    expect(errors).toMatchObject([{ code: "SCHEMA_DRIFT" }]);
  });
});

describe("the key of a source", () => {
  const changes = (
    keys: string,
  ) => `CREATE STREAMING TABLE bronze AS SELECT * FROM STREAM read_files('landing', format => 'csv',
      header => true, schema => 'vbeln STRING, posnr STRING, n INT');
    CREATE STREAMING TABLE items;
    CREATE FLOW f AS AUTO CDC INTO items FROM STREAM(bronze) KEYS (${keys}) SEQUENCE BY n;
    CREATE MATERIALIZED VIEW silver TBLPROPERTIES (${DEFAULTS}) AS SELECT vbeln, count(*) AS n FROM items GROUP BY vbeln;`;

  it("that changed stops who counts on it", async () => {
    const folder = project({
      "transformations/all.sql": changes("vbeln"),
      "landing/1.csv": "vbeln,posnr,n\n1,10,1\n1,20,2\n",
    });
    expect(await run(folder)).toEqual({ code: 0, told: [] });
    writeFileSync(`${folder}/transformations/all.sql`, changes("vbeln, posnr"));
    const anew = await events(folder, "--full-refresh", "items");
    expect(anew.code).toBe(0);
    expect(await run(folder)).toMatchObject({ code: 4, told: [{ drift: { kind: "keyChanged", action: "stop" } }] });
    const { errors } = await refusal(folder, "run");
    expect(errors).toMatchObject([
      {
        code: "SCHEMA_DRIFT",
        message:
          "spark_catalog.default.silver: the key of spark_catalog.default.items is vbeln, posnr, and was vbeln (keyChanged)",
      },
    ]);
    await drift(folder, "accept", "silver", "--reason", "items, not orders");
    expect(await run(folder)).toEqual({ code: 0, told: [] });
    expect(await rows(folder, "SELECT * FROM silver")).toEqual([{ vbeln: "1", n: "2" }]);
  });
});

describe("files", () => {
  it("are a source like a table: what a new column of them does is the dataset's policy", async () => {
    const read = (drift: string) =>
      `CREATE STREAMING TABLE silver TBLPROPERTIES (${drift}) AS SELECT * FROM STREAM read_files('landing', format => 'csv', header => true);`;
    const folder = project({ "transformations/all.sql": read(DEFAULTS), "landing/1.csv": "id,v\n1,a\n" });
    expect(await run(folder)).toEqual({ code: 0, told: [] });
    writeFileSync(`${folder}/landing/2.csv`, "id,v,zzterm\n2,b,N30\n");
    expect((await run(folder)).told).toMatchObject([
      { level: "WARN", drift: { source: "landing", kind: "added", column: "zzterm", action: "notify" } },
    ]);
    const all = () => rows(folder, "SELECT * FROM silver ORDER BY id");
    expect(await all()).toEqual([
      { id: "1", v: "a" },
      { id: "2", v: "b" },
    ]);
    await drift(folder, "accept", "silver", "--reason", "agreed");
    writeFileSync(`${folder}/landing/3.csv`, "id,v,zzterm\n3,c,N60\n");
    expect(await run(folder)).toEqual({ code: 0, told: [] });
    expect((await all()).at(-1)).toEqual({ id: "3", v: "c", zzterm: "N60" });
  });
});

describe("what is refused", () => {
  it.each([
    [
      "files with a schema",
      "CREATE STREAMING TABLE t TBLPROPERTIES ('ingot.drift' = 'stop') AS SELECT * FROM STREAM read_files('landing', format => 'csv', schema => 'a INT');",
    ],
    [
      "a view",
      "CREATE TEMPORARY VIEW v AS SELECT 1 AS a; CREATE MATERIALIZED VIEW t TBLPROPERTIES ('ingot.drift' = 'stop') AS SELECT * FROM v;",
    ],
  ])("drift of a dataset that reads %s", async (what, text) => {
    const folder = project({ "transformations/all.sql": text, "landing/1.csv": "1\n" });
    const message = `spark_catalog.default.t: the option \`drift\` of a dataset that reads ${what}`;
    expect((await refusal(folder, "dry-run")).errors).toMatchObject([{ code: "NOT_SUPPORTED", message }]);
  });

  it.each([
    [["accept", "silver", "--column", "extra"], "A decision about drift needs its reason"],
    [["accept", "silver", "--column", "other", "--reason", "r"], "No change of a column other is open"],
    [["show"], "ingot drift show needs the name of a dataset"],
    [["show", "gold"], "gold has no option drift"],
  ])("ingot drift %j", async (args, message) => {
    const folder = await drifted(GREW);
    expect((await refusal(folder, "drift", ...args)).errors).toMatchObject([{ code: "USAGE", message }]);
  });
});
