import type { DataType, PrimitiveName, StructType } from "@ingot/delta";

/**
 * Line items of accounting documents, as SAP's table BSEG has them: 38 columns of its types, 20 company codes over
 * 8 fiscal years, 5 lines a document. Everything is a function of the place of the row and of a salt, so that the same
 * table comes out on every machine.
 */
export const COMPANIES = 20;
export const LINES = 5;
export const YEARS: readonly number[] = [2018, 2019, 2020, 2021, 2022, 2023, 2024, 2025];
export const KEYS: readonly string[] = ["MANDT", "BUKRS", "GJAHR", "BELNR", "BUZEI"];

/** Name, type of Delta, and SQL over `company` (from 0), `year`, `document` (from 1), `line` (from 1), `h` (a hash). */
const COLUMNS: readonly (readonly [name: string, type: string, sql: string])[] = [
  ["MANDT", "string", "'100'"],
  ["BUKRS", "string", "lpad((1000 + company * 10)::VARCHAR, 4, '0')"],
  ["BELNR", "string", "lpad(document::VARCHAR, 10, '0')"],
  ["GJAHR", "string", "year::VARCHAR"],
  ["BUZEI", "string", "lpad(line::VARCHAR, 3, '0')"],
  ["BUZID", "string", "CASE WHEN line = 1 THEN 'K' ELSE '' END"],
  ["BSCHL", "string", "(['01', '11', '31', '40', '50'])[1 + h % 5]"],
  ["KOART", "string", "(['D', 'K', 'S', 'S', 'M'])[1 + h % 5]"],
  ["SHKZG", "string", "CASE WHEN h % 2 = 0 THEN 'S' ELSE 'H' END"],
  ["GSBER", "string", "lpad((h % 40)::VARCHAR, 4, '0')"],
  ["MWSKZ", "string", "(['V1', 'V2', 'A1', ''])[1 + h % 4]"],
  ["PSWSL", "string", "(['EUR', 'USD', 'GBP'])[1 + h % 17 // 8]"],
  ["ZUONR", "string", "lpad((h % 100000000)::VARCHAR, 18, '0')"],
  ["SGTXT", "string", "CASE WHEN h % 3 = 0 THEN 'Invoice ' || (h % 1000003) || ' vendor payment' ELSE '' END"],
  ["KOKRS", "string", "'1000'"],
  ["KOSTL", "string", "CASE WHEN h % 4 = 0 THEN lpad((h % 3000)::VARCHAR, 10, '0') ELSE '' END"],
  ["AUFNR", "string", "CASE WHEN h % 9 = 0 THEN lpad((h % 20000)::VARCHAR, 12, '0') ELSE '' END"],
  ["HKONT", "string", "lpad((h % 600 * 100)::VARCHAR, 10, '0')"],
  ["KUNNR", "string", "CASE WHEN line = 1 THEN lpad((h % 50000)::VARCHAR, 10, '0') ELSE '' END"],
  ["LIFNR", "string", "CASE WHEN line = 2 THEN lpad((h % 20000)::VARCHAR, 10, '0') ELSE '' END"],
  ["MATNR", "string", "CASE WHEN h % 2 = 0 THEN lpad((h % 80000)::VARCHAR, 18, '0') ELSE '' END"],
  ["WERKS", "string", "lpad((h % 30)::VARCHAR, 4, '0')"],
  ["MEINS", "string", "(['ST', 'KG', 'L', ''])[1 + h % 4]"],
  ["EBELN", "string", "CASE WHEN h % 3 = 1 THEN lpad((4500000000 + h % 500000)::VARCHAR, 10, '0') ELSE '' END"],
  ["EBELP", "string", "lpad((h % 50 * 10)::VARCHAR, 5, '0')"],
  ["PRCTR", "string", "lpad((h % 800)::VARCHAR, 10, '0')"],
  ["ZTERM", "string", "(['Z001', 'Z002', 'NT30', ''])[1 + h % 4]"],
  ["AUGDT", "date", "CASE WHEN h % 3 = 0 THEN NULL ELSE make_date(year, 1 + h % 12, 1 + h % 28) END"],
  ["BUDAT", "date", "make_date(year, 1 + document % 12, 1 + document % 28)"],
  ["DMBTR", "decimal(23,2)", "(h % 10000000)::DECIMAL(10,0) * 0.01"],
  ["WRBTR", "decimal(23,2)", "(h % 10000019)::DECIMAL(10,0) * 0.01"],
  ["MWSTS", "decimal(13,2)", "(h % 100000)::DECIMAL(10,0) * 0.01"],
  ["MENGE", "decimal(13,3)", "(h % 1000000)::DECIMAL(10,0) * 0.001"],
  ["KURSF", "decimal(9,5)", "1 + (h % 99991)::DECIMAL(10,0) * 0.00001"],
  ["ZBD1T", "decimal(3,0)", "h % 120"],
  ["XNEGP", "string", "CASE WHEN h % 50 = 0 THEN 'X' ELSE '' END"],
  ["CHG_TS", "timestamp", "TIMESTAMPTZ '2025-01-01 00:00:00+00' + to_microseconds(h % 31536000000000)"],
  ["CHG_SEQ", "long", "salt"],
];

export const SCHEMA: StructType = {
  kind: "struct",
  fields: COLUMNS.map(([name, type]) => ({ name, type: typeOf(type), nullable: true, metadata: {} })),
};

function typeOf(type: string): DataType {
  const [, precision, scale] = /^decimal\((\d+),(\d+)\)$/.exec(type) ?? [];
  if (precision !== undefined) return { kind: "decimal", precision: Number(precision), scale: Number(scale) };
  return { kind: type as PrimitiveName };
}

const DUCKDB: Readonly<Record<string, string>> = {
  string: "VARCHAR",
  date: "DATE",
  timestamp: "TIMESTAMPTZ",
  long: "BIGINT",
};

/** SQL of the rows of some places. @param places SQL of the columns company, year, document, line */
export function rowsAt(places: string, salt: number): string {
  const columns = COLUMNS.map(([name, type, sql]) => `(${sql})::${DUCKDB[type] ?? type} AS ${name}`);
  const hash = `(hash(company * 7 + document * 13 + line + year * 31 + ${salt} * 1000003) % 1000000000000)::BIGINT`;
  return `SELECT ${columns.join(", ")} FROM (SELECT *, ${hash} AS h, ${salt} AS salt FROM (${places}))`;
}

/** SQL of the rows from `first` up to `end`, in the order of company, year, document, line. */
export function baseRows(first: number, end: number, documents: number): string {
  const year = documents * LINES;
  const company = year * YEARS.length;
  return rowsAt(
    `SELECT i // ${company} AS company, (${YEARS[0]} + i // ${year} % ${YEARS.length})::INTEGER AS year,
       i // ${LINES} % ${documents} + 1 AS document, i % ${LINES} + 1 AS line FROM range(${first}, ${end}) r(i)`,
    0,
  );
}

export interface BatchShape {
  /** Documents of a company in a year, before any batch. */
  readonly documents: number;
  /** 0, 1, … */
  readonly batch: number;
  /** Updates of old documents, anywhere in the table. */
  readonly scattered: boolean;
}

/** Documents of a company in a year that a batch reaches back. */
const REACH = 2700;

/**
 * SQL of a batch of some 208,000 changes with the column `op`: 57 % updates of the newest documents, 3 % of old ones
 * (or of new ones too), 35 % inserts, 5 % deletes of documents that are a little older.
 *
 * @throws Error for a table too small to have so many
 */
export function batchRows({ documents, batch, scattered }: BatchShape): string {
  if (documents < REACH) {
    const rows = (REACH * LINES * YEARS.length * COMPANIES) / 1_000_000;
    throw new Error(`A batch changes the last ${REACH} documents of a company: take --rows=${rows} or more.`);
  }
  const newest = documents + 728 * batch;
  const salt = batch + 1;
  const lines = `range(1, ${LINES + 1}) l(line)`;
  const companies = `range(${COMPANIES}) c(company)`;
  const year = YEARS.at(-1);
  const chosen = (from: number, to: number, factor: number, count: number) =>
    `(SELECT document FROM range(${from}, ${to}) d(document) ORDER BY hash(document * ${factor} + ${batch}) LIMIT ${count}) d`;
  const document = (choice: string) =>
    `SELECT company, ${year} AS year, document, line FROM ${companies}, ${choice}, ${lines}`;
  const parts = [
    ["U", document(chosen(newest - 1999, newest + 1, 31, scattered ? 1186 : 1248))],
    ["I", document(`range(${newest + 1}, ${newest + 729}) d(document)`)],
    ["D", document(chosen(newest - REACH + 1, newest - 1999, 37, 104))],
  ];
  if (scattered) {
    const pick = (factor: number, count: number) => `(hash(i * ${factor} + ${batch} * 77) % ${count})::INTEGER`;
    parts.push([
      "U",
      `SELECT DISTINCT ${pick(3, COMPANIES)} AS company, ${YEARS[0]} + ${pick(5, YEARS.length - 1)} AS year,
         1 + ${pick(11, documents)} AS document, 1 + ${pick(17, LINES)} AS line FROM range(6240) t(i)`,
    ]);
  }
  return parts
    .map(([op, places]) => `SELECT '${op}' AS op, * FROM (${rowsAt(places ?? "", salt)})`)
    .join(" UNION ALL ");
}
