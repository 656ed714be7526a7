import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ingot, SPEC, writeProject } from "../e2e/cli.js";
import { describeWith } from "./peer.js";
import { type Relation, sortRows } from "./relation.js";
import { type Spark, startSpark } from "./spark.js";

const describeSpark = await describeWith("spark");

/** What happens to the table between the first run and the second: each is a version; `$t` is the table. */
const CHANGES = [
  "UPDATE $t SET v = 'z', n = n + 1 WHERE id = 2",
  "DELETE FROM $t WHERE id = 1",
  `MERGE INTO $t t USING (SELECT 3 AS id, 'm' AS v, 7L AS n UNION ALL SELECT 9, 'i', 0L) s ON t.id = s.id
   WHEN MATCHED THEN UPDATE SET v = s.v WHEN NOT MATCHED THEN INSERT (id, v, n) VALUES (s.id, s.v, s.n)`,
  "ALTER TABLE $t ADD COLUMN w DECIMAL(10,2)",
  "INSERT INTO $t VALUES (5, 'e', 5, 1.50)",
  "OPTIMIZE $t",
  "DELETE FROM $t WHERE id = 5",
];

describeSpark("the change feed of a table that Spark writes", () => {
  let spark: Spark;
  let root: string;
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), "ingot-feed-"));
    spark = await startSpark();
  }, 120_000);
  afterAll(async () => {
    await spark?.stop();
    await rm(root, { recursive: true, force: true });
  }, 30_000);

  it.each(["true", "false"])(
    "is Spark's (deletion vectors: %s)",
    async (vectors) => {
      const name = `feed_${vectors}`;
      // A run of Spark's pipelines takes as long as all else.
      const isStreamed = vectors === "true";
      const location = join(root, name);
      const project = writeProject(join(root, `project_${vectors}`), {
        "ingot.yml": SPEC,
        "transformations/feed.sql": `CREATE STREAMING TABLE feed AS SELECT * FROM STREAM delta.\`${location}\` WITH (readChangeFeed = true);`,
      });
      const run = async () => {
        const { code, stderr } = await ingot(["run"], { cwd: project });
        expect(code, stderr).toBe(0);
        if (!isStreamed) return;
        await spark.run({
          files: {
            "feed.sql": `CREATE STREAMING TABLE feed AS SELECT * FROM STREAM spark_catalog.default.${name} WITH (readChangeFeed = true);`,
          },
          schema: `pipeline_${vectors}`,
          fullRefresh: false,
        });
      };
      const ours = async (query: string): Promise<Relation> => {
        const { code, stdout, stderr } = await ingot(["query", query, "--json"], { cwd: project });
        expect(code, stderr).toBe(0);
        const { columns, rows } = JSON.parse(stdout) as {
          columns: Relation["columns"];
          rows: Record<string, never>[];
        };
        return { columns, rows: rows.map((row) => columns.map((column) => row[column.name] ?? null)) };
      };
      const same = async (query: string, theirs: string) => {
        const [we, they] = [await ours(query), await spark.sql(theirs)];
        expect(we.columns).toEqual(they.columns);
        expect(sortRows(we.rows)).toEqual(sortRows(they.rows));
        return they.rows.length;
      };

      await spark.sql(`CREATE SCHEMA pipeline_${vectors}`);
      await spark.sql(
        `CREATE TABLE ${name} (id INT, v STRING, n BIGINT) USING delta LOCATION '${location}'
         TBLPROPERTIES (delta.enableChangeDataFeed = true, delta.enableDeletionVectors = ${vectors})`,
      );
      await spark.sql(`INSERT INTO ${name} VALUES (1, 'a', 1), (2, 'b', 2), (3, 'c', 3)`);
      await spark.sql(`DELETE FROM ${name} WHERE id = 3`);
      await spark.sql(`INSERT INTO ${name} VALUES (3, 'c', 3)`);
      await run();
      for (const change of CHANGES) await spark.sql(change.replace("$t", name));
      for (const range of ["0", "1, 2", "2, 5", "4", "8, 99"])
        expect(
          await same(
            `SELECT * FROM table_changes_by_path('${location}', ${range})`,
            `SELECT * FROM table_changes('${name}', ${range})`,
          ),
        ).toBeGreaterThan(0);
      await run();
      if (!isStreamed) return;
      const feed = "SELECT id, v, n, w, _change_type, _commit_version, _commit_timestamp FROM";
      expect(await same(`${feed} feed`, `${feed} pipeline_${vectors}.feed`)).toBeGreaterThan(8);
    },
    180_000,
  );
});
