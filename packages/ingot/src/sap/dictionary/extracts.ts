import type { DomainValue, FieldEntry, TableEntry } from "./table.js";

/** A row of an extract: values by column name in capitals. */
export type ExtractRow = Readonly<Record<string, string>>;

/** What a project's own extracts of the ABAP dictionary say. */
export interface Extracts {
  /** DD03L: fields of tables. */
  readonly fields: readonly ExtractRow[];
  /** DD02T: texts of tables. */
  readonly tables: readonly ExtractRow[];
  /** DD04T: texts of data elements. */
  readonly elements: readonly ExtractRow[];
  /** DD07T: fixed values of domains. */
  readonly values: readonly ExtractRow[];
}

export const NO_EXTRACTS: Extracts = { fields: [], tables: [], elements: [], values: [] };

/** Columns by which an extract is known, the most telling first. */
const KINDS: readonly (readonly [kind: keyof Extracts, columns: readonly string[]])[] = [
  ["fields", ["TABNAME", "FIELDNAME", "DATATYPE", "LENG"]],
  ["values", ["DOMNAME", "DDLANGUAGE", "DOMVALUE_L", "DDTEXT"]],
  ["elements", ["ROLLNAME", "DDLANGUAGE", "DDTEXT"]],
  ["tables", ["TABNAME", "DDLANGUAGE", "DDTEXT"]],
];

/** Which of SAP's tables an extract is, by its columns; undefined for none that the dictionary reads. */
export function kindOfExtract(columns: readonly string[]): keyof Extracts | undefined {
  return KINDS.find(([, wanted]) => wanted.every((column) => columns.includes(column)))?.[0];
}

/** What an extract must have, for messages. */
export const EXTRACT_COLUMNS = KINDS.map(([, columns]) => columns.join(", ")).join("; ");

/** The tables of DD03L with their texts. Only active versions count, and includes are no fields. */
export function tablesOf(extracts: Extracts): TableEntry[] {
  const elementText = textsBy(extracts.elements, (row) => row["ROLLNAME"]);
  const tableText = textsBy(extracts.tables, (row) => row["TABNAME"]);
  const values = valuesByDomain(extracts.values);
  const rows = new Map<string, ExtractRow[]>();
  for (const row of extracts.fields) {
    const name = row["TABNAME"] ?? "";
    if (isActive(row) && !(row["FIELDNAME"] ?? "").startsWith(".")) rows.set(name, [...(rows.get(name) ?? []), row]);
  }
  return [...rows].map(([name, fields]) => ({
    name,
    description: tableText(name) ?? "",
    fields: [...fields]
      .sort((a, b) => Number(a["POSITION"] ?? 0) - Number(b["POSITION"] ?? 0))
      .map((row) => fieldOf(row, name, elementText(row["ROLLNAME"]), values.get(row["DOMNAME"] ?? ""))),
  }));
}

const isActive = (row: ExtractRow) =>
  (row["AS4LOCAL"] ?? "A") === "A" && (row["AS4VERS"] ?? "0").replace(/0/g, "") === "";

function fieldOf(row: ExtractRow, table: string, description?: string, values?: readonly DomainValue[]): FieldEntry {
  const length = Number(row["LENG"] ?? 0);
  const decimals = Number(row["DECIMALS"] ?? 0);
  const type = row["DATATYPE"] ?? "";
  const field = row["REFFIELD"] ?? "";
  const refTable = row["REFTABLE"] ?? "";
  const isNumber = ["CURR", "QUAN", "DEC"].includes(type);
  return {
    name: row["FIELDNAME"] ?? "",
    type,
    key: row["KEYFLAG"] === "X",
    ...(length === 0 ? {} : { length }),
    ...(isNumber ? { decimals } : {}),
    ...(field === ""
      ? {}
      : { reference: refTable === "" || refTable === table ? { field } : { table: refTable, field } }),
    ...(description === undefined ? {} : { description }),
    ...(values === undefined ? {} : { values }),
  };
}

/** The English text of each, or the first there is. */
function textsBy(rows: readonly ExtractRow[], keyOf: (row: ExtractRow) => string | undefined) {
  const texts = new Map<string, string>();
  for (const row of rows) {
    const key = keyOf(row) ?? "";
    const isEnglish = ["E", "EN"].includes(row["DDLANGUAGE"] ?? "");
    if (isActive(row) && (isEnglish || !texts.has(key))) texts.set(key, row["DDTEXT"] ?? "");
  }
  return (key: string | undefined) => texts.get(key ?? "");
}

function valuesByDomain(rows: readonly ExtractRow[]): Map<string, DomainValue[]> {
  const domains = new Map<string, Map<string, string>>();
  for (const row of rows) {
    const domain = domains.get(row["DOMNAME"] ?? "") ?? new Map<string, string>();
    const value = row["DOMVALUE_L"] ?? "";
    const isEnglish = ["E", "EN"].includes(row["DDLANGUAGE"] ?? "");
    if (isActive(row) && (isEnglish || !domain.has(value))) domain.set(value, row["DDTEXT"] ?? "");
    domains.set(row["DOMNAME"] ?? "", domain);
  }
  return new Map([...domains].map(([name, texts]) => [name, [...texts].map(([value, text]) => ({ value, text }))]));
}
