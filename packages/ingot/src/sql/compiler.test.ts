import { expect, it } from "vitest";
import type { Field } from "../model/data-type.js";
import { sqlText } from "../model/position.js";
import { type Compiler, createCompiler, keepCompiled } from "./compiler.js";

/** As from one command to the next: what is kept is JSON. */
function textCache() {
  const kept = new Map<string, string>();
  return {
    kept,
    get: (key: string): unknown => JSON.parse(kept.get(key) ?? "null") ?? undefined,
    set: (key: string, value: unknown) => void kept.set(key, JSON.stringify(value)),
  };
}

/** Spark's compiler, which tells what it was asked. */
function heard(): { compiler: Compiler; asked: string[] } {
  const own = createCompiler();
  const asked: string[] = [];
  return {
    asked,
    compiler: {
      relations(query) {
        asked.push(`relations ${query.text}`);
        return own.relations(query);
      },
      compile(query, schemas) {
        asked.push(`compile ${query.text}`);
        return own.compile(query, schemas);
      },
    },
  };
}

const schemas = (type: "int" | "bigint") =>
  new Map<string, readonly Field[]>([["r0", [{ name: "a", type: { kind: type }, nullable: true }]]]);

it("a query is compiled once for its text, its place, its language and the columns that it reads", async () => {
  const cache = textCache();
  const query = sqlText("SELECT a FROM t", "a.sql");
  const first = heard();
  const reads = await keepCompiled(first.compiler, "spark", cache).relations(query);
  const compiled = await keepCompiled(first.compiler, "spark", cache).compile(query, schemas("int"));
  expect(first.asked).toEqual(["relations SELECT a FROM t", "compile SELECT a FROM t"]);

  const again = heard();
  const kept = keepCompiled(again.compiler, "spark", cache);
  expect(await kept.relations(query)).toEqual(reads);
  expect(await kept.compile(query, schemas("int"))).toEqual(compiled);
  expect(again.asked).toEqual([]);
  expect((await kept.compile(query, schemas("bigint"))).schema[0]?.type).toEqual({ kind: "bigint" });
  await kept.relations(sqlText(query.text, "b.sql"));
  await keepCompiled(again.compiler, "duckdb", cache).relations(query);
  expect(again.asked).toHaveLength(3);
});

it("a query that travels in time is compiled each time", async () => {
  const cache = textCache();
  const { compiler, asked } = heard();
  const query = sqlText("SELECT a FROM t VERSION AS OF 3");
  const kept = keepCompiled(compiler, "spark", cache);
  for (let i = 0; i < 2; i++) expect(await kept.relations(query)).toMatchObject([{ asOf: { version: 3n } }]);
  expect(asked).toHaveLength(2);
  expect(cache.kept.size).toBe(0);
});
