import { rmSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import type { Field } from "../../model/data-type.js";
import { sqlText } from "../../model/position.js";
import { createCompiler } from "../../sql/compiler.js";
import type { BoundInput, BoundQuery, PartResult, WriteStep } from "../engine.js";
import { fromDeltaSchema } from "../tables/delta-schema.js";
import { closeTables, makeTable, schemaOf, type TestTable } from "./delta/test-table.js";
import { DuckdbEngine } from "./duckdb-engine.js";

const engines: DuckdbEngine[] = [];
afterEach(async () => {
  for (const engine of engines.splice(0)) await engine.close();
  await closeTables();
});

const SIGNAL = new AbortController().signal;
const COLUMNS = { a: "id long, v string, x integer, d double", b: "v string, w string" };
type Name = keyof typeof COLUMNS;

interface Form {
  /** Of the inputs. */
  readonly feed: boolean;
  readonly vectors: boolean;
  /** Of the view's table. */
  readonly viewFeed: boolean;
  readonly viewVectors: boolean;
}
const FORM: Form = { feed: true, vectors: true, viewFeed: false, viewVectors: true };

/** A view over two tables, with the versions of them that its rows come of. */
class View {
  readonly #engine: DuckdbEngine;
  readonly #query: BoundQuery["query"];
  readonly #form: Form;
  readonly tables: Readonly<Record<Name, TestTable>>;
  #basis: BoundQuery | undefined;
  #batch = 0n;

  private constructor(
    engine: DuckdbEngine,
    query: BoundQuery["query"],
    tables: Readonly<Record<Name, TestTable>>,
    form: Form,
  ) {
    this.#engine = engine;
    this.#query = query;
    this.#form = form;
    this.tables = tables;
  }

  static async over(text: string, form: Form = FORM): Promise<View> {
    const configuration = propertiesOf(form.feed, form.vectors);
    const tables = {
      a: await makeTable(schemaOf(COLUMNS.a), { configuration }),
      b: await makeTable(schemaOf(COLUMNS.b), { configuration }),
    };
    const compiler = createCompiler();
    const schemas = new Map<string, readonly Field[]>();
    for (const read of await compiler.relations(sqlText(text)))
      if (read.kind === "table") schemas.set(read.id, fromDeltaSchema(schemaOf(COLUMNS[read.name[0] as Name])));
    const query = await compiler.compile(sqlText(text), schemas);
    const engine = new DuckdbEngine(join(tables.a.location, "..", "storage"));
    engines.push(engine);
    return new View(engine, query, tables, form);
  }

  /** The query over the tables as they are now. */
  async bound(): Promise<BoundQuery> {
    const inputs = new Map<string, BoundInput>();
    for (const read of this.#query.reads) {
      if (read.kind !== "table") continue;
      const { location, snapshot } = this.tables[read.name[0] as Name];
      inputs.set(read.id, { kind: "snapshot", location, version: (await snapshot()).version });
    }
    return { query: this.#query, inputs };
  }

  async refresh(refreshPolicy: WriteStep["refreshPolicy"] = "incremental"): Promise<PartResult> {
    const bound = await this.bound();
    const { feed: viewFeed, vectors } = { feed: this.#form.viewFeed, vectors: this.#form.viewVectors };
    const result = await this.#engine.write(
      {
        target: {
          location: this.location,
          name: "c.s.m",
          schema: this.#query.schema,
          properties: propertiesOf(viewFeed, vectors),
        },
        mode: "overwrite",
        byDifference: true,
        refreshPolicy,
        parts: [{ bound, basis: this.#basis ?? "first run", transaction: { appId: "m", version: this.#batch } }],
        note: `m batch ${this.#batch}`,
      },
      SIGNAL,
    );
    this.#basis = bound;
    this.#batch += 1n;
    const [part] = result.parts;
    if (part === undefined) throw new Error("a step has a part");
    return part;
  }

  get location(): string {
    return join(this.tables.a.location, "..", "m");
  }

  /** The rows that the table has, and those that the query gives. */
  async rows(): Promise<{ readonly is: string[]; readonly ought: string[] }> {
    return { is: await this.stored(), ought: await this.#show(await this.bound()) };
  }

  async stored(): Promise<string[]> {
    const version = (await this.#engine.describe(this.location))?.version ?? 0n;
    const names = this.#query.schema.map(({ name }) => `"${name}"`).join(", ");
    const stored: BoundQuery = {
      query: { ...this.#query, reads: [READ], duckdb: `SELECT ${names} FROM "r0"` },
      inputs: new Map([["r0", { kind: "snapshot", location: this.location, version }]]),
    };
    return this.#show(stored);
  }

  async #show(bound: BoundQuery): Promise<string[]> {
    const { rows } = await this.#engine.query(bound, { signal: SIGNAL });
    return rows.map((row) => JSON.stringify(row)).sort();
  }
}

const READ = { id: "r0", kind: "path", path: "m", stream: false, at: { file: "", line: 1, column: 1 } } as const;

function propertiesOf(feed: boolean, vectors: boolean): Record<string, string> {
  return { "delta.enableChangeDataFeed": String(feed), "delta.enableDeletionVectors": String(vectors) };
}

const rowsOfA = (rows: readonly string[]) => ({
  query: `SELECT id::BIGINT AS id, v::VARCHAR AS v, x::INTEGER AS x, d::DOUBLE AS d FROM (VALUES ${rows.join(", ")}) t(id, v, x, d)`,
});
const rowsOfB = (rows: readonly string[]) => ({
  query: `SELECT v::VARCHAR AS v, w::VARCHAR AS w FROM (VALUES ${rows.join(", ")}) t(v, w)`,
});

const text = fc.constantFrom("'p'", "'q'", "'r'", "NULL");
const number = fc.constantFrom("0", "1", "2", "NULL");
const float = fc.constantFrom("0.0::DOUBLE", "'-0.0'::DOUBLE", "'NaN'::DOUBLE", "1.5", "NULL");
const rowOfA = fc
  .tuple(fc.integer({ min: 0, max: 6 }), text, number, float)
  .map(([id, v, x, d]) => `(${id}, ${v}, ${x}, ${d})`);
const rowOfB = fc.tuple(text, fc.constantFrom("'s'", "'t'")).map(([v, w]) => `(${v}, ${w})`);
const many = <T>(item: fc.Arbitrary<T>) => fc.array(item, { minLength: 1, maxLength: 4 });
const id = fc.integer({ min: 0, max: 6 });

type Change = (tables: View["tables"]) => Promise<unknown>;
const appends: fc.Arbitrary<Change>[] = [
  many(rowOfA).map(
    (rows): Change =>
      ({ a }) =>
        a.append(rowsOfA(rows)),
  ),
  many(rowOfB).map(
    (rows): Change =>
      ({ b }) =>
        b.append(rowsOfB(rows)),
  ),
];
const others: fc.Arbitrary<Change>[] = [
  id.map(
    (i): Change =>
      ({ a }) =>
        a.delete({ where: `id = ${i}` }),
  ),
  fc.tuple(id, text).map(
    ([i, v]): Change =>
      ({ a }) =>
        a.update({ set: { v }, where: `id <= ${i}` }),
  ),
  fc.tuple(id, number).map(
    ([i, x]): Change =>
      ({ a }) =>
        a.update({ set: { x }, where: `id = ${i}` }),
  ),
  text.map(
    (v): Change =>
      ({ b }) =>
        b.delete({ where: `v = ${v}` }),
  ),
  many(rowOfA).map(
    (rows): Change =>
      ({ a }) =>
        a.overwrite(rowsOfA(rows)),
  ),
  fc.constant<Change>(({ a }) => a.optimize()),
  fc.constant<Change>(async () => undefined),
];
const anyForm = fc.record({
  feed: fc.constant(true),
  vectors: fc.boolean(),
  viewFeed: fc.boolean(),
  viewVectors: fc.boolean(),
});

const ROWS = [
  "SELECT id, v, d FROM a WHERE x > 0",
  "SELECT upper(v) AS u, x + 1 AS y FROM a",
  "WITH c AS (SELECT v, d FROM a WHERE x IS NOT NULL) SELECT c.v, c.d, t.n FROM c CROSS JOIN (SELECT 1 AS n) t",
  "SELECT a.id, b.w FROM a JOIN b ON a.v = b.v AND a.x > 0",
  "SELECT a.id, a.v FROM a LEFT SEMI JOIN b ON a.v = b.v",
  "SELECT p.id, q.id AS other FROM a p JOIN a q ON p.v = q.v",
  "SELECT v, 'a' AS side FROM a WHERE x > 0 UNION ALL SELECT v, w FROM b",
  "SELECT u.v, a.id FROM (SELECT v FROM b WHERE w = 's' UNION ALL SELECT v FROM a WHERE x = 1) u JOIN a ON u.v = a.v",
];
const GROUPS = [
  "SELECT v, count(*) AS n, count(x) AS c, sum(x) AS s, avg(x) AS m, min(d) AS lo, max(d) AS hi FROM a GROUP BY v",
  "SELECT id % 2 AS odd, v, sum(d) AS s, count(DISTINCT x) AS n FROM a WHERE x > 0 GROUP BY 1, v",
  "SELECT v, max_by(x, id) AS last FROM a GROUP BY v HAVING count(*) > 1",
  "SELECT b.w, count(*) AS n, sum(a.x) AS s FROM a JOIN b ON a.v = b.v GROUP BY b.w",
  "SELECT a.v, count(b.w) AS n FROM a LEFT JOIN b ON a.v = b.v GROUP BY a.v",
  "SELECT v, count(*) AS n FROM (SELECT v FROM a UNION ALL SELECT v FROM b) GROUP BY v",
];
const TOTALS = [
  "SELECT count(*) AS n, count(x) AS c, count_if(d > 0) AS p FROM a WHERE id < 5",
  "SELECT count(*) AS n, sum(x) AS s, min(v) AS lo, max(id) AS hi, bool_or(x > 1) AS two FROM a",
  "SELECT sum(a.x) AS s, count(b.w) AS n FROM a JOIN b ON a.v = b.v",
  "SELECT count(*) AS n FROM (SELECT v FROM a UNION ALL SELECT v FROM b)",
];
const DISTINCT = [
  "SELECT DISTINCT v, d FROM a WHERE x IS NOT NULL",
  "SELECT DISTINCT a.v, b.w FROM a LEFT JOIN b ON a.v = b.v",
];
const WINDOWS = [
  "SELECT id, v, row_number() OVER (PARTITION BY v ORDER BY x DESC) AS i, sum(x) OVER (PARTITION BY v) AS s FROM a",
  "SELECT id, v, d FROM a QUALIFY row_number() OVER (PARTITION BY id ORDER BY x) = 1",
  "SELECT a.id, b.w, lag(a.x) OVER (PARTITION BY b.w ORDER BY a.id) AS l FROM a JOIN b ON a.v = b.v",
];

describe("a view that follows the changes of its inputs", () => {
  it.each([...ROWS, ...GROUPS, ...TOTALS, ...DISTINCT, ...WINDOWS])("has the rows of its query: %s", async (query) => {
    const ways = new Set<string>();
    const changes = fc.array(fc.oneof(...appends, ...others), { minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(fc.array(changes, { minLength: 1, maxLength: 2 }), anyForm, async (rounds, form) => {
        const view = await View.over(query, form);
        await view.tables.a.append(rowsOfA(["(1, 'p', 1, 0.5)", "(2, 'q', 2, -0.0)", "(3, NULL, NULL, NULL)"]));
        await view.tables.b.append(rowsOfB(["('p', 's')", "('q', 's')", "(NULL, 't')"]));
        await view.refresh();
        const first: Change = ({ a }) => a.append(rowsOfA(["(4, 'p', 2, 1.5)"]));
        for (const round of [[first], ...rounds]) {
          for (const change of round) await change(view.tables);
          const { refresh } = await view.refresh();
          ways.add(refresh?.computed.split(":")[0] ?? "");
          const { is, ought } = await view.rows();
          expect(is).toEqual(ought);
        }
        for (const engine of engines.splice(0)) await engine.close();
        await closeTables();
      }),
      { numRuns: 2 },
    );
    expect(ways).toContain("INCREMENTAL");
  });

  it.each([ROWS[3], GROUPS[0], GROUPS[3], TOTALS[1]])(
    "needs no change feed where rows only come: %s",
    async (query = "") => {
      const changes = fc.array(fc.oneof(...appends.slice(0, query.includes("JOIN") ? 2 : 1)), {
        minLength: 1,
        maxLength: 3,
      });
      await fc.assert(
        fc.asyncProperty(changes, async (round) => {
          const view = await View.over(query, { ...FORM, feed: false });
          await view.refresh();
          for (const change of round) await change(view.tables);
          expect((await view.refresh()).refresh?.computed).toMatch(/^INCREMENTAL/);
          const { is, ought } = await view.rows();
          expect(is).toEqual(ought);
        }),
        { numRuns: 2 },
      );
    },
  );

  it.each([
    ["rows", ROWS[0], ["o", "p", "q"]],
    ["a join, but for its other side", ROWS[3], ["o", "p", "q"]],
    ["groups, but for the files that hold one of them", GROUPS[0], ["o", "p"]],
  ])("reads what changed and no other file: of %s", async (_, query = "", untouched) => {
    const view = await View.over(query);
    const { a, b } = view.tables;
    await b.append(rowsOfB(["('p', 's')", "('q', 't')"]));
    const known = new Set<string>();
    const removable: string[] = [];
    for (const v of ["o", "p", "q"]) {
      await a.append(rowsOfA([`(1, '${v}', 1, 1.5)`]));
      const [path = ""] = (await a.snapshot()).files.map((file) => file.path).filter((file) => !known.has(file));
      known.add(path);
      if (untouched.includes(v)) removable.push(join(a.location, path));
    }
    await view.refresh();
    await a.append(rowsOfA(["(4, 'q', 2, 2.5)"]));
    const { ought } = await view.rows();
    for (const path of removable) rmSync(path);
    expect((await view.refresh()).refresh?.computed).toMatch(/^INCREMENTAL/);
    expect(await view.stored()).toEqual(ought);
  });

  it("finds the rows of a group of NULL, which is in no file's range", async () => {
    const view = await View.over("SELECT v, count(*) AS n FROM a GROUP BY v");
    const { a } = view.tables;
    for (const v of ["NULL", "'p'", "'q'"]) await a.append(rowsOfA([`(1, ${v}, 1, 1.5)`]));
    await view.refresh();
    await a.append(rowsOfA(["(2, NULL, 1, 1.5)", "(2, 'p', 1, 1.5)"]));
    expect((await view.refresh()).refresh).toMatchObject({ inserted: 2, deleted: 2 });
    expect(await view.stored()).toEqual(['["p","2"]', '["q","1"]', '[null,"2"]']);
  });

  it("is computed anew where much of a large input changed, unless it is asked to follow", async () => {
    const view = await View.over(ROWS[0] ?? "");
    const { a } = view.tables;
    const many = {
      query: "SELECT i AS id, hash(i)::VARCHAR AS v, 1::INTEGER AS x, random() AS d FROM range(60_000) t(i)",
    };
    await view.refresh();
    await a.append(many);
    expect((await view.refresh("auto")).refresh?.computed).toBe("COMPLETE_RECOMPUTE: much of t changed");
    for (const batch of [many, many]) await a.append(batch);
    expect((await view.refresh("incremental strict")).refresh?.computed).toMatch(/^INCREMENTAL/);
  });
});
