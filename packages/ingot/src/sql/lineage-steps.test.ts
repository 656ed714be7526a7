import fc from "fast-check";
import { expect, it } from "vitest";
import { compile, lineageOf, TABLES } from "./test-lineage.js";

/** A query whose lineage is known, since it was built step by step: columns with their sources, and what decides. */
interface Built {
  readonly text: string;
  readonly columns: readonly { readonly name: string; readonly sources: ReadonlyMap<string, "=" | "f" | "Σ"> }[];
  readonly influences: ReadonlySet<string>;
}

const BASE: Built = {
  text: "SELECT mandt AS c0, vbeln AS c1, kunnr AS c2, gbstk AS c3 FROM vbak",
  columns: ["mandt", "vbeln", "kunnr", "gbstk"].map((column, i) => ({
    name: `c${i}`,
    sources: new Map([[`vbak.${column}`, "="]]),
  })),
  influences: new Set(),
};

const at = (built: Built, i: number) => {
  const column = built.columns[i % built.columns.length];
  if (column === undefined) throw new Error("no column");
  return column;
};
const keys = (built: Built, i: number) => [...at(built, i).sources.keys()];
const changed = (built: Built, i: number, how: "f" | "Σ") =>
  new Map([...at(built, i).sources].map(([key, was]) => [key, was === "Σ" ? was : how] as const));
const merged = (...all: ReadonlyMap<string, "=" | "f" | "Σ">[]) => {
  const order = ["=", "f", "Σ"];
  const result = new Map<string, "=" | "f" | "Σ">();
  for (const [key, how] of all.flatMap((m) => [...m]))
    if (order.indexOf(how) >= order.indexOf(result.get(key) ?? "=")) result.set(key, how);
  return result;
};

type Step = (built: Built, i: number, j: number) => Built;
const STEPS: readonly Step[] = [
  // rename and reorder, in a derived table
  (b, i, j) => ({
    ...b,
    text: `SELECT t.${at(b, i).name} AS c0, ${at(b, j).name} AS c1 FROM (${b.text}) AS t`,
    columns: [
      { ...at(b, i), name: "c0" },
      { ...at(b, j), name: "c1" },
    ],
  }),
  // compute, in a CTE
  (b, i, j) => ({
    ...b,
    text: `WITH q AS (${b.text}) SELECT *, upper(${at(b, i).name} || ${at(b, j).name}) AS c${b.columns.length} FROM q`,
    columns: [...b.columns, { name: `c${b.columns.length}`, sources: merged(changed(b, i, "f"), changed(b, j, "f")) }],
  }),
  // filter
  (b, i) => ({
    ...b,
    text: `SELECT * FROM (${b.text}) WHERE ${at(b, i).name} > 'a'`,
    influences: new Set([...b.influences, ...keys(b, i)]),
  }),
  // group
  (b, i, j) => ({
    text: `SELECT ${at(b, i).name} AS c0, min(${at(b, j).name}) AS c1 FROM (${b.text}) GROUP BY 1`,
    columns: [
      { ...at(b, i), name: "c0" },
      { name: "c1", sources: changed(b, j, "Σ") },
    ],
    influences: new Set([...b.influences, ...keys(b, i)]),
  }),
  // union with another table
  (b, i) => ({
    ...b,
    text: `(SELECT ${at(b, i).name} AS c0 FROM (${b.text})) UNION ALL SELECT maktx FROM makt`,
    columns: [{ name: "c0", sources: merged(at(b, i).sources, new Map([["makt.maktx", "="]])) }],
  }),
  // join
  (b, i, j) => ({
    text: `SELECT l.${at(b, j).name} AS c0, r.maktx AS c1 FROM (${b.text}) AS l LEFT JOIN makt AS r ON l.${at(b, i).name} = r.matnr`,
    columns: [
      { ...at(b, j), name: "c0" },
      { name: "c1", sources: new Map([["makt.maktx", "="]]) },
    ],
    influences: new Set([...b.influences, ...keys(b, i), "makt.matnr"]),
  }),
  // through a struct that is made
  (b, i, j) => ({
    ...b,
    text: `SELECT s.x AS c0 FROM (SELECT struct(${at(b, i).name} AS x, ${at(b, j).name} AS y) AS s FROM (${b.text}))`,
    columns: [{ ...at(b, i), name: "c0" }],
  }),
];

it("of queries built step by step is what the steps say, and names only columns that are there", () => {
  const steps = fc.array(fc.tuple(fc.nat(STEPS.length - 1), fc.nat(5), fc.nat(5)), { maxLength: 7 });
  fc.assert(
    fc.property(steps, (list) => {
      const built = list.reduce((b, [step, i, j]) => STEPS[step]?.(b, i, j) ?? b, BASE);
      const expected = Object.fromEntries([
        ...built.columns.map((c) => [
          c.name,
          [...c.sources]
            .map(([key, how]) => how + key)
            .sort()
            .join(" "),
        ]),
        ["WHERE", [...built.influences].sort().join(" ")],
      ]);
      const { WHERE, ...columns } = lineageOf(built.text);
      // One table may stand in the query twice: each time tells of itself, and the steps tell of the table.
      const strongest = (text: string) => {
        const sources = text.split(" ").filter((source) => source !== "");
        const told = merged(...sources.map((source) => new Map([[source.slice(1), source.charAt(0) as "="]])));
        return [...told]
          .map(([key, how]) => how + key)
          .sort()
          .join(" ");
      };
      const found = Object.fromEntries(Object.entries(columns).map(([name, text]) => [name, strongest(text)]));
      expect({ ...found, WHERE: [...new Set(WHERE?.split(" "))].join(" ") }).toEqual(expected);
      const { reads, lineage } = compile(built.text);
      for (const source of [...(lineage?.columns.flat() ?? []), ...(lineage?.influences ?? [])]) {
        const read = reads.find((r) => r.id === source.relation);
        const table = read?.kind === "table" ? TABLES[read.name.join(".")] : undefined;
        expect(table?.map((f) => f.name)).toContain(source.column);
      }
    }),
    { numRuns: 300 },
  );
});
