import { cpSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { readSpec } from "../../packages/ingot/src/config/spec.js";
import { loadDefinitionsOf } from "../../packages/ingot/src/define/project.js";
import type { Definitions } from "../../packages/ingot/src/model/definition.js";
import { openSystems } from "../../packages/ingot/src/sources/sap/load-source.js";
import { ingot, projectMaker, storedFiles, temporaryFolder } from "./cli.js";

const EXAMPLES = fileURLToPath(new URL("../../examples", import.meta.url));
const project = projectMaker();

async function loadProject(folder: string): Promise<Definitions> {
  const {
    definitionFiles: files,
    root,
    configuration,
    catalog,
    schema,
    sources,
  } = await readSpec(join(folder, "ingot.yml"));
  return loadDefinitionsOf({
    root,
    configuration,
    systems: () => openSystems(sources),
    defaults: { catalog, schema },
    sqlFiles: files.filter((file) => file.endsWith(".sql")),
    tsFiles: files.filter((file) => file.endsWith(".ts")),
  });
}

/** What a project declares, without the places of its texts, in one order. */
function modelOf({ datasets, flows }: Definitions): string[] {
  const hidden = new Set(["segments", "at"]);
  const sorted = (value: unknown): unknown =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value;
  return [...datasets, ...flows]
    .map((value) => JSON.stringify(value, (key, inner: unknown) => (hidden.has(key) ? undefined : sorted(inner))))
    .sort();
}

describe("--explain prints a project as one .sql file that declares the same", () => {
  it.each(readdirSync(EXAMPLES))("examples/%s", async (name) => {
    const folder = join(temporaryFolder(), name);
    cpSync(join(EXAMPLES, name), folder, { recursive: true });
    const made = await loadProject(folder);
    for (const command of ["run", "dry-run"]) {
      const { code, stdout, stderr } = await ingot([command, "--explain"], { cwd: folder });
      expect([code, stderr]).toEqual([0, ""]);
      rmSync(join(folder, "transformations"), { recursive: true });
      writeFileSync(join(folder, "printed.sql"), stdout);
      writeFileSync(join(folder, "ingot.yml"), "name: p\nstorage: s\nlibraries: [{glob: {include: printed.sql}}]\n");
      expect(modelOf(await loadProject(folder))).toEqual(modelOf(made));
      cpSync(join(EXAMPLES, name), folder, { recursive: true });
    }
  });

  it("shows what sapTable stands for", async () => {
    const cwd = project({
      "ingot.yml":
        "name: p\nstorage: s\nlibraries: [{glob: {include: t.ts}}]\nsources: {ECC: {release: ecc, keys: stripped, amounts: shifted}}\n",
      "t.ts": `import { readFiles } from "ingot";
import { sapTable } from "ingot/sap";
const landing = (table: string) => readFiles("landing/" + table, { format: "csv", header: true });
sapTable("VBAK", { from: landing("vbak"), changeFormat: "recordmode", columns: "typed", columnList: ["netwr", "erdat"] });
sapTable("LIKP", { from: landing("likp"), changeFormat: "slt", columnList: ["lfart"] });
sapTable("VBAP", { from: landing("vbap"), changeFormat: "odq", where: "WERKS <> '9999'", maxDeleteShare: 0.2 });
sapTable("/BIC/ZORD", { from: landing("zord"), changeFormat: "slt", keys: ["/BIC/ID"], scdType: 2 });
sapTable("MAKT", { from: "sap.makt", changeFormat: "cdf" });
`,
    });
    const made = await loadProject(cwd);
    const { stdout } = await ingot(["run", "--explain"], { cwd });
    writeFileSync(join(cwd, "printed.sql"), stdout);
    writeFileSync(join(cwd, "ingot.yml"), "name: p\nstorage: s\nlibraries: [{glob: {include: printed.sql}}]\n");
    expect(modelOf(await loadProject(cwd))).toEqual(modelOf(made));
    const part = (start: string) => stdout.slice(stdout.indexOf(start)).split(";\n")[0];
    expect(part("CREATE STREAMING TABLE bronze.likp")).toBe(`CREATE STREAMING TABLE bronze.likp
TBLPROPERTIES (
  'delta.enableChangeDataFeed' = 'true',
  'delta.enableDeletionVectors' = 'true'
)
AS SELECT
  *,
  struct(_metadata.file_modification_time AS time, _metadata.file_path AS file, _metadata.row_number AS row) AS _delivery
FROM STREAM read_files('landing/likp', format => 'csv', header => true, schemaHints => 'LFART STRING')`);
    expect(part("CREATE TEMPORARY VIEW likp_cdf")).toBe(`CREATE TEMPORARY VIEW likp_cdf (
  CONSTRAINT known_operation EXPECT (_change_type IS NOT NULL) ON VIOLATION QUARANTINE ROW,
  CONSTRAINT valid_key EXPECT (mandt IS NOT NULL AND vbeln IS NOT NULL) ON VIOLATION QUARANTINE ROW,
  CONSTRAINT valid_sequence EXPECT (_recordstamp IS NOT NULL) ON VIOLATION QUARANTINE ROW,
  CONSTRAINT invalid_primary_key EXPECT (NOT contains(_malformed, '[INVALID_PRIMARY_KEY]')) ON VIOLATION QUARANTINE ROW
)
TBLPROPERTIES (
  'ingot.expectation.invalid_primary_key.status' = 'INVALID_PRIMARY_KEY',
  'ingot.expectation.known_operation.status' = 'UNKNOWN_OP',
  'ingot.expectation.valid_key.status' = 'INVALID_PRIMARY_KEY',
  'ingot.expectation.valid_sequence.status' = 'INVALID_SEQUENCE'
)
AS SELECT
  try_sap_alpha(nullif(rtrim(CAST(MANDT AS STRING)), ''), 3) AS mandt,
  try_sap_alpha(nullif(rtrim(CAST(VBELN AS STRING)), ''), 10) AS vbeln,
  CAST(LFART AS STRING) AS lfart,
  OPERATION_FLAG AS operation_flag,
  CASE
    WHEN coalesce(trim(CAST(OPERATION_FLAG AS STRING)), '') = 'D' THEN 'delete'
    WHEN coalesce(trim(CAST(OPERATION_FLAG AS STRING)), '') IN ('I', 'U', 'L') THEN 'update_postimage'
  END AS _change_type,
  rpad(nullif(regexp_replace(nullif(trim(CAST(RECORDSTAMP AS STRING)), ''), '[^0-9]', ''), ''), 40, '0') AS _recordstamp,
  concat_ws('; ', concat('[', sap_alpha_reason(nullif(rtrim(CAST(MANDT AS STRING)), ''), 3), '] MANDT=', CAST(MANDT AS STRING)), concat('[', sap_alpha_reason(nullif(rtrim(CAST(VBELN AS STRING)), ''), 10), '] VBELN=', CAST(VBELN AS STRING))) AS _malformed,
  try_to_timestamp(rpad(regexp_replace(CAST(RECORDSTAMP AS STRING), '[^0-9]', ''), 14, '0'), 'yyyyMMddHHmmss') AS event_ts
FROM STREAM spark_catalog.bronze.likp`);
    expect(part("CREATE STREAMING TABLE likp_cur")).toBe(`CREATE STREAMING TABLE likp_cur (
  CONSTRAINT single_mandt EXPECT SINGLE VALUE (mandt)
)
CLUSTER BY (mandt, vbeln)`);
    expect(part("CREATE FLOW likp_cur")).toBe(`CREATE FLOW likp_cur
AS AUTO CDC INTO likp_cur
FROM STREAM spark_catalog.default.likp_cdf
KEYS (mandt, vbeln)
APPLY AS DELETE WHEN _change_type = 'delete'
SEQUENCE BY _recordstamp
COLUMNS * EXCEPT (operation_flag, _change_type, _recordstamp, _malformed)
STORED AS SCD TYPE 1
WITH (ties => 'delete')`);
  });

  it("shows what loops and helpers came to, and what a run would refuse; touches nothing", async () => {
    const cwd = project({
      "ingot.yml":
        "name: p\nstorage: storage\nschema: bronze\nconfiguration: {tax: '1.19'}\nlibraries: [{glob: {include: transformations/**}}]\n",
      "transformations/loop.ts": `import { config, expectOrDrop, sql, view } from "ingot";
for (const name of ["a", "b"])
  view(\`gold.\${name}\`, {
    comment: "it's " + name,
    expectations: [expectOrDrop("positive", "x > 0")],
    query: sql\`SELECT \${sql.raw(config("tax"))} AS x, \${name} AS n\`,
  });
`,
      // biome-ignore lint/suspicious/noTemplateCurlyInString: a parameter of the file
      "transformations/t.sql": "CREATE MATERIALIZED VIEW t AS SELECT ${tax} AS x",
    });
    const { code, stdout } = await ingot(["run", "--explain"], { cwd });
    expect(code).toBe(0);
    expect(stdout).toBe(`CREATE MATERIALIZED VIEW t
AS SELECT 1.19 AS x;

CREATE VIEW gold.a (
  CONSTRAINT positive EXPECT (x > 0) ON VIOLATION DROP ROW
)
COMMENT 'it\\'s a'
AS SELECT 1.19 AS x, 'a' AS n;

CREATE VIEW gold.b (
  CONSTRAINT positive EXPECT (x > 0) ON VIOLATION DROP ROW
)
COMMENT 'it\\'s b'
AS SELECT 1.19 AS x, 'b' AS n;
`);
    expect(storedFiles(cwd)).toEqual([]);
    const json = await ingot(["dry-run", "--explain", "--json"], { cwd });
    expect(JSON.parse(json.stdout)).toEqual({ statements: stdout });
  });
});
