import type { NamedFile } from "../../config/sources.js";
import { NUMBER_FORMATS, type SpokenConventions } from "../../sap/conventions.js";
import type { ExtractRow } from "../../sap/dictionary/extracts.js";
import type { Fraction, Unit, Units } from "../../sap/units.js";
import { invalidExtract, readExtract } from "./read-extract.js";

const T006 = ["MSEHI", "DIMID", "ZAEHL", "NENNR", "EXP10", "ADDKO"];
const T006A = ["SPRAS", "MSEHI", "MSEH3"];

/**
 * The units of a source, of extracts of T006 and T006A, which are known by their columns. Of several clients those of the
 * source's count.
 *
 * @throws IngotError SAP_EXTRACT_INVALID
 */
export async function readUnits(
  files: readonly NamedFile[],
  encoding: string,
  conventions: SpokenConventions,
): Promise<Units> {
  const units = new Map<string, Unit>();
  const external = new Map<string, Map<string, string>>();
  for (const file of files) {
    const { columns, rows } = await readExtract(file.path, encoding, file.at);
    // A blank code stands for no unit.
    const own = rowsOfClient(rows, columns, file, conventions).filter(({ MSEHI: code }) => code !== "");
    if (T006.every((column) => columns.includes(column)))
      for (const row of own) units.set(codeOf(row, file), unitOf(row, file, conventions));
    else if (T006A.every((column) => columns.includes(column)))
      for (const row of own) {
        const codes = external.get(row["SPRAS"] ?? "") ?? new Map<string, string>();
        external.set(row["SPRAS"] ?? "", codes.set(codeOf(row, file), row["MSEH3"] ?? ""));
      }
    else
      throw invalidExtract(
        file.path,
        `is neither T006 nor T006A, by their columns ${T006.join(", ")}; ${T006A.join(", ")}`,
        file.at,
      );
  }
  return { units, external };
}

function rowsOfClient(
  rows: readonly ExtractRow[],
  columns: readonly string[],
  { path, at }: NamedFile,
  { client }: SpokenConventions,
): readonly ExtractRow[] {
  if (!columns.includes("MANDT")) return rows;
  if (client !== undefined) return rows.filter(({ MANDT: own }) => own === client);
  const clients = new Set(rows.map(({ MANDT: own }) => own));
  if (clients.size < 2) return rows;
  throw invalidExtract(
    path,
    `has the units of clients ${[...clients].join(", ")}; the source declares no \`client\``,
    at,
  );
}

function codeOf({ MSEHI: code = "" }: ExtractRow, { path, at }: NamedFile): string {
  if (/^[^\p{Cc}]{1,3}$/u.test(code)) return code;
  throw invalidExtract(path, `has no code of a unit in MSEHI '${code}'`, at);
}

function unitOf(row: ExtractRow, { path, at }: NamedFile, conventions: SpokenConventions): Unit {
  const number = (column: string, decimals: number): bigint => {
    const value = unscaledNumber(row[column] ?? "", decimals, conventions);
    if (value !== undefined) return value;
    throw invalidExtract(path, `has for unit '${row["MSEHI"]}' no number in ${column} '${row[column]}'`, at);
  };
  const [over, under, exponent] = [number("ZAEHL", 0), number("NENNR", 0), number("EXP10", 0)];
  const factor = over > 0n && under > 0n ? { factor: powered({ over, under }, exponent) } : {};
  return { dimension: row["DIMID"] ?? "", ...factor, constant: { over: number("ADDKO", 6), under: 1_000_000n } };
}

function powered({ over, under }: Fraction, exponent: bigint): Fraction {
  return exponent < 0n ? { over, under: under * 10n ** -exponent } : { over: over * 10n ** exponent, under };
}

/** The digits of a number with so many decimals; undefined for a malformed one. A blank is 0. */
function unscaledNumber(text: string, decimals: number, { numbers }: SpokenConventions): bigint | undefined {
  const { group, point } = NUMBER_FORMATS[numbers];
  const plain = group === "" ? text.trim() : text.trim().replaceAll(group, "");
  const parts = /^([+-]?)(\d*)(?:([.,])(\d*))?([+-]?)$/.exec(plain);
  if (parts === null || (parts[1] !== "" && parts[5] !== "")) return undefined;
  const [, before, whole = "", sign, places = "", behind] = parts;
  const isPoint = sign === undefined || sign === point;
  if (!isPoint || /[1-9]/.test(places.slice(decimals))) return undefined;
  const value = BigInt(`0${whole}${places.slice(0, decimals).padEnd(decimals, "0")}`);
  return before === "-" || behind === "-" ? -value : value;
}
