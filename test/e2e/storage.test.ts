import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { BIN, start } from "./child.js";
import { filesBelow, ingot, LANDING, projectMaker, rows } from "./cli.js";

const project = projectMaker();
const FILES = {
  "landing/1.csv": "id,v\n1,a\n2,b\n",
  "transformations/all.sql": `CREATE STREAMING TABLE b AS SELECT * FROM STREAM ${LANDING};
CREATE MATERIALIZED VIEW c AS SELECT count(*) AS n FROM b;`,
};
const INGOT = `"${process.execPath}" "${BIN}"`;
const COUNTS = `${INGOT} query --json "SELECT (SELECT count(*) FROM b) AS b, n FROM c"`;
const TWO_EACH = { columns: expect.anything(), rows: [{ b: "2", n: "2" }] };

/** Root ignores file modes, so the tests mount small and read-only file systems in a namespace of their own. */
const CAN_MOUNT = spawnSync("unshare", ["-rm", "true"]).status === 0;

/** Runs a shell script that may mount over folders of the project; gives its lines on stdout. */
async function script(cwd: string, text: string): Promise<string[]> {
  const { stdout } = await start("unshare", ["-rm", "sh", "-c", text], cwd).done;
  return stdout.trim().split("\n");
}

describe.skipIf(!CAN_MOUNT)("storage that gives out (needs `unshare -rm`)", () => {
  // A file takes at least one page of 4 KiB: the disk is full at the manifest, at the rows, at the second table.
  it.each(["20k", "28k", "40k"])(
    "a disk of %s: nothing is half committed, and with room the next run has each row once",
    async (size) => {
      const folder = project(FILES);
      mkdirSync(`${folder}/storage`);
      const [failed = "", code, found = "", completed = "", counts = ""] = await script(
        folder,
        `mount -t tmpfs -o size=${size} none storage && ${INGOT} run --json; echo $?
       find storage -path '*/warehouse/*' -type f | tr '\\n' ' '; echo
       mount -o remount,size=64m storage; ${INGOT} run --json; ${COUNTS}`,
      );
      expect(code).toBe("6");
      expect(JSON.parse(failed)).toMatchObject({ errors: [{ code: "STORAGE_FAILED", hint: expect.anything() }] });
      const files = found.split(" ");
      const commits = files.filter((file) => /_delta_log\/\d{20}\.json$/.test(file));
      expect(files.filter((file) => file.endsWith(".parquet"))).toHaveLength(commits.length);
      expect(JSON.parse(completed)).toMatchObject({ state: "COMPLETED" });
      expect(JSON.parse(counts)).toEqual(TWO_EACH);
    },
  );

  it("a read-only warehouse: the run fails, nothing changes, and the next run catches up", async () => {
    const folder = project(FILES);
    expect((await ingot(["run", "--refresh", "b"], { cwd: folder })).code).toBe(0);
    const before = filesBelow(`${folder}/storage/warehouse`);
    const [failed, code] = await script(
      folder,
      `mount --bind storage/warehouse storage/warehouse && mount -o remount,ro,bind storage/warehouse
       ${INGOT} run --json --full-refresh-all; echo $?`,
    );
    expect(code).toBe("6");
    expect(JSON.parse(failed ?? "")).toMatchObject({
      state: "FAILED",
      tables: [
        { name: "b", status: "FAILED" },
        { name: "c", status: "SKIPPED" },
      ],
      errors: [{ code: "STORAGE_FAILED", hint: expect.stringContaining("can be written") }],
    });
    expect(filesBelow(`${folder}/storage/warehouse`)).toEqual(before);
    expect((await ingot(["run"], { cwd: folder })).code).toBe(0);
    expect(await rows(folder, "SELECT (SELECT count(*) FROM b) AS b, n FROM c")).toEqual(TWO_EACH.rows);
  });

  it("a read-only storage: what only reads still works, a dry run too", async () => {
    const folder = project(FILES);
    expect((await ingot(["run"], { cwd: folder })).code).toBe(0);
    const before = filesBelow(`${folder}/storage`);
    const lines = await script(
      folder,
      `mount --bind storage storage && mount -o remount,ro,bind storage
       ${INGOT} run --json; echo $?; ${COUNTS}; echo $?; ${INGOT} dry-run --json; echo $?`,
    );
    expect(JSON.parse(lines[0] ?? "")).toMatchObject({
      errors: [{ code: "STORAGE_FAILED", hint: expect.stringContaining("read-only") }],
    });
    expect(JSON.parse(lines[2] ?? "")).toEqual(TWO_EACH);
    expect(JSON.parse(lines[4] ?? "")).toMatchObject({ state: "COMPLETED" });
    expect([lines[1], lines[3], lines[5]]).toEqual(["6", "0", "0"]);
    expect(filesBelow(`${folder}/storage`)).toEqual(before);
  });
});
