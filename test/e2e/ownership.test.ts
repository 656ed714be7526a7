import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { describe, expect, it } from "vitest";
import { events, filesBelow, ingot, LANDING, projectMaker, refusal, rows } from "./cli.js";

const project = projectMaker();
const contents = (folder: string) =>
  Object.fromEntries(filesBelow(folder).map((file) => [file, readFileSync(`${folder}/${file}`).toString("base64")]));

describe("data outlives its pipeline (V09)", () => {
  it("keeps a table that is no longer defined, file by file, and tells where it is", async () => {
    const folder = project({
      "transformations/a.sql": "CREATE MATERIALIZED VIEW a AS SELECT 1 AS x;",
      "transformations/b.sql": "CREATE MATERIALIZED VIEW b AS SELECT 2 AS x;",
    });
    expect((await ingot(["run"], { cwd: folder })).code).toBe(0);
    const warehouse = `${folder}/storage/warehouse`;
    const before = contents(warehouse);

    rmSync(`${folder}/transformations/b.sql`);
    const { events: told } = await events(folder);
    expect(told.filter((e) => e.level === "WARN").map((e) => e.message)).toEqual([
      `b is no longer defined, data kept at ${warehouse}/default/b`,
    ]);
    expect(contents(warehouse)).toEqual(before);
    expect(await rows(folder, "SELECT x FROM b")).toEqual([{ x: 2 }]);

    rmSync(`${folder}/ingot.yml`);
    rmSync(`${folder}/transformations`, { recursive: true });
    expect(await rows("/", `SELECT x FROM delta.\`${warehouse}/default/a\``)).toEqual([{ x: 1 }]);
    expect(contents(warehouse)).toEqual(before);
  });
});

describe("a pipeline belongs to whoever may write its storage (V61)", () => {
  it("goes on when another user runs it from another place; the earlier runs' events stay readable", async () => {
    const folder = project({
      "transformations/a.sql": `CREATE STREAMING TABLE a AS SELECT * FROM STREAM ${LANDING};
CREATE STREAMING TABLE copy AS SELECT * FROM STREAM a;
CREATE MATERIALIZED VIEW n AS SELECT count(*) AS n FROM copy;`,
      "landing/1.csv": "id,v\n1,a\n",
    });
    expect((await ingot(["run"], { cwd: folder, user: "anna" })).code).toBe(0);
    const moved = `${folder}-moved`;
    renameSync(folder, moved);
    const plan = await ingot(["dry-run"], { cwd: moved });
    expect(plan.stdout).not.toMatch(/append|recompute/);
    writeFileSync(`${moved}/landing/2.csv`, "id,v\n2,b\n");
    const { code, stderr } = await ingot(["run"], { cwd: moved, user: "bob" });
    expect(code, stderr).toBe(0);
    expect(stderr).not.toContain("held back");
    expect(await rows(moved, "SELECT id FROM copy ORDER BY id")).toEqual([{ id: "1" }, { id: "2" }]);
    expect(await rows(moved, "SELECT n FROM n")).toEqual([{ n: "2" }]);

    const started = filesBelow(`${moved}/storage/_events`).map((file) => {
      const [first = ""] = readFileSync(`${moved}/storage/_events/${file}`, "utf8").split("\n");
      return (JSON.parse(first) as { details: { create_run: { user: string } } }).details.create_run.user;
    });
    expect(started).toEqual(["anna", "bob"]);
    const state = ["_checkpoints", "warehouse", "_pipeline.json"].flatMap((path) => {
      const files = path.endsWith(".json") ? [path] : filesBelow(`${moved}/storage/${path}`).map((f) => `${path}/${f}`);
      return files.map((file) => readFileSync(`${moved}/storage/${file}`, "latin1"));
    });
    expect(state.join()).not.toMatch(/anna|bob|ingot-e2e/);
  });
});

describe("one owner a table", () => {
  const OWNER = { "transformations/a.sql": "CREATE MATERIALIZED VIEW orders AS SELECT 1 AS x;" };
  const other = (warehouse: string, more = "") => ({
    "ingot.yml": `name: other\nstorage: storage\nwarehouse: ${warehouse}\n${more}libraries: [{glob: {include: transformations/**}}]\n`,
    "transformations/b.sql":
      "CREATE MATERIALIZED VIEW fresh AS SELECT 1 AS x;\nCREATE MATERIALIZED VIEW orders AS SELECT 2 AS x;",
  });

  it("refuses a second pipeline before anything runs, and nothing changes", async () => {
    const owner = project(OWNER);
    expect((await ingot(["run"], { cwd: owner })).code).toBe(0);
    const before = contents(`${owner}/storage/warehouse`);
    const second = project(other(`${owner}/storage/warehouse`));
    for (const command of ["dry-run", "run"]) {
      const { code, errors } = await refusal(second, command);
      expect(code).toBe(3);
      expect(errors).toMatchObject([
        {
          code: "TABLE_OWNED_BY_OTHER_PIPELINE",
          at: "transformations/b.sql:2:1",
          hint: expect.stringMatching(/another name.*externalTable/),
        },
      ]);
    }
    expect(contents(`${owner}/storage/warehouse`)).toEqual(before);
    const { events: told } = await events(second).catch(() => ({ events: [] }));
    expect(told.at(-2)).toMatchObject({ message: "Run is FAILED: TABLE_OWNED_BY_OTHER_PIPELINE." });
    expect((await ingot(["run"], { cwd: owner })).code).toBe(0);
  });

  it("lets a pipeline that lost its storage go on under its id", async () => {
    const owner = project(OWNER);
    expect((await ingot(["run"], { cwd: owner })).code).toBe(0);
    const { id } = JSON.parse(readFileSync(`${owner}/storage/_pipeline.json`, "utf8")) as { id: string };
    const second = project(other(`${owner}/storage/warehouse`, `id: ${id}\n`));
    expect((await ingot(["run"], { cwd: second })).code).toBe(0);
    expect(await rows(second, "SELECT x FROM orders")).toEqual([{ x: 2 }]);
  });

  it("refuses a table that no pipeline made", async () => {
    const owner = project(OWNER);
    expect((await ingot(["run"], { cwd: owner })).code).toBe(0);
    const log = `${owner}/storage/warehouse/default/orders/_delta_log/00000000000000000000.json`;
    rmSync(log.replace(".json", ".crc"));
    writeFileSync(log, readFileSync(log, "utf8").replace(/"pipelines\.pipelineId":"[^"]+"/, ""));
    expect(await refusal(owner, "run")).toMatchObject({
      code: 3,
      errors: [{ code: "TABLE_OWNED_BY_OTHER_PIPELINE", message: expect.stringContaining("no pipeline made it") }],
    });
  });
});

describe("the lock of a run", () => {
  const lock = (folder: string, holder: object) => {
    mkdirSync(`${folder}/storage`, { recursive: true });
    writeFileSync(
      `${folder}/storage/_lock`,
      `${JSON.stringify({ run: "r", since: "2026-10-01T00:00:00Z", ...holder })}\n`,
    );
  };

  it("refuses a second run while its process lives", async () => {
    const folder = project({ "transformations/a.sql": "CREATE MATERIALIZED VIEW a AS SELECT 1 AS x;" });
    lock(folder, { pid: process.pid, host: hostname() });
    expect(await refusal(folder, "run")).toMatchObject({ code: 7, errors: [{ code: "RUN_LOCKED" }] });
    expect(existsSync(`${folder}/storage/warehouse`)).toBe(false);
    lock(folder, { pid: 1, host: "another-machine" });
    expect(await refusal(folder, "run")).toMatchObject({
      code: 7,
      errors: [{ hint: expect.stringContaining("60 s") }],
    });
  });
});
