import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { generateInMemory } from "../../packages/ingot/src/sap/generate/in-memory.js";
import { ingot, SPEC, writeProject } from "../e2e/cli.js";
import { describeWith } from "./peer.js";
import { sortRows } from "./relation.js";
import { type Spark, startSpark } from "./spark.js";

const describeSpark = await describeWith("spark");

/** All parts of an order that a release has. */
const PARTS = {
  ecc: {
    header: "VBAK",
    items: "VBAP",
    partners: "VBPA",
    business: "VBKD",
    flow: "VBFA",
    status: "VBUK",
    itemStatus: "VBUP",
  },
  s4: { header: "VBAK", items: "VBAP", partners: "VBPA", business: "VBKD", flow: "VBFA" },
};

describeSpark("a document of SAP", () => {
  let spark: Spark;
  let root: string;
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), "ingot-documents-"));
    spark = await startSpark();
  }, 120_000);
  afterAll(async () => {
    await spark?.stop();
    await rm(root, { recursive: true, force: true });
  }, 30_000);

  it.each(["ecc", "s4"] as const)(
    "is what Spark makes of the statement that it stands for, over the same tables (%s)",
    async (release) => {
      const cwd = join(root, release);
      const tables = Object.values(PARTS[release]);
      const { files } = await generateInMemory({
        release,
        history: 20,
        days: 1,
        batches: 1,
        tables: [...tables, "TCURX"],
      });
      writeProject(cwd, {
        "ingot.yml": `${SPEC}sources: { ERP: { release: ${release}, currencies: landing/initial/TCURX.csv } }\n`,
        "transformations/t.ts": `import { readFiles } from "ingot";
import { salesOrder, sapTable } from "ingot/sap";
const landed = (name: string) => sapTable(name, {
  from: readFiles(\`landing/{initial,cdc}/\${name}*\`, { format: "csv", header: true }),
  changeFormat: "odq", columns: "typed", sequenceBy: ["ODQ_TSN", "ODQ_UNITNO", "ODQ_RECORDNO"],
});
salesOrder({ ${Object.entries(PARTS[release])
          .map(([part, name]) => `${part}: landed("${name}")`)
          .join(", ")} }, { partnerRoles: ["WE", "AG"] });
`,
        ...Object.fromEntries([...files].map(([path, text]) => [`landing/${path}`, text])),
      });
      const { code, stderr } = await ingot(["run", "--quiet"], { cwd });
      expect(code, stderr).toBe(0);
      const { stdout } = await ingot(["run", "--explain"], { cwd });
      const [, statement = ""] =
        /MATERIALIZED VIEW silver_sd_sales_order[\s\S]*?\nAS (SELECT[\s\S]*?);\n/.exec(`${stdout}\n`) ?? [];
      const query = statement.replace(
        /spark_catalog\.default\.(\w+)/g,
        (_, table: string) => `delta.\`${cwd}/storage/warehouse/default/${table}\``,
      );
      const byHand = await spark.sql(query);
      const ours = await spark.sql(`SELECT * FROM delta.\`${cwd}/storage/warehouse/default/silver_sd_sales_order\``);
      expect(ours.rows.length).toBeGreaterThan(20);
      expect(byHand.columns).toEqual(ours.columns);
      expect(sortRows(byHand.rows)).toEqual(sortRows(ours.rows));
    },
    120_000,
  );
});
