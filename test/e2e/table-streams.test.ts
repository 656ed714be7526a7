import { readdirSync, rmSync, writeFileSync } from "node:fs";
import {
  appendRows,
  deleteRows,
  javascriptRewriter,
  localStore,
  mergeRows,
  optimize,
  overwriteRows,
  updateRows,
} from "@ingot/delta";
import { describe, expect, it } from "vitest";
import { events, ingot, LANDING, projectMaker, refusal, rows } from "./cli.js";

const project = projectMaker();
const run = (folder: string, ...args: readonly string[]) => ingot(["run", ...args], { cwd: folder });
const source = (folder: string) => `${folder}/storage/warehouse/default/src`;
const batches = (folder: string, table = "t") =>
  readdirSync(`${folder}/storage/_checkpoints/spark_catalog/default/${table}/${table}/0`).filter((name) =>
    name.startsWith("batch-"),
  ).length;
const ids = async (folder: string) =>
  (await rows(folder, "SELECT id FROM t ORDER BY id")).map((row) => Number(row["id"]));

const VECTORS = "TBLPROPERTIES ('delta.enableDeletionVectors' = 'true')";
const files = (options = "", properties = "") => ({
  "transformations/src.sql": `CREATE STREAMING TABLE src ${properties} AS SELECT id, v FROM STREAM ${LANDING};`,
  "transformations/t.sql": `CREATE STREAMING TABLE t AS SELECT id FROM STREAM src ${options};`,
  "landing/1.csv": "id,v\n1,a\n2,b\n3,c\n",
});

describe("a stream of a table that grows", () => {
  it("follows appended rows, merges that only insert, and passes OPTIMIZE by", async () => {
    const folder = project(files("", VECTORS));
    await run(folder);
    await appendRows(localStore, source(folder), [{ id: 4n, v: "d" }]);
    await mergeRows(localStore, source(folder), {
      source: [{ id: 5n, v: "e" }],
      on: ["id"],
      whenNotMatched: [{ insert: "*" }],
    });
    await optimize(localStore, source(folder), javascriptRewriter(localStore));
    expect((await run(folder)).code).toBe(0);
    expect(await ids(folder)).toEqual([1, 2, 3, 4, 5]);
  });

  // Delta Lake's conditions: a commit that takes files and brings others, and one that only takes some.
  it.each([
    [
      "an update",
      "",
      (t: string) => updateRows(localStore, t, { set: () => ({ v: "x" }), where: (r) => r["id"] === 2n }),
      "TABLE_IGNORE_CHANGES",
      "changed or deleted rows in 1 file",
      "readChangeFeed = true",
    ],
    [
      "a delete by vector",
      VECTORS,
      (t: string) => deleteRows(localStore, t, (r) => r["id"] === 2n),
      "TABLE_IGNORE_CHANGES",
      "changed or deleted rows in 1 file",
      "skipChangeCommits = true",
    ],
    [
      "a delete of a whole file",
      "",
      (t: string) => deleteRows(localStore, t, () => true),
      "IGNORE_DELETE",
      "deleted rows in 1 file",
      "skipChangeCommits = true",
    ],
    [
      "an overwrite",
      "",
      (t: string) => overwriteRows(localStore, t, [{ id: 7n, v: "g" }]),
      "TABLE_IGNORE_CHANGES",
      "changed or deleted rows",
      "--full-refresh",
    ],
  ])("stops at %s, with version and count, and writes nothing", async (_, properties, change, code, message, hint) => {
    const folder = project(files("", properties));
    await run(folder);
    await change(source(folder));
    await appendRows(localStore, source(folder), [{ id: 4n, v: "d" }]);
    const told = await refusal(folder, "run");
    expect(told).toMatchObject({
      code: 1,
      errors: [
        {
          code: `DELTA_SOURCE_${code}`,
          message: expect.stringContaining(message),
          hint: expect.stringContaining(hint),
        },
      ],
    });
    expect(told.errors[0]?.message).toContain("Version 1 of");
    expect(await ids(folder)).toEqual([1, 2, 3]);
    expect(batches(folder)).toBe(1);
  });

  it("leaves versions that change rows out with skipChangeCommits, and goes on behind them", async () => {
    const folder = project(files("", VECTORS));
    await run(folder);
    await appendRows(localStore, source(folder), [{ id: 4n, v: "d" }]);
    await deleteRows(localStore, source(folder), (row) => row["id"] === 2n);
    await mergeRows(localStore, source(folder), {
      source: [
        { id: 1n, v: "x" },
        { id: 6n, v: "f" },
      ],
      on: ["id"],
      whenMatched: [{ update: "*" }],
      whenNotMatched: [{ insert: "*" }],
    });
    await appendRows(localStore, source(folder), [{ id: 5n, v: "e" }]);
    expect((await run(folder)).code).toBe(1);
    writeFileSync(`${folder}/transformations/t.sql`, files("WITH (skipChangeCommits = true)")["transformations/t.sql"]);
    expect((await run(folder)).code).toBe(0);
    // As Delta Lake: what such a version inserted is left out with it.
    expect(await ids(folder)).toEqual([1, 2, 3, 4, 5]);
  });

  it("refuses to leave out the changes of a table that AUTO CDC fills", async () => {
    const folder = project({
      ...files("WITH (skipChangeCommits = true)"),
      "transformations/src.sql": `CREATE STREAMING TABLE src;
CREATE FLOW changes AS AUTO CDC INTO src FROM STREAM ${LANDING} KEYS (id) SEQUENCE BY v;`,
    });
    expect(await refusal(folder, "dry-run")).toMatchObject({
      code: 3,
      errors: [
        { code: "NOT_SUPPORTED", message: expect.stringContaining("AUTO CDC"), at: "transformations/t.sql:1:51" },
      ],
    });
  });

  it("refuses two ways to follow one table in one flow", async () => {
    const both = "WITH (maxFilesPerTrigger = 1) UNION ALL SELECT id FROM STREAM src";
    expect(await refusal(project(files(both)), "dry-run")).toMatchObject({
      errors: [{ code: "NOT_SUPPORTED", message: expect.stringContaining("twice, with different options") }],
    });
  });

  it("notices that the source was dropped and made again, by its id", async () => {
    const folder = project(files());
    await run(folder);
    rmSync(source(folder), { recursive: true });
    await run(folder, "--full-refresh", "src");
    expect(await refusal(folder, "run", "--refresh", "t")).toMatchObject({
      errors: [
        {
          code: "CHECKPOINT_DAMAGED",
          message: expect.stringMatching(/src is another table now \(id .*, before .*; read up to version 0\)/),
        },
      ],
    });
  });
});

describe("where a stream of a table begins", () => {
  it.each([
    ["startingVersion = 1", [4, 5]],
    ["startingVersion = 0", [1, 2, 3, 4, 5]],
    ["startingVersion = 'latest'", []],
    ["startingTimestamp = '2020-01-01'", [1, 2, 3, 4, 5]],
  ])("%s", async (start, expected) => {
    const folder = project(files(`WITH (${start})`));
    await run(folder, "--refresh", "src");
    await appendRows(localStore, source(folder), [{ id: 4n, v: "d" }]);
    await appendRows(localStore, source(folder), [{ id: 5n, v: "e" }]);
    expect((await run(folder)).code).toBe(0);
    expect(await ids(folder)).toEqual(expected);
    await appendRows(localStore, source(folder), [{ id: 6n, v: "f" }]);
    await run(folder);
    expect(await ids(folder)).toEqual([...expected, 6]);
  });

  it("is refused beyond the newest version", async () => {
    const folder = project(files("WITH (startingVersion = 7)"));
    expect(await refusal(folder, "run")).toMatchObject({
      errors: [{ code: "DELTA_CDC_START_VERSION_AFTER_LATEST", hint: "Begin with version 0 or before." }],
    });
  });
});

describe("limits of a batch", () => {
  /** Four files in four versions: 1 to 3, 4, 5 and 6, 7. */
  async function grow(folder: string): Promise<void> {
    await run(folder, "--refresh", "src");
    const table = source(folder);
    await appendRows(localStore, table, [{ id: 4n, v: "d" }]);
    const two = [
      { id: 5n, v: "e" },
      { id: 6n, v: "f" },
    ];
    await appendRows(localStore, table, two);
    await appendRows(localStore, table, [{ id: 7n, v: "g" }]);
  }

  it.each([
    ["maxFilesPerTrigger = 1", 4],
    ["maxFilesPerTrigger = 3", 2],
    ["maxFilesPerTrigger = 100", 1],
    ["maxBytesPerTrigger = '1'", 4],
    ["maxBytesPerTrigger = '1g'", 1],
    ["startingVersion = 0, maxFilesPerTrigger = 1", 4],
    ["startingVersion = 1, maxFilesPerTrigger = 2", 2],
  ])("%s: a run drains all, batch by batch, each its own commit", async (options, count) => {
    const folder = project(files(`WITH (${options})`));
    await grow(folder);
    const { events: told } = await events(folder);
    const expected = options.startsWith("startingVersion = 1") ? [4, 5, 6, 7] : [1, 2, 3, 4, 5, 6, 7];
    expect(await ids(folder)).toEqual(expected);
    expect(batches(folder)).toBe(count);
    const done = told.find((event) => event.message.endsWith(".t has COMPLETED."));
    expect(done?.details).toMatchObject({
      flow_progress: { metrics: { num_output_rows: expected.length, table_version: count - 1 } },
    });
    await run(folder);
    expect(batches(folder)).toBe(count);
  });

  it("goes on with the rest of a table as it stood when the stream began, though rows were deleted since", async () => {
    const folder = project(files("WITH (maxFilesPerTrigger = 1)"));
    await grow(folder);
    let stop = () => {};
    const write = (text: string) => {
      if (text.includes("more is waiting")) stop();
    };
    await ingot(["run", "--json-stream", "--refresh", "t"], {
      cwd: folder,
      stdout: { write, isTTY: false, columns: 120, rows: 40 },
      onInterrupt: (listener) => {
        stop = listener;
        return () => {};
      },
    });
    expect(await ids(folder)).toEqual([1, 2, 3, 4]);
    await deleteRows(localStore, source(folder), (row) => row["id"] === 7n);
    expect((await refusal(folder, "run")).errors[0]?.code).toBe("DELTA_SOURCE_IGNORE_DELETE");
    expect(await ids(folder)).toEqual([1, 2, 3, 4, 5, 6, 7]);
  });
});

describe("a checkpoint that is reset alone", () => {
  it("keeps the rows, reads everything again, and warns before", async () => {
    const folder = project(files());
    await run(folder);
    const { stdout } = await ingot(["dry-run", "--reset-checkpoint", "t"], { cwd: folder });
    expect(stdout).toMatch(
      /src +excluded .*\nt +append +checkpoint reset, so that rows of before are added once more: spark_catalog\.default\.src up to version 0/,
    );
    const { events: told } = await events(folder, "--reset-checkpoint", "t");
    expect(told.find((event) => event.level === "WARN")?.message).toContain("t begins at the start of its sources");
    expect(await ids(folder)).toEqual([1, 1, 2, 2, 3, 3]);
    await run(folder);
    expect(await ids(folder)).toEqual([1, 1, 2, 2, 3, 3]);
    expect(readdirSync(`${folder}/storage/_checkpoints/spark_catalog/default/t/t`).sort()).toEqual(["0", "1"]);
  });

  it("goes on with a table that its stream could not follow", async () => {
    const folder = project(files("", VECTORS));
    await run(folder);
    await deleteRows(localStore, source(folder), (row) => row["id"] === 2n);
    expect((await run(folder)).code).toBe(1);
    expect((await run(folder, "--reset-checkpoint", "t")).code).toBe(0);
    expect(await ids(folder)).toEqual([1, 1, 2, 3, 3]);
  });

  it("does not run a once flow again", async () => {
    const folder = project({
      "transformations/t.sql": `CREATE STREAMING TABLE t;
CREATE FLOW files AS INSERT INTO t BY NAME SELECT id FROM STREAM ${LANDING};
CREATE FLOW past AS INSERT INTO ONCE t BY NAME SELECT CAST(100 AS BIGINT) AS id;`,
      "landing/1.csv": "id,v\n1,a\n",
    });
    await run(folder);
    expect((await run(folder, "--reset-checkpoint", "t")).code).toBe(0);
    expect(await ids(folder)).toEqual([1, 1, 100]);
  });

  it.each([
    [
      "with a full refresh of the table",
      ["--reset-checkpoint", "t", "--full-refresh", "t"],
      "CONFLICTING_PIPELINE_REFRESH_OPTIONS",
    ],
    [
      "with a full refresh of all",
      ["--reset-checkpoint", "t", "--full-refresh-all"],
      "CONFLICTING_PIPELINE_REFRESH_OPTIONS",
    ],
    ["of a materialized view", ["--reset-checkpoint", "v"], "NO_CHECKPOINT"],
    ["of a table that nobody declares", ["--reset-checkpoint", "x"], "UNKNOWN_SELECTION"],
  ])("is refused %s", async (_, args, code) => {
    const folder = project({ ...files(), "transformations/v.sql": "CREATE MATERIALIZED VIEW v AS SELECT 1 AS a;" });
    expect(await refusal(folder, "run", ...args)).toMatchObject({ code: 2, errors: [{ code }] });
  });
});

it("says before the run what renaming a flow does", async () => {
  const flow = (name: string) => ({
    "transformations/t.sql": `CREATE STREAMING TABLE t;
CREATE FLOW ${name} AS INSERT INTO t BY NAME SELECT id FROM STREAM src;`,
  });
  const folder = project({ ...files(), ...flow("one") });
  await run(folder);
  writeFileSync(`${folder}/transformations/t.sql`, flow("two")["transformations/t.sql"]);
  expect((await ingot(["dry-run"], { cwd: folder })).stdout).toContain(
    "a new flow into a table that has batches of the flow one, which is gone",
  );
});

it("joins new rows with a table as it stands at their batch; a change of that table alone brings nothing", async () => {
  const folder = project({
    ...files(),
    "transformations/t.sql":
      "CREATE STREAMING TABLE t AS SELECT o.id, p.v AS price FROM STREAM src o LEFT JOIN prices p ON p.id = o.id;",
    "transformations/prices.sql": `CREATE STREAMING TABLE prices AS SELECT id, v FROM STREAM ${LANDING.replace("'landing'", "'prices'")};`,
    "prices/1.csv": "id,v\n1,10\n2,20\n",
  });
  const prices = async () =>
    (await rows(folder, "SELECT id, price FROM t ORDER BY id, price")).map((row) => `${row["id"]} ${row["price"]}`);
  await run(folder);
  expect(await prices()).toEqual(["1 10", "2 20", "3 null"]);
  await updateRows(localStore, `${folder}/storage/warehouse/default/prices`, { set: () => ({ v: "99" }) });
  await run(folder);
  expect(await prices()).toEqual(["1 10", "2 20", "3 null"]);
  await appendRows(localStore, source(folder), [{ id: 1n, v: "a" }]);
  await run(folder);
  expect(await prices()).toEqual(["1 10", "1 99", "2 20", "3 null"]);
});
