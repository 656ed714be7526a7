import type { FieldEntry, FieldReference, TableEntry } from "./table.js";

/**
 * Reads tables in the notation of `tables/`, one paragraph each:
 *
 *     EKPO: Purchasing document item
 *     # what a user must know
 *     key MANDT CLNT3, EBELN CHAR10, EBELP NUMC5
 *         MATNR CHAR18/40, NETPR CURR11.2 EKKO-WAERS
 *     s4  UNIQUEID CHAR15
 *     s4 key MANDT, EBELN, EBELP
 *
 * A field is its name, its type with length and decimals (`/40`: the length in S/4HANA) and the field of its currency or
 * unit. `s4` begins fields that only S/4HANA has, `s4 key` names the key there where it is another.
 */
export function parseTables(text: string): TableEntry[] {
  return text.trim().split(/\n\n+/).map(parseTable);
}

function parseTable(paragraph: string): TableEntry {
  const [title = "", ...lines] = paragraph.split("\n");
  const [name = "", description = ""] = splitOnce(title, ": ");
  const of = (start: string) =>
    lines.filter((line) => line.startsWith(start)).map((line) => line.slice(start.length).trim());
  const [note] = of("# ");
  const fields = (start: string) => items(of(start));
  const [s4Key] = of("s4 key ");
  return {
    name,
    description,
    ...(note === undefined ? {} : { note }),
    ...(s4Key === undefined ? {} : { s4Key: items([s4Key]) }),
    fields: [
      ...fields("key ").map((field) => parseField(field, true)),
      ...fields("    ").map((field) => parseField(field, false)),
      ...fields("s4  ").map((field) => ({ ...parseField(field, false), s4Only: true as const })),
    ],
  };
}

function items(lines: readonly string[]): string[] {
  return lines
    .join(" ")
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");
}

function parseField(text: string, key: boolean): FieldEntry {
  const [, name = "", type = "", length, decimals, s4Length, reference] =
    /^(\S+) (INT[1248]|[A-Z]+)(\d+)?(?:\.(\d+))?(?:\/(\d+))?(?: (\S+))?$/.exec(text) ?? [];
  if (name === "") throw new Error(`no field of a table: ${text}`);
  return {
    name,
    type,
    key,
    ...(length === undefined ? {} : { length: Number(length) }),
    ...(decimals === undefined ? {} : { decimals: Number(decimals) }),
    ...(s4Length === undefined ? {} : { s4Length: Number(s4Length) }),
    ...(reference === undefined ? {} : { reference: parseReference(reference) }),
  };
}

/** `WAERS`, or `EKKO-WAERS` */
export function parseReference(text: string): FieldReference {
  const [first = "", field] = splitOnce(text, "-");
  return field === undefined ? { field: first } : { table: first, field };
}

function splitOnce(text: string, separator: string): [string, string?] {
  const at = text.indexOf(separator);
  return at === -1 ? [text] : [text.slice(0, at), text.slice(at + separator.length)];
}
