import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import type { SqlText } from "../model/position.js";
import { positionAt } from "../model/position.js";
import { loadFiles, removeProjects, writeProject } from "./project-fixture.js";

afterAll(removeProjects);

/** The query of the only flow of a file, and the place in the file of a word of it. */
async function queryOf(source: string): Promise<{ text: string; placeOf: (word: string) => string }> {
  const { definitions } = await loadFiles(writeProject({ "a.ts": source }), ["a.ts"]);
  const flow = definitions.flows[0];
  const query: SqlText | undefined = flow?.kind === "query" ? flow.query : undefined;
  if (query === undefined) throw new Error("no query");
  const placeOf = (word: string) => {
    const { line, column } = positionAt(query, query.text.indexOf(word));
    return `${line}:${column}`;
  };
  return { text: query.text, placeOf };
}

/** The place of a word in a source. */
function placeIn(source: string, word: string): string {
  const before = source.slice(0, source.indexOf(word)).split("\n");
  return `${before.length}:${(before.at(-1)?.length ?? 0) + 1}`;
}

describe("places in templates", () => {
  it("are exact over lines, before and after values, on the first line too", async () => {
    const source = `import { sql, table } from "ingot"; table("t", sql\`SELECT one, \${1} two,
      three, \${ 2 } four,
  \${"x"}five\`);`;
    const { text, placeOf } = await queryOf(source);
    expect(text).toBe("SELECT one, 1 two,\n      three, 2 four,\n  'x'five");
    for (const word of ["SELECT", "one", "two", "three", "four", "five"])
      expect(placeOf(word)).toBe(placeIn(source, word));
    expect(placeOf("'x'")).toBe(placeIn(source, `"x"`));
  });

  it("are exact through spliced pieces, which point to where they were written", async () => {
    const source = `import { sql, table } from "ingot";
const inner = sql\`innerword + \${sql\`deepword\`}\`;
const list = sql.join([sql\`first\`, sql.id("second")], sql\` AND \`);
table("t", sql\`
  SELECT \${inner} AS outerword, \${list} lastword\`);`;
    const { text, placeOf } = await queryOf(source);
    expect(text).toBe("SELECT innerword + deepword AS outerword, first AND `second` lastword");
    for (const word of ["innerword", "deepword", "outerword", "first", "AND", "lastword"]) {
      expect(placeOf(word)).toBe(placeIn(source, word));
    }
    expect(placeOf("`second`")).toBe(placeIn(source, "list} lastword"));
  });

  it("are exact after values with templates, braces, comments and regular expressions in them", async () => {
    const source = `import { sql, table } from "ingot"; const id = (x: any) => 1;
table("t", sql\`SELECT \${id({ a: \`}\${id("}")}\` })} one, \${id(/[}/]\`/)} two, \${id(1 /* } */ / 2) // }
} three \${((): number => { return id("\\"}") })()} four\`);`;
    const { text, placeOf } = await queryOf(source);
    expect(text).toBe("SELECT 1 one, 1 two, 1 three 1 four");
    for (const word of ["one", "two", "three", "four"]) expect(placeOf(word)).toBe(placeIn(source, word));
  });

  it("are exact after the two escapes, in files with Windows line ends and letters beyond ASCII", async () => {
    const lines = [
      `import { sql, table } from "ingot";`,
      `table("t", sql\`SELECT \\\`ü\\\` one,`,
      `  '\\\${x}' two`,
      " three`);",
    ];
    const source = lines.join("\r\n");
    const { text, placeOf } = await queryOf(source);
    expect(text).toBe(`SELECT \`ü\` one,\n  '\${x}' two\n three`);
    for (const word of ["one", "two", "three"]) expect(placeOf(word)).toBe(placeIn(source, word));
  });

  it("of a template made in a helper point into the helper", async () => {
    const root = writeProject({
      "a.ts": `import { table } from "ingot"; import { latest } from "./lib/helper"; table("t", latest("x"));`,
      "lib/helper.ts": `import { sql } from "ingot";\n\nexport const latest = (t: string) => sql\`\n  SELECT * FROM \${sql.id(t)}\`;`,
    });
    const { definitions } = await loadFiles(root, ["a.ts"]);
    const flow = definitions.flows[0];
    const query = flow?.kind === "query" ? flow.query : undefined;
    expect(query && positionAt(query, query.text.indexOf("FROM"))).toEqual({
      file: `${root}/lib/helper.ts`,
      line: 4,
      column: 12,
    });
  });

  it("hold for any text between any values", async () => {
    const chunk = fc.string({
      unit: fc.constantFrom("a", "'", '"', "}", "{", "$", "/", " ", "\n", "ü", "\\\\", "\\`"),
    });
    const value = fc.constantFrom("1", '"}"', "`}`", "[1, 2]", "(() => 1)()", "{ a: '}' }.a");
    const template = fc.tuple(chunk, fc.array(fc.tuple(value, chunk), { maxLength: 4 }));
    await fc.assert(
      fc.asyncProperty(template, async ([first, rest]) => {
        const safe = (text: string) => text.replaceAll("${", "$ {").replace(/\$$/, "");
        const marks = rest.map(([, text], i) => `\u0001${i}${safe(text)}`);
        const body = safe(first) + rest.map(([code], i) => `\${${code}}${marks[i]}`).join("");
        const source = `import { sql, table } from "ingot";\ntable("t", sql\`${body}\`);`;
        const { placeOf } = await queryOf(source);
        for (const i of marks.keys()) expect(placeOf(`\u0001${i}`)).toBe(placeIn(source, `\u0001${i}`));
      }),
      { numRuns: 30 },
    );
  });
});

describe("places of literals", () => {
  it("are those in the call, for conditions, columns and schemas", async () => {
    const source = `import { expect, sql, table } from "ingot";
table("t", {
  schema: "id BIGINT, name STRING",
  expectations: [
    expect("known", "id > 0"),
  ],
  query: sql\`SELECT 1\`,
});`;
    const { definitions } = await loadFiles(writeProject({ "a.ts": source }), ["a.ts"]);
    const [dataset] = definitions.datasets;
    const condition = dataset?.expectations[0]?.condition;
    expect(condition && positionAt(condition, 0)).toMatchObject({ line: 5, column: 22 });
    expect(dataset?.columns?.[1]?.type?.segments[0]).toMatchObject({ line: 3, column: 12 });
    expect(dataset?.at).toMatchObject({ line: 2, column: 1 });
  });

  it("are the call's where a text was computed, or stands there twice", async () => {
    const source = `import { expect, sql, table } from "ingot";
table("t", { expectations: [expect("x", "x"), expect("y", "y" + " > 0")], query: sql\`SELECT 1\` });`;
    const { definitions } = await loadFiles(writeProject({ "a.ts": source }), ["a.ts"]);
    const places = definitions.datasets[0]?.expectations.map(({ condition }) => positionAt(condition, 0).column);
    expect(places).toEqual([29, 47]);
  });
});
