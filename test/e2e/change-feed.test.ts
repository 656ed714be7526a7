import { existsSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import {
  appendRows,
  cleanUpLog,
  deleteRows,
  javascriptRewriter,
  localStore,
  optimize,
  updateRows,
  writeCheckpoint,
} from "@ingot/delta";
import { beforeAll, describe, expect, it } from "vitest";
import { ingot, LANDING, projectMaker, refusal, rows } from "./cli.js";

const project = projectMaker();
const run = (folder: string, ...args: readonly string[]) => ingot(["run", ...args], { cwd: folder });
const tableOf = (folder: string, name = "src") => `${folder}/storage/warehouse/default/${name}`;

const SOURCE = (properties = "'delta.enableChangeDataFeed' = 'true', 'delta.enableDeletionVectors' = 'true'") =>
  `CREATE STREAMING TABLE src TBLPROPERTIES (${properties}) AS SELECT id, v FROM STREAM ${LANDING};`;
const FEED = (options = "readChangeFeed = true") =>
  `CREATE STREAMING TABLE feed AS SELECT id, v, _change_type AS what, _commit_version AS version FROM STREAM src WITH (${options});`;
const files = (feed: string, source = SOURCE()) => ({
  "transformations/src.sql": source,
  "transformations/feed.sql": feed,
  "landing/1.csv": "id,v\n1,a\n2,b\n3,c\n",
});

/** What another writer does to the source: version 1 changes a row, version 2 deletes one. */
async function change(folder: string): Promise<void> {
  const table = tableOf(folder);
  await updateRows(localStore, table, { set: () => ({ v: "x" }), where: (row) => row["id"] === 2n });
  await deleteRows(localStore, table, (row) => row["id"] === 3n);
}

const feedOf = async (folder: string, where = "true") =>
  (await rows(folder, `SELECT version, what, id, v FROM feed WHERE ${where} ORDER BY version, what, id`)).map((row) =>
    Object.values(row).join(" "),
  );

const SNAPSHOT = ["0 insert 1 a", "0 insert 2 b", "0 insert 3 c"];
const CHANGES = ["1 update_postimage 2 x", "1 update_preimage 2 b", "2 delete 3 c"];

// Delta Lake: a stream of a change feed without a start gives the table as it stands as inserts, then its changes.
describe("a stream of a change feed", () => {
  it("begins with the rows of the table as inserts and goes on with its changes, each once", async () => {
    const folder = project(files(FEED()));
    expect((await run(folder)).code).toBe(0);
    expect(await feedOf(folder)).toEqual(SNAPSHOT);
    await change(folder);
    expect((await ingot(["dry-run"], { cwd: folder })).stdout).toContain(
      "changes of spark_catalog.default.src versions 1 to 2",
    );
    expect((await run(folder)).code).toBe(0);
    expect((await run(folder)).code).toBe(0);
    expect(await feedOf(folder)).toEqual([...SNAPSHOT, ...CHANGES]);
  });

  it.each([
    ["startingVersion = 0", [...SNAPSHOT, ...CHANGES]],
    ["startingVersion = 2", CHANGES.slice(2)],
    ["startingVersion = 'latest'", []],
    ["startingTimestamp = '2020-01-01'", [...SNAPSHOT, ...CHANGES]],
  ])("begins where %s says, and then forgets it", async (start, expected) => {
    const folder = project(files(FEED("readChangeFeed = true"), SOURCE()));
    await run(folder, "--refresh", "src");
    await change(folder);
    writeFileSync(`${folder}/transformations/feed.sql`, FEED(`readChangeFeed = true, ${start}`));
    expect((await run(folder)).code).toBe(0);
    expect(await feedOf(folder)).toEqual(expected);
    await appendRows(localStore, tableOf(folder), [{ id: 9n, v: "i" }]);
    await run(folder);
    await run(folder);
    expect(await feedOf(folder)).toEqual([...expected, "3 insert 9 i"]);
  });

  it("begins with the rows without those that deletion vectors hide", async () => {
    const folder = project(files(FEED()));
    await run(folder, "--refresh", "src");
    await change(folder);
    await run(folder);
    expect(await feedOf(folder)).toEqual(["2 insert 1 a", "2 insert 2 x"]);
  });

  it("passes OPTIMIZE by, and does not need the log before a checkpoint once it has begun", async () => {
    const folder = project(files(FEED()));
    await run(folder);
    await change(folder);
    const table = tableOf(folder);
    await appendRows(localStore, table, [{ id: 8n, v: "h" }]);
    await run(folder);
    expect((await optimize(localStore, table, javascriptRewriter(localStore))).version).toBe(4n);
    await writeCheckpoint(localStore, table);
    await cleanUpLog(localStore, table, { keepFrom: 4n });
    await appendRows(localStore, table, [{ id: 9n, v: "i" }]);
    expect((await run(folder)).stderr).not.toContain("FAILED");
    expect(await feedOf(folder)).toEqual([...SNAPSHOT, ...CHANGES, "3 insert 8 h", "5 insert 9 i"]);
  });

  it("counts its batches by the limits of the read, whole versions each", async () => {
    const folder = project(files(FEED("readChangeFeed = true, startingVersion = 0, maxFilesPerTrigger = 1")));
    await run(folder, "--refresh", "src");
    await change(folder);
    expect((await run(folder)).code).toBe(0);
    expect(await feedOf(folder)).toEqual([...SNAPSHOT, ...CHANGES]);
    const checkpoint = `${folder}/storage/_checkpoints/spark_catalog/default/feed/feed/0`;
    expect(readdirSync(checkpoint).filter((name) => name.startsWith("batch-"))).toHaveLength(3);
  });

  it("is changeFeed() in TypeScript", async () => {
    const folder = project({
      "transformations/all.ts": `import { changeFeed, sql, table } from "ingot";
const src = table("src", {
  query: sql\`SELECT id, v FROM STREAM ${LANDING}\`,
  tableProperties: { "delta.enableChangeDataFeed": true },
});
table("feed", sql\`SELECT id, v, _change_type AS what, _commit_version AS version FROM STREAM \${changeFeed(src, { startingVersion: 0 })}\`);
`,
      "landing/1.csv": "id,v\n1,a\n2,b\n3,c\n",
    });
    expect((await run(folder)).stderr).not.toContain("error");
    expect(await feedOf(folder)).toEqual(SNAPSHOT);
  });

  it("takes a table of a materialized view, which no stream can follow else", async () => {
    const view = `CREATE MATERIALIZED VIEW src TBLPROPERTIES ('delta.enableChangeDataFeed' = 'true') AS SELECT id, v FROM ${LANDING};`;
    const folder = project(files(FEED(), view));
    expect((await run(folder)).code).toBe(0);
    expect(await feedOf(folder)).toEqual(SNAPSHOT);
  });
});

describe("a change feed that cannot be followed", () => {
  it("is refused where the table records none, before anything is written", async () => {
    const folder = project(files(FEED(), SOURCE("'a' = 'b'")));
    expect(await refusal(folder, "run")).toMatchObject({
      code: 1,
      errors: [
        {
          code: "DELTA_MISSING_CHANGE_DATA",
          at: "transformations/feed.sql:1:107",
          hint: expect.stringContaining("TBLPROPERTIES ('delta.enableChangeDataFeed' = 'true')"),
        },
      ],
    });
    expect(existsSync(`${folder}/storage/warehouse`)).toBe(false);
  });

  it("is refused with the version for a range in which it was off", async () => {
    const folder = project(files(FEED(), SOURCE("'a' = 'b'")));
    await run(folder, "--refresh", "src").catch(() => undefined);
    writeFileSync(`${folder}/transformations/feed.sql`, "");
    await run(folder);
    writeFileSync(`${folder}/transformations/src.sql`, SOURCE());
    writeFileSync(`${folder}/transformations/feed.sql`, FEED("readChangeFeed = true, startingVersion = 0"));
    expect(await refusal(folder, "run")).toMatchObject({
      code: 1,
      errors: [{ code: "DELTA_MISSING_CHANGE_DATA", message: expect.stringContaining("for version 0") }],
    });
    expect(existsSync(tableOf(folder, "feed"))).toBe(false);
  });

  it("is refused with the versions that the log still holds after a clean-up", async () => {
    const folder = project(files(FEED()));
    await run(folder);
    await change(folder);
    await writeCheckpoint(localStore, tableOf(folder));
    await cleanUpLog(localStore, tableOf(folder), { keepFrom: 2n });
    expect(await refusal(folder, "run")).toMatchObject({
      errors: [
        {
          code: "DELTA_VERSION_NOT_FOUND",
          message: expect.stringMatching(/src has no version 1 any more; it has 2 to 2/),
          hint: expect.stringContaining("--full-refresh"),
        },
      ],
    });
    expect(await feedOf(folder)).toEqual(SNAPSHOT);
  });

  it("is refused where VACUUM took its files away", async () => {
    const folder = project(files(FEED(), SOURCE("'delta.enableChangeDataFeed' = 'true'")));
    await run(folder);
    await change(folder);
    rmSync(`${tableOf(folder)}/_change_data`, { recursive: true });
    expect(await refusal(folder, "run")).toMatchObject({
      errors: [{ code: "DELTA_CHANGE_DATA_FILE_NOT_FOUND", hint: expect.stringContaining("--full-refresh") }],
    });
    expect(await feedOf(folder)).toEqual(SNAPSHOT);
  });

  it("is refused as that of a view", async () => {
    const view =
      "CREATE TEMPORARY VIEW src AS SELECT id, v FROM STREAM t; CREATE STREAMING TABLE t AS SELECT id, v FROM STREAM";
    const folder = project(files(FEED(), `${view} ${LANDING};`));
    expect(await refusal(folder, "run")).toMatchObject({
      errors: [{ code: "UNSUPPORTED_CLAUSE", message: expect.stringContaining("src is a view") }],
    });
  });
});

describe("table_changes", () => {
  let folder = "";
  beforeAll(async () => {
    folder = project(files(""));
    await run(folder);
    await change(folder);
  });
  const changes = async (range: string) =>
    (
      await rows(
        folder,
        `SELECT _commit_version, _change_type, id, v FROM table_changes('src', ${range}) ORDER BY 1, 2, 3`,
      )
    ).map((row) => Object.values(row).join(" "));

  // The ends are those that Spark 4.2 with Delta Lake gave for the same calls.
  it.each([
    ["0", [...SNAPSHOT, ...CHANGES]],
    ["1, 1", CHANGES.slice(0, 2)],
    ["2, 99", CHANGES.slice(2)],
    ["'2020-01-01'", [...SNAPSHOT, ...CHANGES]],
  ])("of %s", async (range, expected) => {
    expect(await changes(range)).toEqual(expected);
  });

  it.each([
    ["3", "DELTA_CDC_START_VERSION_AFTER_LATEST"],
    ["2, 1", "DELTA_INVALID_CDC_RANGE"],
    ["'2999-01-01'", "DELTA_TIMESTAMP_GREATER_THAN_COMMIT"],
    ["0, '2999-01-01'", "DELTA_TIMESTAMP_GREATER_THAN_COMMIT"],
    ["0, '2020-01-01'", "DELTA_TIMESTAMP_EARLIER_THAN_COMMIT_RETENTION"],
    ["'0'", "DELTA_TIMESTAMP_INVALID"],
  ])("of %s is refused: %s", async (range, code) => {
    const { errors } = await refusal(folder, "query", `SELECT * FROM table_changes('src', ${range})`);
    expect(errors.map((error) => error.code)).toEqual([code]);
  });

  it("makes a materialized view anew where the range has grown", async () => {
    writeFileSync(
      `${folder}/transformations/feed.sql`,
      "CREATE MATERIALIZED VIEW n AS SELECT count(*) AS n FROM table_changes('src', 1);",
    );
    await run(folder);
    expect(await rows(folder, "SELECT n FROM n")).toEqual([{ n: "3" }]);
    expect((await ingot(["dry-run"], { cwd: folder })).stdout).toMatch(/unchanged/);
    await appendRows(localStore, tableOf(folder), [{ id: 9n, v: "i" }]);
    await run(folder);
    expect(await rows(folder, "SELECT n FROM n")).toEqual([{ n: "4" }]);
  });
});
