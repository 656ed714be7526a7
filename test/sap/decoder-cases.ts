import { readFileSync } from "node:fs";
import type { DataType } from "../../packages/ingot/src/model/data-type.js";
import { SAP_DEFAULTS, type SourceConventions, type Sources } from "../../packages/ingot/src/sap/conventions.js";
import { DECODERS } from "../../packages/ingot/src/sap/decoders/all.js";
import { FORMS, type Form, functionName } from "../../packages/ingot/src/sap/decoders/forms.js";
import { parseType } from "../../packages/ingot/src/sql/ddl-types.js";

/** Values that one use of a decoder reads, as SQL literals, and what comes of each. */
export interface DecoderCase {
  readonly decoder: string;
  /** Types of the values, in Spark's words. */
  readonly types: readonly string[];
  readonly constants: Readonly<Record<string, string | number>>;
  readonly rows: readonly DecoderRow[];
  /** The source of the values, where not SAP's own conventions hold. */
  readonly source?: SourceConventions;
}

export interface DecoderRow {
  readonly values: readonly string[];
  /** The value as a text, or the reason why there is none. Left out where Spark alone is asked. */
  readonly gives?: string | null | { readonly reason: string };
}

const FIXTURE = new URL("../fixtures/sap/vectors.json", import.meta.url);

type Vector = Readonly<Record<string, string | number | null>>;

/** The vectors that came with the specification. */
export const VECTORS: Readonly<Record<string, readonly Vector[]>> = JSON.parse(readFileSync(FIXTURE, "utf8"));

export const text = (value: string) => `'${value.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;

function given(vector: Vector): NonNullable<DecoderRow["gives"]> | null {
  const { out, err } = vector;
  if (typeof err === "string") return { reason: err };
  return out === null || out === undefined ? null : String(out);
}

/** Each vector as a case of its own: they have constants of their own. */
export const VECTOR_CASES: readonly DecoderCase[] = [
  ...vectors("number", (v) => ({
    precision: Number(v["len"] ?? 15),
    scale: Number(v["dec"]),
    format: String(v["fmt"]),
  })),
  ...vectors("date", (v) => ({ format: String(v["fmt"]) })),
  ...vectors("time", () => ({})),
  ...vectors("packed", (v) => ({ precision: String(v["hex"]).length - 1, scale: Number(v["dec"]) })),
  ...vectors("gdatu", () => ({})),
  ...vectors("alpha", (v) => ({ length: Number(v["len"]) })),
  ...(VECTORS["tcurx"] ?? []).map((v) => ({
    decoder: "curr",
    types: ["DECIMAL(13,2)", "INT"],
    constants: {},
    rows: [
      { values: [String(v["stored"]), v["currdec"] === null ? "NULL" : String(v["currdec"])], gives: twoDecimals(v) },
    ],
  })),
  ...(VECTORS["rate"] ?? []).map((v) => ({
    decoder: "convert",
    types: ["DECIMAL(15,2)", "DECIMAL(9,5)", "INT", "INT"],
    constants: { decimals: 2 },
    rows: [{ values: [v["from"], v["ukurs"], v["ffact"], v["tfact"]].map(String), gives: String(v["out"]) }],
  })),
];

function vectors(decoder: string, constants: (vector: Vector) => DecoderCase["constants"]): DecoderCase[] {
  return (VECTORS[decoder] ?? []).map((vector) => ({
    decoder,
    types: ["STRING"],
    constants: constants(vector),
    rows: [{ values: [text(String(vector["in"] ?? vector["hex"]))], gives: given(vector) }],
  }));
}

/** The vectors leave out decimals that are 0; the amounts here have two. */
function twoDecimals(vector: Vector): string {
  const [whole = "", decimals = ""] = String(vector["out"]).split(".");
  return `${whole}.${decimals.padEnd(2, "0").slice(0, 2)}`;
}

/**
 * A query of Spark SQL that gives, for each row of a case, its number, its value as a text, and its reason.
 *
 * @param as "call": by the functions' names, which our translator knows; "expansion": by what they stand for, which
 *   Spark knows too
 */
export function caseQuery(test: DecoderCase, as: "call" | "expansion"): string {
  const columns = test.types.map((_, i) => `v${i}`);
  const rows = test.rows.map(({ values }, i) => `(${[i, ...values].join(", ")})`);
  const typed = columns.map((name, i) => `CAST(${name} AS ${test.types[i]}) AS ${name}`);
  const relation = `SELECT n, ${typed.join(", ")} FROM VALUES ${rows.join(", ")} AS t(n, ${columns.join(", ")})`;
  const give = (form: Form) => (as === "call" ? callText(test, form, columns) : expansion(test, form, columns));
  return `SELECT n, CAST(${give("lenient")} AS STRING) AS value, ${give("reason")} AS reason FROM (${relation}) ORDER BY n`;
}

/** The sources of a project that has this one alone. */
export function sourcesOf({ source }: Pick<DecoderCase, "source">): Sources | undefined {
  return source === undefined ? undefined : new Map([["ecc", source]]);
}

function callText({ decoder, constants }: DecoderCase, form: Form, columns: readonly string[]): string {
  const named = Object.entries(constants).map(([name, c]) => `${name} => ${typeof c === "string" ? text(c) : c}`);
  return `${functionName(decoder, form)}(${[...columns, ...named].join(", ")})`;
}

function expansion(test: DecoderCase, form: Form, columns: readonly string[]): string {
  const { decoder, types, constants, source = SAP_DEFAULTS } = test;
  const known = DECODERS[decoder];
  if (known === undefined) throw new Error(`there is no decoder ${decoder}`);
  const given = Object.entries(constants);
  const fixed = known.values.slice(columns.length).map(({ name }) => constants[name] ?? "");
  const decoded = known.decode({
    values: [
      ...columns.map((sql, i) => ({ sql, type: parseType(types[i] ?? "") as DataType })),
      ...fixed.map((value) =>
        typeof value === "string"
          ? { sql: text(value), type: parseType("STRING"), text: value }
          : { sql: String(value), type: parseType("INT"), number: value },
      ),
    ],
    texts: Object.fromEntries(given.filter((e): e is [string, string] => typeof e[1] === "string")),
    numbers: Object.fromEntries(given.filter((e): e is [string, number] => typeof e[1] === "number")),
    source,
  });
  return FORMS[form](decoded, known, functionName(decoder, form), columns[0] ?? "");
}
