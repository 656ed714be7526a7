import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import type { RunEvent } from "../../packages/ingot/src/model/event.js";
import { BIN, start } from "./child.js";
import { events, filesBelow, ingot, LANDING, projectMaker, refusal, rows } from "./cli.js";

const project = projectMaker();

describe("a flow that fails", () => {
  const folder = project({
    "transformations/all.sql": `CREATE STREAMING TABLE bronze AS SELECT * FROM STREAM ${LANDING};
CREATE MATERIALIZED VIEW shares AS
  SELECT id, 10 / (id - 3) AS share FROM bronze;
CREATE TEMPORARY VIEW between AS SELECT * FROM shares;
CREATE MATERIALIZED VIEW report AS SELECT * FROM between;
CREATE STREAMING TABLE copy AS SELECT id, CAST(v AS INT) AS v FROM STREAM bronze;
CREATE MATERIALIZED VIEW total AS SELECT count(*) AS n FROM bronze;`,
    "landing/1.csv": "id,v\n1,10\n2,20\n",
  });
  let code = -1;
  let told: readonly RunEvent[] = [];
  let before: string[] = [];
  const tables = () =>
    ["shares", "report", "copy"].flatMap((t) => filesBelow(`${folder}/storage/warehouse/default/${t}`));
  beforeAll(async () => {
    expect((await ingot(["run"], { cwd: folder })).code).toBe(0);
    before = tables();
    writeFileSync(`${folder}/landing/2.csv`, "id,v\n3,x\n");
    ({ code, events: told } = await events(folder));
  });

  /** The last state of each flow, by its short name. */
  const states = () =>
    Object.fromEntries(
      told.flatMap((e) =>
        "flow_progress" in e.details ? [[e.origin.flow_name?.split(".").at(-1), e.details.flow_progress.status]] : [],
      ),
    );

  it("leaves what does not depend on it alone; what reads it, through a view too, is skipped; exit code 1", () => {
    expect(code).toBe(1);
    expect(states()).toEqual({
      bronze: "COMPLETED",
      shares: "FAILED",
      report: "SKIPPED",
      copy: "FAILED",
      total: "COMPLETED",
    });
  });

  it("has one terminal event, with Spark's words, and its error with its place", () => {
    const of = (flow: string) => told.filter((e) => e.origin.flow_name?.endsWith(`.${flow}`)).at(-1);
    expect(of("shares")).toMatchObject({
      level: "ERROR",
      message: "Flow 'spark_catalog.default.shares' has FAILED.",
      error: { code: "DIVIDE_BY_ZERO", sqlState: "22012", at: { line: 2, column: 1 } },
    });
    expect(of("copy")).toMatchObject({ error: { code: "CAST_INVALID_INPUT", sqlState: "22018", at: { line: 6 } } });
    expect(of("report")).toMatchObject({
      level: "WARN",
      message: "Flow 'spark_catalog.default.report' SKIPPED due to upstream failure(s).",
      details: { flow_progress: { reason: "upstream shares failed" } },
    });
    expect(told.at(-1)?.message).toBe(
      "Run is FAILED since flows 'spark_catalog.default.shares', 'spark_catalog.default.copy' have failed.",
    );
  });

  it("leaves its table as it was, and what reads it too: versions, rows and files", async () => {
    expect(tables()).toEqual(before);
    expect(await rows(folder, "SELECT id FROM report ORDER BY id")).toEqual([{ id: "1" }, { id: "2" }]);
    expect(await rows(folder, "SELECT n FROM total")).toEqual([{ n: "3" }]);
  });

  it("is told to people with code, place, and what became of each table", async () => {
    const { stdout, stderr } = await ingot(["run"], { cwd: folder });
    expect(stderr).toMatch(/error\[DIVIDE_BY_ZERO\]: Division by zero\..*\n {2}at transformations\/all\.sql:2:1\n/);
    expect(stdout).toMatch(/shares +FAILED +storage\/warehouse\/default\/shares\ncopy +FAILED.*\nreport +SKIPPED/);
  });

  it("goes on where it stopped when the query is corrected: each row once", async () => {
    const file = `${folder}/transformations/all.sql`;
    writeFileSync(
      file,
      `CREATE STREAMING TABLE bronze AS SELECT * FROM STREAM ${LANDING};
CREATE STREAMING TABLE copy AS SELECT id, try_cast(v AS INT) AS v FROM STREAM bronze;`,
    );
    expect((await ingot(["run"], { cwd: folder })).code).toBe(0);
    expect(await rows(folder, "SELECT id, v FROM copy ORDER BY id")).toEqual([
      { id: "1", v: 10 },
      { id: "2", v: 20 },
      { id: "3", v: null },
    ]);
  });
});

describe("a batch that was planned and not committed", () => {
  const log = (folder: string) => `${folder}/storage/warehouse/default/bronze/_delta_log`;

  /** Two batches, of which the second lost its commit: as if the process had died before it. */
  async function pending(): Promise<string> {
    const folder = project({
      "transformations/all.sql": `CREATE STREAMING TABLE bronze AS SELECT * FROM STREAM ${LANDING};`,
      "landing/1.csv": "id,v\n1,a\n",
    });
    for (const id of [2, 3]) {
      expect((await ingot(["run"], { cwd: folder })).code).toBe(0);
      writeFileSync(`${folder}/landing/${id}.csv`, `id,v\n${id},b\n`);
    }
    for (const kind of ["json", "crc"]) rmSync(`${log(folder)}/00000000000000000001.${kind}`);
    return folder;
  }

  it("is refused when one of its files changed; it ends when the file is back, and newer files come after it", async () => {
    const folder = await pending();
    writeFileSync(`${folder}/landing/2.csv`, "id,v\n2,other\n");
    const { code, errors } = await refusal(folder, "run");
    expect(code).toBe(1);
    expect(errors).toMatchObject([
      { code: "FILE_CHANGED", at: "transformations/all.sql:1:1", hint: expect.stringContaining("--full-refresh") },
    ]);
    expect(errors[0]?.message).toContain("landing/2.csv");
    expect(readdirSync(log(folder)).filter((name) => name.endsWith(".json"))).toHaveLength(1);

    writeFileSync(`${folder}/landing/2.csv`, "id,v\n2,b\n");
    expect((await ingot(["run"], { cwd: folder })).code).toBe(0);
    expect(await rows(folder, "SELECT id FROM bronze VERSION AS OF 1 ORDER BY id")).toEqual([{ id: "1" }, { id: "2" }]);
    expect(await rows(folder, "SELECT id FROM bronze ORDER BY id")).toEqual(["1", "2", "3"].map((id) => ({ id })));
  });

  it("is shown by a dry run, and given up by a full refresh", async () => {
    const folder = await pending();
    expect((await ingot(["dry-run"], { cwd: folder })).stdout).toMatch(/bronze +replay +batch 1 was planned/);
    rmSync(`${folder}/landing/2.csv`);
    expect((await ingot(["run", "--full-refresh", "bronze"], { cwd: folder })).code).toBe(0);
    expect(await rows(folder, "SELECT id FROM bronze ORDER BY id")).toEqual([{ id: "1" }, { id: "3" }]);
  });

  it("is refused when the table is older than its checkpoint, as after a backup: no batch may be left out", async () => {
    const folder = await pending();
    rmSync(log(folder), { recursive: true });
    const { code, errors } = await refusal(folder, "run");
    expect(code).toBe(1);
    expect(errors).toMatchObject([{ code: "CHECKPOINT_DAMAGED", hint: expect.stringContaining("backup") }]);
  });
});

it("ends where the program's own files went away under it", async () => {
  // Beside the repository's packages, so that those that it needs are found.
  const copy = mkdtempSync(join(fileURLToPath(new URL("../../node_modules", import.meta.url)), ".ingot-"));
  try {
    const built = dirname(dirname(BIN));
    for (const part of ["bin", "dist", "package.json"])
      cpSync(join(built, part), join(copy, part), { recursive: true });
    const folder = project({
      "transformations/all.ts": `import { rmSync } from "node:fs";
rmSync(${JSON.stringify(join(copy, "dist/chunks"))}, { recursive: true });
void Promise.reject(new Error("left behind"));
await new Promise(() => {});
`,
    });
    const { code, stderr } = await start(process.execPath, [join(copy, "bin/ingot.js"), "run"], folder).done;
    expect(code).toBe(70);
    expect(stderr).toMatch(/^error\[INTERNAL_ERROR\]: .*left behind\n {2}could not be told in full: /m);
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
});
