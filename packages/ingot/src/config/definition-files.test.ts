import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { writeProject } from "../define/project-fixture.js";
import { thrown } from "../graph/test-builders.js";
import { definitionFiles } from "./definition-files.js";
import { parseYaml } from "./yaml.js";

function find(root: string, ...includes: string[]): string[] {
  const items = includes.map((include) => `  - glob: {include: ${JSON.stringify(include)}}\n`).join("");
  return definitionFiles(parseYaml("/p/ingot.yml", `libraries:\n${items}`), root).map((file) =>
    file.slice(root.length + 1),
  );
}

describe("definitionFiles", () => {
  it("takes plain files and whole folders, sorted, each once", () => {
    const root = writeProject({ "b.sql": "", "t/z.ts": "", "t/a.sql": "", "t/deep/m.ts": "", "c.sql": "" });
    expect(find(root, "t/**", "b.sql", "t/a.sql")).toEqual(["b.sql", "t/a.sql", "t/deep/m.ts", "t/z.ts"]);
  });

  it("passes by types, tests, hidden files and caches in a folder", () => {
    const files = [
      "x.d.ts",
      "x.test.ts",
      "x.spec.ts",
      ".hidden.txt",
      ".git/x",
      "__pycache__/x.pyc",
      "node_modules/m/x.js",
    ];
    const root = writeProject(Object.fromEntries(["a.sql", ...files].map((name) => [`t/${name}`, ""])));
    expect(find(root, "t/**")).toEqual(["t/a.sql"]);
  });

  it("takes a test file that is named by itself", () => {
    expect(find(writeProject({ "a.test.ts": "" }), "a.test.ts")).toEqual(["a.test.ts"]);
  });

  it("follows a link to a file, and refuses one to a folder instead of passing it by", () => {
    const root = writeProject({ "shared/a.sql": "", "t/b.sql": "" });
    symlinkSync(join(root, "shared/a.sql"), join(root, "t/a.sql"));
    expect(find(root, "t/**")).toEqual(["t/a.sql", "t/b.sql"]);
    symlinkSync(join(root, "shared"), join(root, "t/more"));
    expect(thrown(() => find(root, "t/**")).object).toBe("t/more");
  });

  it("refuses Python by name, with what to write instead", () => {
    const error = thrown(() => find(writeProject({ "t/a.py": "" }), "t/**"));
    expect(error).toMatchObject({
      code: "PIPELINE_UNSUPPORTED_DEFINITIONS_FILE_EXTENSION",
      object: "t/a.py",
      at: { line: 2 },
    });
    expect(error.hint).toMatch(/^Python definitions do not run here: write the same query in SQL or TypeScript/);
  });

  it.each(["notes.md", "data.csv", "a.js", "SQL"])("refuses %s", (name) => {
    const error = thrown(() => find(writeProject({ [`t/${name}`]: "" }), "t/**"));
    expect(error.code).toBe("PIPELINE_UNSUPPORTED_DEFINITIONS_FILE_EXTENSION");
  });

  it.each([
    "*.sql",
    "**",
    "/**",
    "t/*",
    "t/**/*.sql",
    "t/[ab].sql",
    "{a,b}.sql",
    "a?.sql",
    "gone.sql",
    "gone/**",
    "a.sql/**",
  ])("refuses the glob %s", (include) => {
    const root = writeProject({ "a.sql": "", "t/a.sql": "" });
    expect(thrown(() => find(root, include)).code).toBe("PIPELINE_SPEC_INVALID_GLOB_PATTERN");
  });

  it("refuses an entry of another form", () => {
    const map = parseYaml("/p/ingot.yml", "libraries:\n  - file: a.sql\n");
    expect(thrown(() => definitionFiles(map, "/p"))).toMatchObject({
      code: "PIPELINE_SPEC_INVALID_VALUE",
      at: { line: 2, column: 5 },
    });
  });
});
