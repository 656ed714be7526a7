import { afterAll, describe, expect, it } from "vitest";
import { api, refusal } from "./api-fixture.js";
import { datasetNames, errorsOf, loadFiles, removeProjects, writeProject } from "./project-fixture.js";

afterAll(removeProjects);

const SETTINGS = `
  import { config, fileExists, listFiles, notice, readJson, sql, table } from "ingot";
  const { tables } = await readJson<{ tables: string[] }>(config("path"));
  for (const name of tables) {
    if (await fileExists(\`raw/\${name}.csv\`)) table(name, sql\`SELECT 1\`);
    else notice(\`\${name} is missing\`, "WARN");
  }
  for (const path of await listFiles("raw/*.csv")) table(\`\\\`\${path}\\\`\`, sql\`SELECT 1\`);`;

describe("while a project loads", () => {
  it("settings and files are read relative to the spec's folder, and recorded", async () => {
    const root = writeProject({
      "sub/a.ts": SETTINGS,
      "config.json": `{ "tables": ["b", "c"] }`,
      "raw/c.csv": "",
      "raw/a.csv": "",
      "raw/x/y.csv": "",
    });
    const loaded = await loadFiles(root, ["sub/a.ts"], { configuration: { path: "config.json" } });
    expect(datasetNames(loaded)).toEqual(["main.shop.c", "main.shop.raw/a.csv", "main.shop.raw/c.csv"]);
    expect(loaded.definitions.notices).toMatchObject([
      { level: "WARN", message: "b is missing", at: { line: 6, column: 10 } },
    ]);
    expect(loaded.inputs.map(({ kind, path }) => `${kind} ${path.replace(root, "")}`)).toEqual([
      "module /sub/a.ts",
      "configuration path",
      "file /config.json",
      "exists /raw/b.csv",
      "exists /raw/c.csv",
      "glob raw/*.csv",
    ]);
  });

  it("inputs change their hash when what was read changes", async () => {
    const root = writeProject({
      "a.ts": SETTINGS,
      "one/config.json": `{ "tables": [] }`,
      "two/config.json": `{ "tables": ["x"] }`,
      "two/raw/x.csv": "",
    });
    const load = async (disk: string) => {
      const { inputs } = await loadFiles(root, ["a.ts"], {
        configuration: { path: "config.json" },
        disk: `${root}/${disk}`,
      });
      return new Map(inputs.map(({ kind, hash }) => [kind, hash]));
    };
    const [one, again, two] = [await load("one"), await load("one"), await load("two")];
    expect(again).toEqual(one);
    expect(two.get("module")).toBe(one.get("module"));
    expect(two.get("file")).not.toBe(one.get("file"));
    expect(two.get("glob")).not.toBe(one.get("glob"));
  });

  it("tells files that are no JSON, not there, or elsewhere", async () => {
    const root = writeProject({
      "a.ts": `import { readJson } from "ingot";\nawait readJson("bad.json");`,
      "b.ts": `import { fileExists } from "ingot";\nawait fileExists("s3://bucket/x");`,
      "c.ts": `import { config } from "ingot";\nconfig("gone", "fallback");\nconfig("gone");`,
      "bad.json": "{",
    });
    expect(await errorsOf(root, loadFiles(root, ["a.ts", "b.ts", "c.ts"]))).toEqual([
      "DEFINITIONS_FILE_FAILED a.ts:2:7",
      "NOT_SUPPORTED b.ts:2:7",
      "CONFIG_MISSING c.ts:3:1",
    ]);
  });
});

describe("outside a load", () => {
  it("config gives the fallback, the others are refused", async () => {
    expect(api.config("key", "fallback")).toBe("fallback");
    expect(refusal(() => api.config("key")).code).toBe("OUTSIDE_LOAD");
    expect(refusal(() => api.notice("x")).code).toBe("OUTSIDE_LOAD");
    await expect(api.readJson("x")).rejects.toMatchObject({ code: "OUTSIDE_LOAD" });
    await expect(api.fileExists("x")).rejects.toMatchObject({ code: "OUTSIDE_LOAD" });
    await expect(api.listFiles("x")).rejects.toMatchObject({ code: "OUTSIDE_LOAD" });
  });
});
