import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { beforeAll, describe, expect, it } from "vitest";
import { startIngot } from "./child.js";
import { filesBelow, ingot, refusal, rows, temporaryFolder } from "./cli.js";

const TYPES = fileURLToPath(new URL("../../packages/ingot/dist/types/public/index.d.ts", import.meta.url));

describe("a project that init made, somewhere on the disk", () => {
  const root = temporaryFolder();
  const folder = `${root}/my_project`;
  beforeAll(async () => {
    const { code, stdout, stderr } = await ingot(["init", "my_project"], { cwd: root });
    expect(code, stderr).toBe(0);
    expect(stdout).toMatch(/^Made my_project:\n {2}ingot\.yml\n/);
    expect(stderr).toBe("next: ingot run --project my_project\n");
  });

  it("runs in a process of its own: `ingot` is the package that runs, without an install there", async () => {
    const noisy = `${folder}/transformations/noisy.ts`;
    writeFileSync(noisy, 'console.log("what a definitions file prints");\n');
    const { code, stdout, stderr } = await startIngot(["run", "--project", "my_project", "--json"], root).done;
    expect(code, stderr).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ state: "COMPLETED" });
    expect(stderr).toMatch(/^what a definitions file prints\n/);
    rmSync(noisy);
    expect(await rows(folder, "SELECT material, quantity FROM stock_by_material ORDER BY material")).toEqual([
      { material: "M-100", quantity: "5" },
      { material: "M-200", quantity: "3" },
    ]);
    expect(filesBelow(folder).filter((file) => file.includes("node_modules") || file.includes(".mjs"))).toEqual([]);
  });

  it.skipIf(!existsSync(TYPES))("has types, which find a wrong call (needs `npm run build`)", () => {
    expect(typeErrors(folder)).toEqual([]);
    writeFileSync(`${folder}/transformations/wrong.ts`, 'import { table } from "ingot";\ntable("a", 1);\n');
    const errors = typeErrors(folder);
    rmSync(`${folder}/transformations/wrong.ts`);
    expect(errors).toEqual([expect.stringContaining("wrong.ts")]);
  });

  it("is found upward from a folder inside, by --project and by --spec; a spec above --project is another's", async () => {
    const deep = `${folder}/transformations/deep/er`;
    mkdirSync(deep, { recursive: true });
    const query = ["query", "SELECT count(*) AS n FROM bronze_movements", "--json"];
    for (const [cwd, ...more] of [
      [deep],
      [root, "--project", "my_project"],
      ["/", "--spec", `${folder}/ingot.yml`],
    ] as const) {
      const { code, stdout } = await ingot([...query, ...more], { cwd });
      expect(code).toBe(0);
      expect(stdout).toContain('"rows":[{"n":"2"}]');
    }
    expect(await refusal(folder, ...query.slice(0, 2), "--project", "transformations")).toMatchObject({
      code: 3,
      errors: [{ code: "PIPELINE_SPEC_FILE_NOT_FOUND" }],
    });
    expect(await refusal(folder, "run", "--spec", "nope.yml")).toMatchObject({
      code: 3,
      errors: [{ code: "PIPELINE_SPEC_FILE_DOES_NOT_EXIST" }],
    });
  });

  it("is never made over something, nor under a name that is none", async () => {
    expect(await refusal(root, "init", "my_project")).toMatchObject({ code: 2, errors: [{ code: "PROJECT_EXISTS" }] });
    for (const name of ["", "..", "a/.b", "x\ny"]) expect(await refusal(root, "init", name)).toMatchObject({ code: 2 });
    const { stdout } = await ingot(["init", "deep/er/näme 1", "--json"], { cwd: root });
    expect(JSON.parse(stdout)).toMatchObject({ project: `${root}/deep/er/näme 1` });
    expect((await ingot(["run", "--project", "deep/er/näme 1"], { cwd: root })).code).toBe(0);
  });
});

/** What TypeScript says about a project, by its own tsconfig. */
function typeErrors(folder: string): string[] {
  const config = ts.getParsedCommandLineOfConfigFile(
    `${folder}/tsconfig.json`,
    {},
    {
      ...ts.sys,
      onUnRecoverableConfigFileDiagnostic: (diagnostic) => {
        throw new Error(String(diagnostic.messageText));
      },
    },
  );
  if (config === undefined) throw new Error("no tsconfig.json");
  const program = ts.createProgram(config.fileNames, config.options);
  return ts
    .getPreEmitDiagnostics(program)
    .map((d) => `${d.file?.fileName}: ${ts.flattenDiagnosticMessageText(d.messageText, "\n")}`);
}
