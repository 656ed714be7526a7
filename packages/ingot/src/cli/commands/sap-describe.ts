import { findSpec } from "../../config/find-spec.js";
import { readSpec, type Spec } from "../../config/spec.js";
import { IngotError } from "../../model/error.js";
import type { Release } from "../../sap/conventions.js";
import { openDictionary } from "../../sap/dictionary/dictionary.js";
import { clientOf, type DictionaryField, type DictionaryTable, keyOf, languageOf } from "../../sap/dictionary/table.js";
import { loadDictionary } from "../../sources/sap/load-source.js";
import { coloursFor } from "../colour.js";
import type { Io, ProjectOptions } from "../io.js";
import { findSource, findTable } from "./sap-dictionary.js";

export interface DescribeOptions extends ProjectOptions {
  readonly source?: string;
  readonly release?: Release;
}

/** `ingot sap describe [TABLE]`: a table of the dictionary, or the names of all. Needs no project. */
export async function describe(name: string | undefined, options: DescribeOptions, io: Io): Promise<number> {
  const source = options.release === undefined ? findSource(await specHere(options, io), options.source) : undefined;
  const release = options.release ?? source?.conventions.release ?? "ecc";
  const dictionary = source === undefined ? await openDictionary(release) : await loadDictionary(source);
  const tables = name === undefined ? dictionary.names : [name];
  const found = tables.map((table) => findTable(dictionary, table));
  const isJson = options.json === true;
  if (name === undefined) {
    const list = found.map((table) => ({ name: table.name, description: table.description }));
    io.stdout.write(isJson ? `${JSON.stringify({ release, tables: list })}\n` : listText(list));
    return 0;
  }
  for (const table of found)
    io.stdout.write(isJson ? `${JSON.stringify(toJson(table, release))}\n` : toText(table, release, io));
  return 0;
}

/** The spec of the project here; undefined where there is none and none was named. */
async function specHere(options: ProjectOptions, io: Io): Promise<Spec | undefined> {
  try {
    return await readSpec(findSpec({ ...options, cwd: io.cwd }), options.set);
  } catch (error) {
    const missing = error instanceof IngotError && error.code === "PIPELINE_SPEC_FILE_NOT_FOUND";
    if (missing && options.project === undefined) return undefined;
    throw error;
  }
}

function toJson(table: DictionaryTable, release: Release): object {
  const [client, language] = [clientOf(table), languageOf(table)];
  return {
    name: table.name,
    release,
    description: table.description,
    ...(table.note === undefined ? {} : { note: table.note }),
    key: keyOf(table),
    ...(client === undefined ? {} : { client }),
    ...(language === undefined ? {} : { language }),
    fields: table.fields,
  };
}

function listText(tables: readonly { readonly name: string; readonly description: string }[]): string {
  const wide = Math.max(...tables.map(({ name }) => name.length));
  return tables.map(({ name, description }) => `${name.padEnd(wide)}  ${description}\n`).join("");
}

function toText(table: DictionaryTable, release: Release, io: Io): string {
  const colours = coloursFor(io.stdout, io.env);
  const rows = table.fields.map((field) => [field.key ? "key" : "", field.name, typeText(field), aboutText(field)]);
  const widths = [0, 1, 2].map((i) => Math.max(...rows.map((row) => row[i]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    `  ${row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join("  ")}`.trimEnd();
  return [
    `${colours.bold(table.name)} ${table.description} ${colours.dim(release)}`,
    ...(table.note === undefined ? [] : [colours.dim(table.note)]),
    ...rows.map(line),
    "",
  ].join("\n");
}

/** `CURR 13.2` */
function typeText({ type, length, decimals }: DictionaryField): string {
  const size = length === undefined ? "" : ` ${length}${decimals === undefined ? "" : `.${decimals}`}`;
  return `${type}${size}`;
}

function aboutText({ reference, description, values }: DictionaryField): string {
  const place = reference?.table === undefined ? "" : `${reference.table}-`;
  return [
    ...(reference === undefined ? [] : [`in ${place}${reference.field}`]),
    ...(description === undefined ? [] : [description]),
    ...(values === undefined
      ? []
      : [values.map(({ value, text }) => `${value === "" ? "blank" : value} ${text}`).join(", ")]),
  ].join("; ");
}
