import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compareEnvironments, type Environment, printEnvironment, readEnvironment } from "./environment.js";

const environment = (tables: Record<string, Record<string, string>>, configuration: string[] = []): Environment => ({
  tables: new Map(Object.entries(tables).map(([name, columns]) => [name, new Map(Object.entries(columns))])),
  configuration: new Set(configuration),
});

const name = fc.oneof(
  fc.constantFrom("orders", "sap.silver.x", "interface", "Tables", "größe", "a b", "it's", '"', "//", "{", "__proto__"),
  fc.string({ minLength: 1 }),
);
const type = fc.constantFrom("BIGINT", "DECIMAL(20,2)", "STRUCT<a: INT NOT NULL COMMENT 'it\\'s {'>", "ARRAY<STRING>");
const columns = fc.uniqueArray(fc.tuple(name, type), { selector: ([column]) => column }).map((list) => new Map(list));
const environments: fc.Arbitrary<Environment> = fc
  .tuple(fc.uniqueArray(fc.tuple(name, columns), { selector: ([table]) => table }), fc.uniqueArray(name))
  .map(([tables, keys]) => ({ tables: new Map(tables), configuration: new Set(keys) }));

describe("the text for the compiler", () => {
  it("has one line a column, in the order of the table, and the tables by name", () => {
    const made = environment(
      { orders: { order_id: "BIGINT", "größe €": "DECIMAL(10,2)" }, "gold.spend": { s: "STRING" } },
      ["config_path"],
    );
    expect(
      printEnvironment(made),
    ).toBe(`// Written by \`ingot types\` from the project's definitions and tables. Commit it; do not edit it.
import "ingot";

declare module "ingot" {
  interface Tables {
    "gold.spend": {
      s: "STRING";
    };
    orders: {
      order_id: "BIGINT";
      "größe €": "DECIMAL(10,2)";
    };
  }
  interface Configuration {
    config_path: string;
  }
}
`);
  });

  it("is read back as what it was made of", () => {
    fc.assert(
      fc.property(environments, (made) => {
        const again = readEnvironment(printEnvironment(made));
        expect(compareEnvironments(again, made)).toEqual([]);
        expect(printEnvironment(again)).toBe(printEnvironment(made));
      }),
    );
  });

  it("is understood as a formatter leaves it, and beside other declarations", () => {
    const text = `import 'ingot'; /* { */
declare module 'ingot' {
  interface Other { a: { b: 'INT' } }
  interface Tables { orders: { 'a b': 'STRING', id: 'BIGINT' }, empty: {} } // }
  interface Configuration { landing: string }
}`;
    const made = environment({ orders: { "a b": "STRING", id: "BIGINT" }, empty: {} }, ["landing"]);
    expect(compareEnvironments(readEnvironment(text), made)).toEqual([]);
  });
});

it("each difference is told by name", () => {
  const file = environment({ gone: { a: "INT" }, t: { a: "INT", b: "STRING", c: "DATE" } }, ["old"]);
  const made = environment({ t: { a: "BIGINT", b: "STRING", d: "DATE" }, fresh: {} }, ["new"]);
  expect(compareEnvironments(file, made)).toEqual([
    "t.a is BIGINT, not INT",
    "t.d is missing",
    "t has no column c",
    "fresh is missing",
    "there is no table gone",
    "the configuration key new is missing",
    "there is no configuration key old",
  ]);
  expect(compareEnvironments(readEnvironment(""), made)).toHaveLength(3);
});
