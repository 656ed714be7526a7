import { cpSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { readSpec } from "../../packages/ingot/src/config/spec.js";
import { loadDefinitionsOf } from "../../packages/ingot/src/define/project.js";
import type { Definitions } from "../../packages/ingot/src/model/definition.js";
import { ingot, projectMaker, storedFiles, temporaryFolder } from "./cli.js";

const EXAMPLES = fileURLToPath(new URL("../../examples", import.meta.url));
const project = projectMaker();

async function loadProject(folder: string): Promise<Definitions> {
  const { definitionFiles: files, root, configuration, catalog, schema } = await readSpec(join(folder, "ingot.yml"));
  return loadDefinitionsOf({
    root,
    configuration,
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
