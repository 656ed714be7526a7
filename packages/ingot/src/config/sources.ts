import { resolve } from "node:path";
import { findEncoding } from "../model/encodings.js";
import { IngotError, throwAll } from "../model/error.js";
import type { Position } from "../model/position.js";
import { NUMBER_FORMATS, SAP_DEFAULTS, type SpokenConventions } from "../sap/conventions.js";
import { dateSql } from "../sap/decoders/date.js";
import { DecoderFault } from "../sap/decoders/decoder.js";
import type { Landing } from "../sap/system.js";
import type { YamlMap } from "./yaml.js";

/** A source of the spec: its conventions, and files that say more about it, not read yet. */
export interface SourceSpec {
  readonly name: string;
  readonly conventions: SpokenConventions;
  /** Encoding of its files, as `findEncoding` gives it. */
  readonly encoding: string;
  /** Its own TCURX. */
  readonly currencies?: NamedFile;
  /** Its own T006 and T006A. */
  readonly units?: readonly NamedFile[];
  readonly landing?: Landing;
  /** Extracts of its own ABAP dictionary. */
  readonly dictionary: readonly NamedFile[];
}

/** A file that the spec names. */
export interface NamedFile {
  readonly path: string;
  readonly at: Position;
}

const KEYS = [
  "landing",
  "files",
  "release",
  "client",
  "dates",
  "numbers",
  "blanks",
  "amounts",
  "keys",
  "materials",
  "codepage",
];
const FILE_KEYS = ["currencies", "units", "dictionary"];

/** Stands in the place of a client. */
const ALL_CLIENTS = "all";

/** SAP's code pages, by number. */
const CODEPAGES: Readonly<Record<string, string>> = {
  "1100": "ISO-8859-1",
  "1160": "windows-1252",
  "1401": "ISO-8859-2",
  "1500": "ISO-8859-5",
  "4102": "UTF-16BE",
  "4103": "UTF-16LE",
  "4110": "UTF-8",
  "8000": "Shift_JIS",
};

/** The key `sources`. @throws IngotError PIPELINE_SPEC_… with the place, all faults of a source at once */
export function readSources(map: YamlMap, root: string): SourceSpec[] {
  const sources = Object.entries(map.maps("sources") ?? {}).map(([name, source]) => readSource(name, source, root));
  const names = sources.map(({ name }) => name.toLowerCase());
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice === undefined) return sources;
  throw new IngotError("PIPELINE_SPEC_INVALID_VALUE", `\`sources.${twice}\` is there twice`, {
    at: map.at("sources"),
    object: `sources.${twice}`,
    hint: "Names of sources are compared without case: keep one of them.",
  });
}

function readSource(name: string, map: YamlMap, root: string): SourceSpec {
  if (!/^\w+$/.test(name))
    throw new IngotError("PIPELINE_SPEC_INVALID_VALUE", `\`sources.${name}\` is no name of a source`, {
      at: map.at(),
      object: `sources.${name}`,
      hint: "A name has letters, digits and _ alone.",
    });
  map.refuseUnknown([...KEYS, ...FILE_KEYS]);
  const wrong = (key: string, what: string, hint: string) =>
    new IngotError("PIPELINE_SPEC_INVALID_VALUE", `\`sources.${name}.${key}\` ${what}`, {
      at: map.at(key),
      object: `sources.${name}.${key}`,
      hint,
    });
  const errors: IngotError[] = [];
  const read = <T>(get: () => T): T | undefined => {
    try {
      return get();
    } catch (error) {
      if (!(error instanceof IngotError)) throw error;
      errors.push(error);
      return undefined;
    }
  };
  const release = read(() => map.oneOf("release", ["ecc", "s4"]) ?? missing(name, map));
  const client = read(() => {
    const text = map.text("client");
    if (text === undefined || text === ALL_CLIENTS || /^\d{3}$/.test(text)) return text;
    throw wrong(
      "client",
      `is ${text}`,
      'A client has three digits: "100". Where the rows of all are wanted, write all.',
    );
  });
  const dates = read(() => {
    const text = map.text("dates");
    if (text === undefined) return undefined;
    try {
      dateSql("x", text);
      return text;
    } catch (error) {
      throw error instanceof DecoderFault ? wrong("dates", `is ${text}`, error.hint) : error;
    }
  });
  const formats = Object.keys(NUMBER_FORMATS) as (keyof typeof NUMBER_FORMATS)[];
  const numbers = read(() => map.oneOf("numbers", formats));
  const blanks = read(() => map.oneOf("blanks", ["null", "zero"]));
  const amounts = read(() => map.oneOf("amounts", ["raw", "shifted"]));
  const keys = read(() => map.oneOf("keys", ["padded", "stripped"]));
  const materials = read(() => map.oneOf("materials", ["short", "long"]));
  const landing = read((): Omit<Landing, "encoding"> | undefined => {
    const path = map.text("landing");
    const format = map.oneOf("files", ["csv", "json", "parquet"]);
    if (path === undefined && format !== undefined)
      throw wrong("files", "is the format of `landing`, which is not there", "Add `landing: landing/{table}`.");
    if (path === undefined) return undefined;
    if (/\{(table|TABLE)\}/.test(path)) return { path, format: format ?? "parquet" };
    throw wrong("landing", `is ${path}`, "Write where the table's name stands in it: landing/{table}, or {TABLE}.");
  });
  const encoding = read(() => {
    const text = map.text("codepage") ?? "UTF-8";
    const found = findEncoding(CODEPAGES[text] ?? text);
    if (found !== undefined) return found;
    throw wrong("codepage", `is ${text}`, `Write one of ${Object.keys(CODEPAGES).join(", ")}, or an encoding's name.`);
  });
  const currencies = read(() => {
    const path = map.text("currencies");
    return path === undefined ? undefined : { path: resolve(root, path), at: map.at("currencies") };
  });
  const files = (key: string, example: string) =>
    map.items(key)?.map(({ value, at }) => {
      if (typeof value === "string") return { path: resolve(root, value), at };
      throw new IngotError("PIPELINE_SPEC_INVALID_VALUE", `\`sources.${name}.${key}\` holds what is no file`, {
        at,
        object: `sources.${name}.${key}`,
        hint: `Write paths: ${example}.`,
      });
    });
  const units = read(() => files("units", "[ddic/t006.csv, ddic/t006a.csv]"));
  const dictionary = read(() => files("dictionary", "[ddic/dd03l.csv, ddic/dd04t.csv]"));
  throwAll(errors);
  return {
    name,
    conventions: {
      release: release ?? SAP_DEFAULTS.release,
      ...(client === undefined ? {} : client === ALL_CLIENTS ? { severalClients: true } : { client }),
      dates: dates ?? SAP_DEFAULTS.dates,
      numbers: numbers ?? SAP_DEFAULTS.numbers,
      blanks: blanks ?? SAP_DEFAULTS.blanks,
      amounts: amounts ?? SAP_DEFAULTS.amounts,
      keys: keys ?? SAP_DEFAULTS.keys,
      materials: materials === "long" ? 40 : 18,
    },
    encoding: encoding ?? "UTF-8",
    ...(currencies === undefined ? {} : { currencies }),
    ...(units === undefined ? {} : { units }),
    ...(landing === undefined ? {} : { landing: { ...landing, encoding: encoding ?? "UTF-8" } }),
    dictionary: dictionary ?? [],
  };
}

function missing(name: string, map: YamlMap): never {
  throw new IngotError("PIPELINE_SPEC_MISSING_REQUIRED_FIELD", `The spec lacks \`sources.${name}.release\``, {
    at: map.at(),
    object: `sources.${name}.release`,
    hint: "Write `release: ecc` or `release: s4`.",
  });
}
