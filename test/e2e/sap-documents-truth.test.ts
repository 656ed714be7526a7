import { beforeAll, expect, it } from "vitest";
import { projectMaker, rows, run, SPEC, writeProject } from "./cli.js";
import { generateWithTruth, type Row, type Truth } from "./sap-truth.js";

/** Documents over generated tables, beside what plain loops make of the generator's final state. */

const TABLES = ["EKKO", "EKPO", "EKET", "EKBE", "BKPF", "BSEG"];
const project = projectMaker();
let cwd = "";
let truth: Truth = new Map();

beforeAll(async () => {
  const made = await generateWithTruth({
    scale: 1500,
    clients: ["100", "200"],
    days: 3,
    batches: 2,
    tables: [...TABLES, "TCURX"],
  });
  truth = made.truth;
  cwd = project({
    "ingot.yml": `${SPEC}sources: { ERP: { release: ecc, currencies: landing/initial/TCURX.csv } }\n`,
    "transformations/t.ts": `import { readFiles } from "ingot";
import { accountingDocument, purchaseOrder, sapTable } from "ingot/sap";
const landed = (name: string) => sapTable(name, {
  from: readFiles(\`landing/{initial,cdc}/\${name}*\`, { format: "csv", header: true }),
  changeFormat: "odq", columns: "typed", sequenceBy: ["ODQ_TSN", "ODQ_UNITNO", "ODQ_RECORDNO"],
});
purchaseOrder({ header: landed("EKKO"), items: landed("EKPO"), schedule: landed("EKET"), history: landed("EKBE") });
accountingDocument({ header: landed("BKPF"), items: landed("BSEG") });
`,
  });
  writeProject(cwd, Object.fromEntries([...made.files].map(([path, text]) => [`landing/${path}`, text])));
  await run(cwd, "--quiet");
}, 120_000);

const rowsOf = (table: string): readonly Row[] => truth.get(table) ?? [];
const key = (row: Row, ...fields: readonly string[]) => fields.map((field) => row[field]).join(" ");
/** Thousandths of a quantity. */
const thousandths = (text: string | undefined) => BigInt((text ?? "0.000").replace(".", ""));
/** Sums of some rows, by their keys. */
function sums(all: readonly Row[], keyOf: (row: Row) => string, value: (row: Row) => bigint): Map<string, bigint> {
  const found = new Map<string, bigint>();
  for (const row of all) found.set(keyOf(row), (found.get(keyOf(row)) ?? 0n) + value(row));
  return found;
}

it("purchase orders are what was received, invoiced and scheduled of each item", async () => {
  const item = (row: Row) => key(row, "MANDT", "EBELN", "EBELP");
  const headers = new Map(rowsOf("EKKO").map((row) => [key(row, "MANDT", "EBELN"), row]));
  const signed = (row: Row) => (row["SHKZG"] === "H" ? -1n : 1n) * thousandths(row["MENGE"]);
  const of = (vgabe: string) =>
    sums(
      rowsOf("EKBE").filter((row) => row["VGABE"] === vgabe),
      item,
      signed,
    );
  const [received, invoiced] = [of("1"), of("2")];
  const scheduled = sums(rowsOf("EKET"), item, (row) => thousandths(row["MENGE"]));
  const wanted = rowsOf("EKPO").map((row) => {
    const header = headers.get(key(row, "MANDT", "EBELN"));
    const [got, billed] = [received.get(item(row)) ?? 0n, invoiced.get(item(row)) ?? 0n];
    const isDead = row["LOEKZ"] === "L" || header?.["LOEKZ"] === "L";
    const open = (done: bigint, isDone: boolean) => {
      const rest = thousandths(row["MENGE"]) - done;
      return isDead || isDone || rest < 0n ? 0n : rest;
    };
    const figures = [
      got,
      billed,
      scheduled.get(item(row)) ?? 0n,
      open(got, row["ELIKZ"] === "X"),
      open(billed, row["EREKZ"] === "X"),
    ];
    return [item(row), ...figures].join(" ");
  });
  const found = await rows(
    cwd,
    `SELECT mandt_ekko, ebeln_ekko, ebelp_ekpo,
      received_ekbe AS a, invoiced_ekbe AS b, scheduled_eket AS c, to_deliver_ekpo AS d, ordered_not_invoiced_ekpo AS e
    FROM silver_mm_purchase_order`,
  );
  expect(wanted.length).toBeGreaterThan(20);
  expect(rowsOf("EKPO").every((row) => row["RETPO"] === "")).toBe(true);
  expect(
    found
      .map(({ mandt_ekko, ebeln_ekko, ebelp_ekpo, a, b, c, d, e }) =>
        [mandt_ekko, ebeln_ekko, ebelp_ekpo, ...[a, b, c, d, e].map((n) => thousandths(String(n)))].join(" "),
      )
      .sort(),
  ).toEqual(wanted.sort());
});

it("accounting documents that are posted balance in both currencies, and those that are reversed are marked", async () => {
  const document = (row: Row) => key(row, "MANDT", "BUKRS", "BELNR", "GJAHR");
  const lines = sums(rowsOf("BSEG"), document, () => 1n);
  const wanted = rowsOf("BKPF").flatMap((row) => {
    const isPosted = row["BSTAT"] === "";
    const n = lines.get(document(row));
    return n === undefined ? [] : [[document(row), n, isPosted, row["STBLG"] !== "", isPosted || "any"].join(" ")];
  });
  const found = await rows(
    cwd,
    `SELECT mandt_bkpf, bukrs_bkpf, belnr_bkpf, gjahr_bkpf, count(*) AS n, min(posted_bkpf) AS posted,
      min(reversed_bkpf) AS reversed, sum(signed_dmbtr_bseg) = 0 AND sum(signed_wrbtr_bseg) = 0 AS even
    FROM silver_fi_accounting_document GROUP BY 1, 2, 3, 4`,
  );
  expect(new Set(found.map(({ reversed }) => reversed))).toEqual(new Set([true, false]));
  expect(
    found
      .map(({ posted, even, ...row }) =>
        [...Object.values(row).slice(0, 5), posted, row["reversed"], posted === true ? even : "any"].join(" "),
      )
      .sort(),
  ).toEqual(wanted.sort());
});
