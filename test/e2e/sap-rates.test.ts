import { expect, it } from "vitest";
import { projectMaker, refusal, rows, run, SPEC } from "./cli.js";

const project = projectMaker();

// GDATU is 99999999 less the day: 2026-01-01, 2026-02-01, 2026-07-01.
const [JANUARY, FEBRUARY, JULY] = ["79739898", "79739798", "79739298"];
const TCURR = `MANDT,KURST,FCURR,TCURR,GDATU,UKURS,FFACT,TFACT
100,M,USD,EUR,${JANUARY},0.90000,0,0
100,M,USD,EUR,${FEBRUARY},1.25000-,0,0
100,B,USD,EUR,${JANUARY},5.00000,0,0
200,M,USD,EUR,${JANUARY},0.50000,0,0
100,M,JPY,EUR,${JANUARY},0.62000,0,0
100,M,EUR,GBP,${JANUARY},0.80000,0,0
100,M,SEK,EUR,${JANUARY},0.10000,0,0
100,M,SEK,EUR,${FEBRUARY},x,0,0
`;
const TCURF = `MANDT,KURST,FCURR,TCURR,GDATU,FFACT,TFACT
100,M,JPY,EUR,${JANUARY},100,1
100,M,JPY,EUR,${JULY},1000,1
`;

/** Currency, new currency, amount, day, and what comes of it by hand. */
const CASES: readonly (readonly [from: string, to: string, amount: string, day: string, is: string | null])[] = [
  ["USD", "EUR", "100.00", "2025-12-31", null],
  ["USD", "EUR", "100.00", "2026-01-01", "90.00"],
  ["USD", "EUR", "100.00", "2026-01-31", "90.00"],
  // 1.25 USD are 1 EUR.
  ["USD", "EUR", "100.00", "2026-02-01", "80.00"],
  // 0.62 EUR for 100 JPY, then for 1000.
  ["JPY", "EUR", "1000.00", "2026-06-30", "6.20"],
  ["JPY", "EUR", "1000.00", "2026-07-01", "0.62"],
  // Pairs that have a rate the other way round.
  ["GBP", "EUR", "80.00", "2026-03-01", "100.00"],
  ["EUR", "USD", "90.00", "2026-01-15", "100.00"],
  ["EUR", "USD", "80.00", "2026-02-15", "100.00"],
  ["EUR", "JPY", "6.20", "2026-06-30", "1000.00"],
  ["EUR", "EUR", "5.00", "2025-01-01", "5.00"],
  ["CHF", "EUR", "5.00", "2026-03-01", null],
  ["SEK", "EUR", "10.00", "2026-01-31", "1.00"],
  // The newer rate cannot be read.
  ["SEK", "EUR", "10.00", "2026-02-15", null],
];

function definitions(given: string, more = ""): string {
  const values = CASES.map(([from, to, amount, day], i) => `(${i}, '${from}', '${to}', ${amount}, DATE'${day}')`);
  return `import { materializedView, readFiles, sql } from "ingot";
import { rates, sapTable } from "ingot/sap";
const landed = (table, more = {}) => sapTable(table, { from: readFiles(\`landing/\${table}.csv\`, { format: "csv", header: true }), ...more });
const tcurr = landed("TCURR"${more});
const tcurf = landed("TCURF");
materializedView("converted", sql\`
  SELECT q.id, r.has_ratio, r.is_inverse, sap_convert(q.amount, r.ukurs, r.ffact, r.tfact, 2) AS amount
  FROM (SELECT * FROM VALUES ${values.join(", ")} AS v(id, waers, wanted, amount, budat)) AS q
  LEFT JOIN \${rates(${given})} AS r
    ON r.mandt = '100' AND r.fcurr = q.waers AND r.tcurr = q.wanted AND q.budat BETWEEN r.valid_from AND r.valid_to\`);`;
}

const files = { "ingot.yml": SPEC, "landing/TCURR.csv": TCURR, "landing/TCURF.csv": TCURF };

it.each(["{ rates: tcurr, factors: tcurf }", "{ rates: tcurr.snapshot, factors: tcurf.snapshot }"])(
  "rates(%s) has the rate and the ratio of the day, the inverse where it must, and one row at most",
  async (given) => {
    const cwd = project({ ...files, "transformations/t.ts": definitions(given) });
    await run(cwd);
    const found = await rows(cwd, "SELECT * FROM converted ORDER BY id");
    expect(found.map(({ amount }) => amount)).toEqual(CASES.map(([, , , , is]) => is));
    expect(found.map(({ is_inverse }) => is_inverse)).toEqual(
      CASES.map(([from, to, , , is]) => (is === null ? null : from === "GBP" || (from === "EUR" && to !== "EUR"))),
    );
    expect(found.flatMap(({ id, has_ratio }) => (has_ratio === false ? [id] : []))).toEqual([1, 2, 3, 6, 7, 8, 12]);
  },
);

it("rates without TCURF takes the ratios of TCURR, and another type its own rates", async () => {
  const cwd = project({
    ...files,
    "landing/TCURR.csv": TCURR.replace("0.62000,0,0", "0.62000,100,1"),
    "transformations/t.ts": definitions('{ rates: tcurr }, { type: "M" }'),
  });
  await run(cwd);
  const query = "SELECT amount FROM converted WHERE id IN (3, 4, 5) ORDER BY id";
  expect(await rows(cwd, query)).toEqual([{ amount: "80.00" }, { amount: "6.20" }, { amount: "6.20" }]);
});

it("rates needs TCURR, and its rate", async () => {
  const failing = async (given: string, more?: string) =>
    (await refusal(project({ ...files, "transformations/t.ts": definitions(given, more) }), "dry-run")).errors[0];
  expect(await failing("{ factors: tcurf }")).toMatchObject({ code: "BAD_OPTION" });
  expect(await failing("{ rates: tcurf }")).toMatchObject({
    code: "BAD_OPTION",
    message: "rates() takes TCURR for `rates`, and is given TCURF",
  });
  expect(await failing("{ rates: tcurr }", ', { columnList: ["ffact", "tfact"] }')).toMatchObject({
    code: "BAD_OPTION",
    message: "rates() needs ukurs of TCURR",
  });
});
