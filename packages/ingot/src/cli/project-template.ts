import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const EDITOR_CONFIG = ".ingot/tsconfig.json";

/**
 * Makes a project's editor settings again where a clone lacks them, or where another copy of the package made them. A
 * failure only costs the editor its types.
 */
export function restoreEditorConfig(root: string): void {
  const path = join(root, EDITOR_CONFIG);
  try {
    if (!readFileSync(join(root, "tsconfig.json"), "utf8").includes(EDITOR_CONFIG)) return;
    const text = editorConfigText();
    if (existsSync(path) && readFileSync(path, "utf8") === text) return;
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  } catch {
    // No tsconfig.json, or a folder that cannot be written.
  }
}

/** The files of a new project, by path. */
export function projectFiles(name: string): Record<string, string> {
  return {
    "ingot.yml": `# Where the pipeline keeps its state and tables, and which files declare them.
name: ${JSON.stringify(name)}
storage: storage
libraries:
  - glob: {include: transformations/**}
`,
    "landing/2026-10-01.csv": `id,material,quantity,posted_at
1,M-100,5,2026-10-01 08:00:00
2,M-200,3,2026-10-01 09:30:00
`,
    "transformations/bronze.ts": `import { readFiles, sql, table } from "ingot";

const landing = readFiles("landing", {
  format: "csv",
  header: true,
  enforceSchema: false,
  columnNameOfCorruptRecord: "_bad",
  schema: "id BIGINT, material STRING, quantity INT, posted_at TIMESTAMP, _bad STRING",
});

export const bronzeMovements = table("bronze_movements", {
  comment: "Every line of every file in landing/, once, as it arrived",
  query: sql\`
    SELECT *, _metadata.file_name AS source_file
    FROM STREAM \${landing}\`,
});
`,
    "transformations/gold.sql": `CREATE MATERIALIZED VIEW stock_by_material
COMMENT 'What is in stock, by material'
AS SELECT material, count(*) AS movements, sum(quantity) AS quantity
FROM bronze_movements
WHERE _bad IS NULL
GROUP BY material;
`,
    "tsconfig.json": `{
  "extends": "./.ingot/tsconfig.json",
  "include": ["transformations", "*.d.ts"]
}
`,
    // Made for this machine: where the Ingot that runs the project has its types.
    [EDITOR_CONFIG]: editorConfigText(),
    ".gitignore": "storage/\n.ingot/\n",
  };
}

function editorConfigText(): string {
  return `${JSON.stringify(compilerConfig(), null, 2)}\n`;
}

/** What a compiler needs to know to find `ingot`: a tsconfig.json without files. */
export function compilerConfig(): object {
  const types = join(packageRoot(), "dist", "types", "public");
  return {
    compilerOptions: {
      target: "es2022",
      lib: ["es2023"],
      module: "esnext",
      moduleResolution: "bundler",
      types: [],
      strict: true,
      noUncheckedIndexedAccess: true,
      exactOptionalPropertyTypes: true,
      noEmit: true,
      skipLibCheck: true,
      paths: Object.fromEntries(
        [
          ["ingot", "index"],
          ["ingot/sap", "sap"],
          ["ingot/testing", "testing"],
        ].map(([name, file]) => [name, [join(types, `${file}.d.ts`)]]),
      ),
    },
  };
}

/** Folder of the running package. */
function packageRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, "package.json"))) folder = dirname(folder);
  return folder;
}
