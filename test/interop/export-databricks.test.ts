import { mkdirSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ingot } from "./ingot.js";
import { describeWith } from "./peer.js";
import { startSpark } from "./spark.js";

const describe = await describeWith("spark");

describe("a bundle of ingot export databricks", () => {
  it("runs in Spark's own pipelines as far as they know its statements", async () => {
    const folder = await mkdtemp(join(tmpdir(), "ingot-export-"));
    const spark = await startSpark();
    try {
      await spark.sql(`CREATE TABLE raw USING delta LOCATION '${folder}/raw' AS
        SELECT * FROM VALUES ('1', '20240131', 10.50BD), ('2', '00000000', 2.25BD) AS t(id, day, amount)`);
      mkdirSync(join(folder, "transformations"));
      await writeFile(
        join(folder, "ingot.yml"),
        "name: p\nstorage: storage\nlibraries: [{glob: {include: transformations/**}}]\n",
      );
      await writeFile(
        join(folder, "transformations/a.ts"),
        `import { externalTable, materializedView, sql, table, temporaryView } from "ingot";
const raw = externalTable("raw", { path: "raw" });
const bronze = table("bronze", { comment: "as it came", query: sql\`SELECT * FROM STREAM \${raw}\` });
const typed = temporaryView("typed", sql\`SELECT sap_alpha(id, 10) AS id, sap_date(day) AS day, amount FROM \${bronze}\`);
materializedView("report", sql\`SELECT id, day, amount FROM \${typed}\`);
`,
      );
      await ingot("export", "databricks", "--project", folder, "--out", join(folder, "bundle"));
      const below = join(folder, "bundle/transformations/default");
      const files = await Promise.all(
        (await readdir(below)).map(async (name) => [name, await readFile(join(below, name), "utf8")] as const),
      );
      const events = await spark.run({ files: Object.fromEntries(files), schema: "default", fullRefresh: false });
      expect(events.at(-1)).toBe("Run is COMPLETED.");
      const { rows } = await spark.sql("SELECT * FROM report ORDER BY id");
      expect(rows).toEqual([
        ["0000000001", "2024-01-31", "10.50"],
        ["0000000002", null, "2.25"],
      ]);
    } finally {
      await spark.stop();
      await rm(folder, { recursive: true, force: true });
    }
  }, 240_000);
});
