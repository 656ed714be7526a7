import { mkdtempSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { localStore, mayMatch, readSnapshot } from "../../packages/delta/src/index.js";
import { ingot, run, SPEC, texts, writeProject } from "../e2e/cli.js";
import { describeWith } from "./peer.js";
import { type SparkServer, startSparkServer } from "./spark-server.js";

const describe = await describeWith("spark");

describe("the files of a table that hold no key of a batch", () => {
  let root: string;
  let server: SparkServer;
  beforeAll(async () => {
    root = mkdtempSync(join(tmpdir(), "ingot-key-range-"));
    server = await startSparkServer();
  }, 120_000);
  afterAll(async () => {
    await server?.stop();
    rmSync(root, { recursive: true, force: true });
  }, 30_000);

  // Of the two keys one is of a type that gives no range.
  it.each([
    ["INT", "", (n: number) => String(n)],
    ["STRING", "", (n: number) => `it's ${String(n).padStart(3, "0")}`],
    ["DATE", "", (n: number) => new Date(Date.UTC(1999, 11, 31) + n * 86_400_000).toISOString().slice(0, 10)],
    ["INT", " STORED AS SCD TYPE 2", (n: number) => String(n - 150)],
  ])(
    "are not read: keys of the type %s%s",
    async (type, stored, key) => {
      const cwd = writeProject(mkdtempSync(join(root, "p")), {
        "ingot.yml": SPEC,
        "transformations/all.sql": `CREATE TEMPORARY VIEW checked (CONSTRAINT named EXPECT (v <> '?')) AS SELECT * FROM STREAM
          read_files('landing', format => 'csv', header => true, enforceSchema => false,
            schema => 'k ${type}, half DECIMAL(2,1), v STRING, op STRING, seq INT');
        CREATE STREAMING TABLE t;
        CREATE FLOW f AS AUTO CDC INTO t FROM STREAM(checked) KEYS (k, half) APPLY AS DELETE WHEN op = 'D'
          SEQUENCE BY seq COLUMNS (k, half, v)${stored};`,
      });
      const spark = ["--engine", "spark", "--remote", server.remote];
      const deliver = (name: number, events: readonly (readonly [number, string, string, number])[]) =>
        writeProject(cwd, {
          [`landing/${name}.csv`]: `k,half,v,op,seq\n${events.map(([n, v, op, seq]) => `${key(n)},0.5,${v},${op},${seq}\n`).join("")}`,
        });
      const table = join(cwd, "storage/warehouse/default/t");
      const files = async () =>
        ((await readSnapshot(localStore, table))?.files ?? []).map(({ path }) => join(table, path));
      deliver(1, [
        [1, "a", "U", 1],
        [9, "b", "U", 1],
      ]);
      await run(cwd, ...spark);
      const far = await files();
      deliver(2, [
        [100, "c", "U", 2],
        [109, "d", "U", 2],
        [110, "e", "U", 2],
      ]);
      await run(cwd, ...spark);
      expect((await files()).length).toBeGreaterThan(far.length);
      for (const path of far) renameSync(path, `${path}.away`);
      // The first and the last key that there are, one of before, one that comes, one that is late.
      deliver(3, [
        [100, "C", "U", 3],
        [109, "", "D", 3],
        [110, "late", "U", 1],
        [105, "new", "U", 3],
      ]);
      await run(cwd, ...spark);
      deliver(4, [[9, "B", "U", 4]]);
      const { code } = await ingot(["run", ...spark], { cwd });
      expect(code).not.toBe(0);
      for (const path of far) renameSync(`${path}.away`, path);
      await run(cwd, ...spark);
      const open = stored === "" ? "" : " WHERE __END_AT IS NULL";
      expect(await texts(cwd, `SELECT k, v FROM t${open} ORDER BY k`)).toEqual(
        (
          [
            [1, "a"],
            [9, "B"],
            [100, "C"],
            [105, "new"],
            [110, "e"],
          ] as const
        ).map(([n, v]) => `${key(n)} ${v}`),
      );
    },
    300_000,
  );

  it("are not looked into for what is known of the keys, where a table has many", async () => {
    const cwd = writeProject(mkdtempSync(join(root, "p")), {
      "ingot.yml": SPEC,
      "transformations/all.sql": `CREATE STREAMING TABLE t;
        CREATE FLOW f AS AUTO CDC INTO t FROM STREAM read_files('landing', format => 'csv', header => true,
          schema => 'k INT, v STRING, seq INT') KEYS (k) SEQUENCE BY seq;`,
    });
    const deliver = (k: number, v: string, seq: number) =>
      writeProject(cwd, { [`landing/${seq}-${k}.csv`]: `k,v,seq\n${k},${v},${seq}\n` });
    for (let k = 1; k <= 33; k++) {
      deliver(k, "old", 1);
      await run(cwd);
    }
    const table = join(cwd, "storage/warehouse/default/t");
    const snapshot = await readSnapshot(localStore, table);
    if (snapshot === undefined) throw new Error("no table");
    const isNear = mayMatch({ kind: "compare", column: ["k"], operator: "=", value: 20 }, snapshot);
    const far = snapshot.files.filter((file) => !isNear(file)).map(({ path }) => path);
    expect([snapshot.files.length, far.length]).toEqual([33, 32]);
    for (const name of far) renameSync(join(table, name), join(table, `${name}.away`));
    deliver(20, "new", 2);
    await run(cwd, "--engine", "spark", "--remote", server.remote);
    for (const name of far) renameSync(join(table, `${name}.away`), join(table, name));
    expect(await texts(cwd, "SELECT k, v FROM t WHERE k BETWEEN 19 AND 21 ORDER BY k")).toEqual([
      "19 old",
      "20 new",
      "21 old",
    ]);
  }, 300_000);
});
