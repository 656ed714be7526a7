// biome-ignore-all lint/suspicious/noTemplateCurlyInString: texts that must not be taken for parameters
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Dataset, Definitions, Flow } from "../model/definition.js";
import { nameKey } from "../model/name.js";
import { type SqlText, sqlText } from "../model/position.js";
import { printStatements } from "./print-statements.js";
import { parseSqlFile } from "./sql-file.js";

const defaults = { catalog: "spark_catalog", schema: "default" };
const parse = (text: string) => parseSqlFile({ file: "a.sql", text, configuration: {}, defaults }).definitions;

/** The model without places, in the order of the names. */
function comparable({ datasets, flows }: Definitions): unknown {
  const key = (f: Flow) => `${nameKey(f.target)}\u0001${f.name}`;
  const plain = (value: unknown) =>
    JSON.parse(JSON.stringify(value, (k, v) => (k === "at" ? undefined : v?.segments === undefined ? v : v.text)));
  return {
    datasets: plain([...datasets].sort((a, b) => (nameKey(a.name) < nameKey(b.name) ? -1 : 1))),
    flows: plain([...flows].sort((a, b) => (key(a) < key(b) ? -1 : 1))),
  };
}

const at = { file: "b.ts", line: 1, column: 1 };
const text = (...choices: string[]): fc.Arbitrary<SqlText> => fc.constantFrom(...choices).map((t) => sqlText(t));
const word = fc.oneof(
  fc.constantFrom("a", "b_1", "Primary", "live", "ONCE", "if", "snapshot", "keys", "größe", "my x"),
  fc.string({ minLength: 1, maxLength: 5 }).filter((s) => !s.includes("${")),
);
const anyString = fc.oneof(fc.constantFrom("it's", "a\\b\n'${x}", "%\\_", "-- x; /*"), fc.string());
const names = fc.uniqueArray(word, { minLength: 1, maxLength: 3, selector: (s) => s.toLowerCase() });
const expression = text("a > 0", "f(a, ')') = ','", "a IS NOT NULL", "x -- why\n  AND y", "struct(a, `b c`)");
const query = text(
  "SELECT 1",
  "WITH a AS (SELECT ';') SELECT * FROM a",
  "SELECT *\n  FROM STREAM(s.t) -- x\n  WHERE a",
);
const relation = text("STREAM(a.b)", "STREAM t", "STREAM t WITH (readChangeFeed = true)", "(SELECT * FROM STREAM x)");
const place = fc.constantFrom(
  defaults,
  { catalog: "Other cat", schema: "default" },
  { catalog: "spark_catalog", schema: "s2" },
);
const tableName = fc.tuple(place, word).map(([{ catalog, schema }, table]) => ({ catalog, schema, table }));

/** A record in which the optional keys may be missing. */
const some = <R, O>(
  required: { [K in keyof R]: fc.Arbitrary<R[K]> },
  optional: { [K in keyof O]: fc.Arbitrary<O[K]> },
) =>
  fc
    .tuple(fc.record(required), fc.record(optional, { requiredKeys: [] }))
    .map(([r, o]) => ({ ...r, ...o }) as R & Partial<O>);

const column = some(
  { name: word },
  {
    type: text("STRING", "DECIMAL(10, 2)", "STRUCT<a: INT NOT NULL, b: ARRAY<MAP<STRING, INT>>>"),
    notNull: fc.constant(true as const),
    comment: anyString,
    sensitive: fc.boolean(),
    extra: fc.constantFrom(
      [sqlText("DEFAULT 1 + 2"), sqlText("PRIMARY KEY RELY")],
      [sqlText("MASK m USING COLUMNS (a)")],
    ),
  },
);
const tableRule = fc
  .constantFrom(
    "UNIQUE (a, `b c`)",
    "REFERENCES (a) IN x.y (b)",
    "REFERENCES (a, b) IN delta.`/t`",
    "ROW COUNT BETWEEN 0.8 AND 1.2 OF LAST 5 RUNS",
    "FRESHNESS (a) WITHIN 2 HOURS",
    "SINGLE VALUE (`b c`)",
  )
  .map((text) => ({ condition: sqlText(text), wholeTable: true as const }));
const expectation = fc
  .tuple(
    some(
      {
        name: word,
        action: fc.constantFrom("warn", "drop", "fail", "quarantine" as const),
        at: fc.constant(at),
      },
      { status: anyString, comment: anyString },
    ),
    fc.oneof(
      expression.map((condition) => ({ condition })),
      tableRule,
    ),
  )
  .map(([rule, meaning]) => ({ ...rule, ...meaning }));
const action = fc.constantFrom("ignore", "notify", "add", "quarantine", "stop");
const share = fc.double({ min: 0, max: 1, noNaN: true }).map((n) => n + 0);
const properties = fc.dictionary(
  anyString.filter((k) => !k.startsWith("ingot.")),
  anyString,
  { maxKeys: 2 },
);
const common = {
  comment: anyString,
  columns: fc.uniqueArray(column, { selector: (c) => c.name.toLowerCase(), minLength: 1, maxLength: 3 }),
  quarantine: word.filter((q) => q.trim() !== ""),
  gate: fc.oneof(
    fc.record({ maxFailedShare: share }),
    fc.record({ maxFailedRows: fc.nat() }),
    fc.record({ maxFailedShare: share, maxFailedRows: fc.nat() }),
  ),
  drift: fc.oneof(action, fc.record({ added: action, keyChanged: action }), fc.record({ removed: action })),
  tags: fc.array(anyString, { maxLength: 3 }),
  dialect: fc.constant("duckdb" as const),
};
const table = {
  ...common,
  constraints: fc.constant([sqlText("CONSTRAINT pk PRIMARY KEY (a)"), sqlText("FOREIGN KEY (a) REFERENCES x.y (b)")]),
  partitionBy: names,
  location: anyString,
  private: fc.constant(true as const),
  ifNotExists: fc.constant(true as const),
  rowFilter: fc.record({ function: fc.constantFrom("f", "c.s.`f g`"), columns: fc.oneof(names, fc.constant([])) }),
};
const base = <K extends Dataset["kind"]>(kind: K) => ({
  kind: fc.constant(kind),
  name: tableName,
  at: fc.constant(at),
  expectations: fc.uniqueArray(expectation, { selector: (e) => e.name, maxLength: 2 }),
  properties,
});
const dataset: fc.Arbitrary<Dataset> = fc.oneof(
  some(base("streaming-table"), {
    ...table,
    backfill: fc.record({ source: relation, chunkBy: word }),
  }),
  some(base("streaming-table"), { ...common, clusterBy: fc.oneof(names, fc.constant("auto" as const)) }),
  some(base("materialized-view"), {
    ...table,
    refreshPolicy: fc.constantFrom("auto", "incremental", "incremental strict", "full" as const),
  }),
  some(base("view"), { ...common, ifNotExists: fc.constant(true as const) }),
  some(base("temporary-view"), common),
);

const choice = (list: string, except: string) =>
  fc.oneof(
    fc.constant({}),
    names.map((n) => ({ [list]: n })),
    names.map((n) => ({ [except]: n })),
  );
const head = some({ name: word, at: fc.constant(at), defaults: place }, { comment: anyString });
const once = fc.constantFrom({}, { once: true as const });
const history = fc.oneof(
  fc.constant({ storedAs: "scd1" as const }),
  choice("trackHistoryColumnList", "trackHistoryExceptColumnList").map((h) => ({ ...h, storedAs: "scd2" as const })),
);
const cdc = fc
  .tuple(
    some(
      { source: relation, keys: names, sequenceBy: expression },
      {
        applyAsDeletes: expression,
        columnsToUpdate: word,
        ignoreNullUpdates: fc.oneof(fc.constant(true as const), fc.record({ on: names }), fc.record({ except: names })),
        ties: fc.constantFrom("upsert", "delete" as const),
        onInvalid: fc.constantFrom("fail", "quarantine" as const),
        maxDeleteShare: share,
        onArchiveDelete: fc.constantFrom("delete", "keep" as const),
      },
    ),
    fc.oneof(
      history,
      expression.map((applyAsTruncates) => ({ storedAs: "scd1" as const, applyAsTruncates })),
      expression.map((systemSequenceBy) => ({ storedAs: "bitemporal" as const, systemSequenceBy })),
    ),
    choice("columnList", "exceptColumnList"),
    once,
  )
  .map(([a, b, c, d]) => ({ kind: "auto-cdc" as const, ...a, ...b, ...c, ...d }));
const snapshot = fc
  .tuple(
    some({ source: text("a.b", "(SELECT 1)"), keys: names }, { version: query, minRowShare: share }),
    history,
    once,
  )
  .map(([a, b, c]) => ({ kind: "auto-cdc-from-snapshot" as const, ...a, ...b, ...c }));
const replace = fc
  .oneof(fc.record({ query, replaceWhere: expression }), fc.record({ query, replaceUsing: names, sequenceBy: word }))
  .map((r) => ({ kind: "replace" as const, ...r }));
const append = fc.tuple(fc.record({ query }), once).map(([a, b]) => ({ kind: "query" as const, ...a, ...b }));
const body = fc.oneof(cdc, snapshot, replace, append);

/** A dataset and flows into it: views have the one that is called like them, as all other ways to declare it give. */
const declared = dataset.chain((d) => {
  const own = fc.tuple(place, query).map(([where, q]): Flow => {
    const defaultsOf = d.kind === "temporary-view" ? { catalog: d.name.catalog, schema: d.name.schema } : where;
    return { kind: "query", name: d.name.table, target: d.name, at, defaults: defaultsOf, query: q };
  });
  if (d.kind !== "streaming-table") return own.map((flow) => ({ dataset: d, flows: [flow] }));
  const other = fc.tuple(head, body).map(([h, b]) => ({ ...h, ...b, target: d.name }) as Flow);
  return fc
    .uniqueArray(fc.oneof(own, other), { selector: (f) => f.name, maxLength: 3 })
    .map((flows) => ({ dataset: d, flows }));
});
const definitions = fc.uniqueArray(declared, { selector: (d) => nameKey(d.dataset.name), maxLength: 4 }).map(
  (all): Definitions => ({
    datasets: all.map((d) => d.dataset),
    flows: all.flatMap((d) => d.flows),
    externals: [],
    notices: [],
  }),
);

describe("printStatements", () => {
  it("prints what is read back as the same model, and prints that the same", () => {
    fc.assert(
      fc.property(definitions, (d) => {
        const printed = printStatements(d, defaults);
        const again = parse(printed);
        expect(comparable(again)).toEqual(comparable(d));
        expect(printStatements(again, defaults)).toBe(printed);
      }),
      { numRuns: 300 },
    );
  });

  it("reads well, in the order of the names", () => {
    const definitions = parse(`
      USE SCHEMA gold; create view z as select 1; USE SCHEMA default;
      CREATE STREAMING TABLE b (id INT NOT NULL, CONSTRAINT ok EXPECT (id > 0) ON VIOLATION QUARANTINE ROW)
        TBLPROPERTIES (ingot.quarantine 'q.b', 'ingot.expectation.ok.status' = 'BAD_ID') CLUSTER BY (id);
      APPLY CHANGES INTO b FROM STREAM(a) KEYS (id) SEQUENCE BY ts WITH (ties => 'delete', maxDeleteShare => 0.2);
      CREATE STREAMING TABLE a AS SELECT * -- all
        FROM STREAM raw; -- end`);
    expect(printStatements(definitions, defaults)).toBe(`CREATE STREAMING TABLE a
AS SELECT * -- all
        FROM STREAM raw;

CREATE STREAMING TABLE b (
  id INT NOT NULL,
  CONSTRAINT ok EXPECT (id > 0) ON VIOLATION QUARANTINE ROW
)
CLUSTER BY (id)
TBLPROPERTIES (
  'ingot.expectation.ok.status' = 'BAD_ID',
  'ingot.quarantine' = 'q.b'
);

CREATE FLOW b
AS AUTO CDC INTO b
FROM STREAM(a)
KEYS (id)
SEQUENCE BY ts
STORED AS SCD TYPE 1
WITH (ties => 'delete', max_delete_share => 0.2);

USE SCHEMA gold;

CREATE VIEW z
AS select 1;
`);
  });

  it("refuses a text that a file would take for a parameter", () => {
    const { flows, ...rest } = parse("CREATE VIEW v AS SELECT 1");
    const changed = flows.map((f) => (f.kind === "query" ? { ...f, query: sqlText("SELECT '$" + "{x}'") } : f));
    expect(() => printStatements({ ...rest, flows: changed }, defaults)).toThrow("v has the text");
  });
});
