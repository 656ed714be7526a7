import { readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, describe, expect, it } from "vitest";
import { datasetNames, errorsOf, loadFiles, removeProjects, writeProject } from "./project-fixture.js";

afterAll(removeProjects);

const view = (name: string) =>
  `import { materializedView, sql } from "ingot"; materializedView("${name}", sql\`SELECT 1\`);`;

describe("registration", () => {
  it("takes every call, exported or not, also from functions of helpers, loops and after await", async () => {
    const root = writeProject({
      "a.ts": `
        import { table, sql } from "ingot";
        import { declare, later } from "./helpers";
        table("top", sql\`SELECT 1\`);
        for (const n of ["x", "y"]) declare("loop_" + n);
        await Promise.all(["p", "q"].map(later));
        await Promise.resolve().then(() => declare("then"));`,
      "helpers.ts": `
        import { table, sql } from "ingot";
        export function declare(name: string) { table(name, sql\`SELECT 1\`); }
        export async function later(name: string) { await new Promise((r) => setTimeout(r, 1)); declare("later_" + name); }`,
    });
    const loaded = await loadFiles(root, ["a.ts"]);
    expect(datasetNames(loaded).sort()).toEqual(
      ["later_p", "later_q", "loop_x", "loop_y", "then", "top"].map((name) => `main.shop.${name}`),
    );
  });

  it("gives the same model whatever imports what", async () => {
    const root = writeProject({
      "a.ts": `import { b } from "./b"; import { table, sql } from "ingot"; table("a", sql\`SELECT * FROM STREAM \${b}\`);`,
      "b.ts": `import { table, sql } from "ingot"; export const b = table("b", sql\`SELECT 1\`);`,
    });
    const { definitions } = await loadFiles(root, ["b.ts", "a.ts"]);
    expect(definitions.datasets.map((d) => d.name.table).sort()).toEqual(["a", "b"]);
    expect(definitions.flows.map((f) => (f.kind === "query" ? f.query.text : ""))).toContain(
      "SELECT * FROM STREAM main.shop.b",
    );
  });

  it("refuses a helper that declares at its top level, however it is imported", async () => {
    const root = writeProject({
      "a.ts": `import "./static"; await import("./dynamic"); const held = import("./slow"); ${view("a")} await held;`,
      "static.ts": view("b"),
      "dynamic.ts": `\n${view("c")}`,
      "slow.ts": `await new Promise((r) => setTimeout(r, 1));\n${view("d")}`,
    });
    expect(await errorsOf(root, loadFiles(root, ["a.ts"]))).toEqual([
      "DECLARED_OUTSIDE_LIBRARIES static.ts:1:48",
      "DECLARED_OUTSIDE_LIBRARIES dynamic.ts:2:48",
      "DECLARED_OUTSIDE_LIBRARIES slow.ts:2:48",
    ]);
  });

  it("knows which top level declares while another is held up", async () => {
    const root = writeProject({
      "a.ts": `
        const held = import("./helper");
        await new Promise((r) => setTimeout(r, 5));
        ${view("a")}
        await held;`,
      "helper.ts": "await new Promise((r) => setTimeout(r, 20));",
    });
    expect(datasetNames(await loadFiles(root, ["a.ts"]))).toEqual(["main.shop.a"]);
  });

  it("lets helpers make relations and rules at their top level", async () => {
    const root = writeProject({
      "a.ts": `import { src, rules } from "./values"; import { table, sql } from "ingot";
        table("a", { query: sql\`SELECT * FROM STREAM \${src}\`, expectations: rules });`,
      "values.ts": `import { expect, externalTable } from "ingot";
        export const src = externalTable("sap.bronze.vbak"); export const rules = [expect("r", "x > 0")];`,
    });
    const { definitions } = await loadFiles(root, ["a.ts"]);
    expect(definitions.externals.map((e) => e.name)).toEqual([{ catalog: "sap", schema: "bronze", table: "vbak" }]);
    expect(definitions.datasets[0]?.expectations).toHaveLength(1);
  });

  it("refuses what is declared when the load is over", async () => {
    const root = writeProject({
      "a.ts": `
        import { table, sql } from "ingot";
        globalThis.lateDeclaration = new Promise((resolve) => {
          setTimeout(() => { try { table("late", sql\`SELECT 1\`); resolve("declared"); } catch (e) { resolve(e); } }, 1);
        });`,
    });
    expect(datasetNames(await loadFiles(root, ["a.ts"]))).toEqual([]);
    const late = await (globalThis as unknown as { lateDeclaration: Promise<unknown> }).lateDeclaration;
    expect(late).toMatchObject({ code: "DECLARED_AFTER_LOAD", at: { line: 4, column: 36 } });
  });

  it("fails a load in which a file declares after its own top level", async () => {
    const root = writeProject({
      "a.ts": `import { declare } from "./b"; void declare();`,
      "b.ts": `
        import { table, sql } from "ingot";
        export async function declare() { await 0; await 0; table("floating", sql\`SELECT 1\`); }`,
      "c.ts": "",
    });
    const loading = errorsOf(root, loadFiles(root, ["a.ts", "c.ts"]));
    expect(await loading).toEqual(["DECLARED_AFTER_LOAD b.ts:3:61"]);
    await wait(1);
  });

  it("leaves tests and declarations alone", async () => {
    const root = writeProject({
      "a.test.ts": "throw 1;",
      "a.spec.ts": "throw 1;",
      "a.d.ts": "throw 1;",
      "b.ts": view("b"),
    });
    expect(datasetNames(await loadFiles(root, ["a.test.ts", "a.spec.ts", "a.d.ts", "b.ts"]))).toEqual(["main.shop.b"]);
  });

  it("keeps loads apart that run at the same time, and evaluates each anew", async () => {
    const root = writeProject({
      "a.ts": `
        import { config, table, sql } from "ingot";
        for (let i = 0; i < 3; i++) {
          await new Promise((r) => setTimeout(r, 1));
          table(config("prefix") + i, sql\`SELECT 1\`);
        }`,
    });
    const loads = ["p", "q", "r"].map((prefix) => loadFiles(root, ["a.ts"], { configuration: { prefix } }));
    expect((await Promise.all(loads)).map(datasetNames)).toEqual(
      ["p", "q", "r"].map((prefix) => [0, 1, 2].map((i) => `main.shop.${prefix}${i}`)),
    );
  });

  it("takes thousands of datasets in a loop", async () => {
    const root = writeProject({
      "a.ts": `import { table, sql, readFiles } from "ingot";
        for (let i = 0; i < 3000; i++) table("t" + i, sql\`SELECT * FROM STREAM \${readFiles("landing/" + i)}\`);`,
    });
    const { definitions } = await loadFiles(root, ["a.ts"]);
    expect(definitions.datasets).toHaveLength(3000);
    expect(definitions.datasets[2999]?.at).toMatchObject({ line: 2, column: 40 });
  });
});

describe("bundling", () => {
  it("keeps definitions of a folder whose package.json says sideEffects: false", async () => {
    const root = writeProject({
      "package.json": `{ "sideEffects": false }`,
      "a.ts": `import "./b"; import "./c/c"; ${view("a")}`,
      "b.ts": view("b"),
      "c/c.ts": view("c"),
    });
    expect(datasetNames(await loadFiles(root, ["a.ts", "b.ts", "c/c.ts"])).sort()).toEqual(
      ["a", "b", "c"].map((name) => `main.shop.${name}`),
    );
  });

  it("bundles packages of the project and leaves Node's modules outside", async () => {
    const root = writeProject({
      "a.ts": `
        import { basename } from "node:path";
        import { readFileSync } from "node:fs";
        import names from "names";
        import settings from "./settings.json";
        import { table, sql } from "ingot";
        const text = readFileSync(new URL("./own.txt", import.meta.url), "utf8");
        for (const name of [...names, basename("/x/y"), settings.name, text]) table(name, sql\`SELECT 1\`);`,
      "own.txt": "own",
      "settings.json": `{ "name": "from_json" }`,
      "node_modules/names/package.json": `{ "name": "names", "main": "index.js" }`,
      "node_modules/names/index.js": `module.exports = ["n" + require("path").sep.length];`,
    });
    expect(datasetNames(await loadFiles(root, ["a.ts"])).sort()).toEqual(
      ["from_json", "n1", "own", "y"].map((name) => `main.shop.${name}`),
    );
  });

  it("knows files by their real paths, however they are named", async () => {
    const root = writeProject({ "real/a.ts": `import "./b"; ${view("a")}`, "real/b.ts": view("b") });
    symlinkSync(join(root, "real"), join(root, "link"));
    const loaded = await loadFiles(join(root, "link"), ["a.ts", "b.ts"], { temporary: join(root, "link") });
    expect(datasetNames(loaded).sort()).toEqual(["main.shop.a", "main.shop.b"]);
    expect(readdirSync(join(root, "real")).sort()).toEqual(["a.ts", "b.ts"]);
  });

  it("has the testing module too, which keeps to itself what it collects", async () => {
    const root = writeProject({
      "a.ts": `import { collect, loadProject } from "ingot/testing"; import { table, sql } from "ingot";
        const made = collect(() => { table("inner", sql\`SELECT 1\`); });
        table("saw_" + made.datasets[0].name, sql\`SELECT 1\`);`,
      "b.ts": `import { loadProject } from "ingot/testing"; loadProject(".");`,
    });
    expect(datasetNames(await loadFiles(root, ["a.ts"]))).toEqual(["main.shop.saw_inner"]);
    expect(await errorsOf(root, loadFiles(root, ["b.ts"]))).toEqual(["NOT_SUPPORTED b.ts:1:46"]);
  });

  it("lets a package declare through its functions only", async () => {
    const root = writeProject({
      "a.ts": `import { declare } from "pack"; declare("from_package");`,
      "node_modules/pack/package.json": `{ "name": "pack", "type": "module", "exports": "./index.js" }`,
      "node_modules/pack/index.js": `import { table, sql } from "ingot";
        export const declare = (name) => table(name, sql\`SELECT 1\`);`,
      "b.ts": `import "bad";`,
      "node_modules/bad/index.js": `const { table, sql } = require("ingot"); table("taken", sql\`SELECT 1\`);`,
    });
    expect(datasetNames(await loadFiles(root, ["a.ts"]))).toEqual(["main.shop.from_package"]);
    expect(await errorsOf(root, loadFiles(root, ["b.ts"]))).toEqual([
      "DECLARED_OUTSIDE_LIBRARIES node_modules/bad/index.js:1:42",
    ]);
  });

  it("tells syntax errors and imports that lead nowhere, at their places in the file", async () => {
    const root = writeProject({
      "a.ts": `import { x } from "./nowhere"; import y from "nobody"; x(y);\nimport { z } from "ingot/other"; z();`,
      "b.ts": `const a = "ü"; const b c;`,
      "c.ts": "\nfor (const a of [1])",
    });
    expect((await errorsOf(root, loadFiles(root, ["a.ts", "b.ts", "c.ts"]))).sort()).toEqual([
      "DEFINITIONS_FILE_FAILED a.ts:1:19",
      "DEFINITIONS_FILE_FAILED a.ts:1:46",
      "DEFINITIONS_FILE_FAILED a.ts:2:19",
      "DEFINITIONS_FILE_FAILED b.ts:1:24",
      "DEFINITIONS_FILE_FAILED c.ts:2:21",
    ]);
  });

  it("offers the function that was meant", async () => {
    const root = writeProject({ "a.ts": `import { tabel } from "ingot";\ntabel("x");` });
    await expect(loadFiles(root, ["a.ts"])).rejects.toMatchObject({
      code: "DEFINITIONS_FILE_FAILED",
      at: { line: 1, column: 10 },
      hint: expect.stringContaining('"table"'),
    });
  });
});

describe("a file that fails", () => {
  it("is told with its line and its own message; the other files are evaluated all the same", async () => {
    const root = writeProject({
      "a.ts": `import "./helper";`,
      "b.ts": `\n  throw new TypeError("no such thing");`,
      "c.ts": `import { table, sql } from "ingot"; table("c", { coment: "x", query: sql\`SELECT 1\` });`,
      "d.ts": `import { helped } from "./helper"; helped();`,
      "helper.ts": `export function helped() {}\nJSON.parse("{");`,
    });
    const load = loadFiles(root, ["a.ts", "b.ts", "c.ts", "d.ts"]);
    expect(await errorsOf(root, load)).toEqual([
      "DEFINITIONS_FILE_FAILED helper.ts:2:6",
      "DEFINITIONS_FILE_FAILED b.ts:2:9",
      "UNKNOWN_OPTION c.ts:1:37",
    ]);
    await expect(load).rejects.toMatchObject({
      others: expect.arrayContaining([expect.objectContaining({ message: "b.ts failed: TypeError: no such thing" })]),
    });
  });

  it("by an import cycle that uses a value too early is told at the value, with what to do", async () => {
    const root = writeProject({
      "a.ts": `import { b } from "./b"; import { table, sql } from "ingot";
export const a = table("a", sql\`SELECT * FROM \${b}\`);`,
      "b.ts": `import { a } from "./a"; import { table, sql } from "ingot";
export const b = table("b", sql\`SELECT *
  FROM \${a}\`);`,
    });
    await expect(loadFiles(root, ["a.ts", "b.ts"])).rejects.toMatchObject({
      code: "BAD_SQL_VALUE",
      at: { line: 3, column: 10 },
      hint: expect.stringContaining('ref("…")'),
    });
  });

  it("keeps the code of our own errors", async () => {
    const root = writeProject({
      "a.ts": `import { config } from "ingot";\nconfig("lnading");`,
      "b.ts": `import { salesOrder } from "ingot/sap";\nsalesOrder({} as never);`,
      "c.ts": `import { readJson } from "ingot";\nawait readJson("gone.json");`,
    });
    const load = loadFiles(root, ["a.ts", "b.ts", "c.ts"], { configuration: { landing: "x", history: "y" } });
    expect(await errorsOf(root, load)).toEqual([
      "CONFIG_MISSING a.ts:2:1",
      "BAD_OPTION b.ts:2:1",
      "FILE_NOT_READABLE c.ts:2:7",
    ]);
    await expect(load).rejects.toMatchObject({ hint: expect.stringMatching(/`landing`.*history, landing/) });
  });
});
