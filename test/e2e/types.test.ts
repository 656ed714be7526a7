import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { ingot, projectMaker, refusal, storedFiles, temporaryFolder } from "./cli.js";

const DECLARATIONS = fileURLToPath(new URL("../../packages/ingot/dist/types/public/index.d.ts", import.meta.url));
const project = projectMaker();
const SHOP = {
  "transformations/gold.sql": `CREATE MATERIALIZED VIEW orders AS SELECT 1L AS id, 'ann' AS customer, 1.50 AS amount;
CREATE MATERIALIZED VIEW gold.customer_spend AS SELECT customer, sum(amount) AS spend FROM orders GROUP BY customer;
CREATE TEMPORARY VIEW peek AS SELECT array(named_struct('a b', id)) AS list FROM orders;`,
  "ingot.yml":
    "name: t\nstorage: storage\nconfiguration: {landing: in}\nlibraries: [{glob: {include: transformations/**}}]\n",
};
const text = (cwd: string) => readFileSync(`${cwd}/ingot-env.d.ts`, "utf8");

describe("ingot types", () => {
  it("tells the columns of tables and views without a run, and the keys of the configuration", async () => {
    const cwd = project(SHOP);
    const { code, stdout, stderr } = await ingot(["types", "--set", "other=1"], { cwd });
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toBe("ingot-env.d.ts: the columns of gold.customer_spend, orders, peek\n");
    expect(text(cwd)).toContain(`  interface Tables {
    "gold.customer_spend": {
      customer: "STRING";
      spend: "DECIMAL(13,2)";
    };
    orders: {
      id: "BIGINT";
      customer: "STRING";
      amount: "DECIMAL(3,2)";
    };
    peek: {
      list: "ARRAY<STRUCT<\`a b\`: BIGINT>>";
    };
  }
  interface Configuration {
    landing: string;
  }`);
    expect(storedFiles(cwd)).toEqual([]);
  });

  it("takes tables of other pipelines from their logs, and a declared schema where there is no table yet", async () => {
    const other = project(SHOP);
    expect((await ingot(["run"], { cwd: other })).code).toBe(0);
    const cwd = project({
      "ingot.yml": `name: t\nstorage: storage\ncatalogs: {sap: ${other}/storage/warehouse}\nlibraries: [{glob: {include: transformations/**}}]\n`,
      "transformations/a.ts": `import { externalTable, materializedView, sql } from "ingot";
        externalTable("sap.default.orders");
        externalTable("by_path", { path: "${other}/storage/warehouse/default/orders" });
        externalTable("sap.later.soon", { schema: "a INT" });
        externalTable("sap.later.unknown");
        materializedView("m", sql\`SELECT spend FROM sap.gold.customer_spend\`);`,
    });
    const { stdout } = await ingot(["types", "--json"], { cwd });
    expect(JSON.parse(stdout)).toMatchObject({
      file: `${cwd}/ingot-env.d.ts`,
      tables: ["by_path", "m", "sap.default.orders", "sap.gold.customer_spend", "sap.later.soon"],
    });
    expect(text(cwd)).toContain(`"sap.later.soon": {
      a: "INT";
    };`);
    expect(text(cwd).match(/amount: "DECIMAL\(3,2\)";/g)).toHaveLength(2);
  });

  it("--check says what differs, writes nothing, and passes over another layout of the same", async () => {
    const cwd = project(SHOP);
    expect(await refusal(cwd, "types", "--check")).toMatchObject({
      code: 3,
      errors: [{ code: "TYPES_OUT_OF_DATE", hint: "Write it again with `ingot types`, and commit it." }, {}, {}, {}],
    });
    expect(existsSync(`${cwd}/ingot-env.d.ts`)).toBe(false);
    await ingot(["types"], { cwd });
    const formatted = text(cwd)
      .replaceAll('"', "'")
      .replaceAll(/;\n\s+/g, ", ");
    writeFileSync(`${cwd}/ingot-env.d.ts`, formatted);
    expect((await ingot(["types", "--check"], { cwd })).code).toBe(0);
    await ingot(["types"], { cwd });
    expect(text(cwd)).toBe(formatted);

    const sql = SHOP["transformations/gold.sql"].replace("1.50 AS amount", "1.5D AS amount");
    writeFileSync(`${cwd}/transformations/gold.sql`, sql);
    const { errors } = await refusal(cwd, "types", "--check");
    expect(errors.map((e) => e.message)).toEqual([
      "ingot-env.d.ts is old: gold.customer_spend.spend is DOUBLE, not DECIMAL(13,2)",
      "ingot-env.d.ts is old: orders.amount is DOUBLE, not DECIMAL(3,2)",
    ]);
    expect((await ingot(["types"], { cwd })).stderr).toContain(
      "It was old: orders.amount is DOUBLE, not DECIMAL(3,2).",
    );
    expect((await ingot(["types", "--check"], { cwd })).code).toBe(0);
  });

  it("tells faults of the definitions as a run does", async () => {
    const cwd = project({
      "transformations/a.sql": "CREATE MATERIALIZED VIEW m AS SELECT nope FROM VALUES (1) AS t(a)",
    });
    expect(await refusal(cwd, "types")).toMatchObject({
      code: 3,
      errors: [{ code: "UNRESOLVED_COLUMN.WITH_SUGGESTION", at: "transformations/a.sql:1:38" }],
    });
    expect(existsSync(`${cwd}/ingot-env.d.ts`)).toBe(false);
  });
});

describe.skipIf(!existsSync(DECLARATIONS))("ingot check, by the real compiler (needs `npm run build`)", () => {
  const root = temporaryFolder();
  const cwd = `${root}/my_project`;
  const typo = `${cwd}/transformations/typo.ts`;
  beforeAll(async () => {
    await ingot(["init", "my_project"], { cwd: root });
  });

  it("finds no fault in a fresh project, where nothing was installed", async () => {
    const { code, stdout, stderr } = await ingot(["check"], { cwd });
    expect([code, stdout], stderr).toEqual([0, "No fault in 2 datasets and 2 flows.\n"]);
    expect(stderr).toBe("ingot-env.d.ts was old and is written again.\n");
    expect((await ingot(["types", "--check"], { cwd })).code).toBe(0);
  });

  it("knows the columns of tables by their names, those of a .sql file among them", async () => {
    writeFileSync(
      typo,
      `import { materializedView, ref, sql } from "ingot";
const stock = ref("stock_by_material");
materializedView("m", sql\`SELECT \${stock.col("material")} FROM \${stock} WHERE \${stock.col("quantiti")} > 0\`);
`,
    );
    const { code, errors } = await refusal(cwd, "check");
    expect([code, errors.length]).toEqual([3, 2]);
    // The faults of the definitions and the compiler's, in one list.
    expect(errors[0]).toMatchObject({ code: "UNRESOLVED_COLUMN.WITH_SUGGESTION" });
    expect(errors[1]).toMatchObject({ code: "TYPE_ERROR", at: "transformations/typo.ts:3:91" });
    expect(errors[1]?.message).toMatch(/^TS2345: Argument of type '"quantiti"' is not assignable/);
    rmSync(typo);
  });

  it("tells what the compiler says of the settings, which have no place", async () => {
    const settings = readFileSync(`${cwd}/tsconfig.json`, "utf8");
    writeFileSync(`${cwd}/tsconfig.json`, settings.replace("transformations", "elsewhere").replace("*.d.ts", "no.ts"));
    const { errors } = await refusal(cwd, "check");
    expect(errors).toEqual([{ code: "TYPE_ERROR", message: expect.stringMatching(/^TS18003: No inputs were found/) }]);
    writeFileSync(`${cwd}/tsconfig.json`, settings);
  });

  it("checks the definitions alone where a project has no tsconfig.json", async () => {
    const bare = project({
      ...SHOP,
      "transformations/a.ts": 'import { ref } from "ingot";\nref("orders").col("idd");\n',
    });
    expect(await refusal(bare, "check")).toMatchObject({
      code: 3,
      errors: [{ code: "TYPE_ERROR", at: "transformations/a.ts:2:19" }],
    });
  });
});
