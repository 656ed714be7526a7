import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/**
 * A corpus: queries with Spark's answers, in the form of `fixtures/sql/corpus.json`, whose head says how values are
 * written. What a file leaves out has a default, so that a corpus may be as short as `{"cases": [{"sql": "SELECT 1"}]}`.
 */
export interface Corpus {
  readonly setups: ReadonlyMap<string, Setup>;
  readonly cases: readonly Case[];
}

/** Statements that make the tables of cases, for either engine; at least one of the two is there. */
export interface Setup {
  readonly spark?: string;
  readonly duckdb?: string;
}

export interface Case {
  readonly id: string;
  readonly sql: string;
  readonly setup: string;
  /** Settings of the session beside `timeZone`, by name. */
  readonly settings: Readonly<Record<string, unknown>>;
  readonly timeZone: string;
  /** Whether the order of the rows counts. */
  readonly ordered: boolean;
  /** Spark leaves some columns open, for this reason: those may differ in their values. */
  readonly open?: string;
  /** A text of Databricks', which Spark has no answer to. */
  readonly parseOnly: boolean;
  /** Undefined where Spark was not asked. */
  readonly answer?: Answer;
}

export type Answer = Rows | Failure;

export interface Rows {
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  readonly rows: readonly (readonly unknown[])[];
}

export interface Failure {
  /** Spark's name of the error; null for an error of Java's. */
  readonly condition: string | null;
  /** When it is raised; undefined where that was not written down. */
  readonly phase?: "analysis" | "runtime";
}

type Json = Readonly<Record<string, unknown>>;

/**
 * Reads a corpus. Beside its own setups there are those of a `corpus.json` in the same folder.
 *
 * @throws Error with the file's name where it is no corpus at all
 */
export function readCorpus(file: string): Corpus {
  const json = readJson(file);
  if (!isObject(json) || !Array.isArray(json["cases"])) throw new Error(`${file} has no list of "cases"`);
  const shared = join(dirname(file), "corpus.json");
  const corpus = toCorpus(json);
  const setups = existsSync(shared) ? toCorpus(readJson(shared)).setups : [];
  return { ...corpus, setups: new Map([...setups, ...corpus.setups]) };
}

/** A corpus of what its JSON says. */
export function toCorpus(json: unknown): Corpus {
  const { setups, cases } = isObject(json) ? json : {};
  return {
    setups: new Map(isObject(setups) ? Object.entries(setups).map(([name, setup]) => [name, readSetup(setup)]) : []),
    cases: Array.isArray(cases) ? cases.map(readCase) : [],
  };
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw new Error(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function readSetup(setup: unknown): Setup {
  // A text alone is Spark's.
  if (typeof setup === "string") return { spark: setup };
  if (!isObject(setup)) return {};
  const text = (value: unknown) => (Array.isArray(value) ? value.join(";\n") : value);
  const [spark, duckdb] = [text(setup["spark"]), text(setup["duckdb"])];
  return {
    ...(typeof spark === "string" ? { spark } : {}),
    ...(typeof duckdb === "string" ? { duckdb } : {}),
  };
}

function readCase(json: unknown, index: number): Case {
  const given = isObject(json) ? json : {};
  const session = isObject(given["session"]) ? given["session"] : {};
  const { timeZone, ...settings } = session;
  const parseOnly = given["usage"] === "parse-only";
  const answer = parseOnly ? undefined : readAnswer(given);
  const open = given["nondeterministic"];
  return {
    id: text(given["id"]) ?? `#${index + 1}`,
    sql: text(given["sql"]) ?? "",
    setup: text(given["setup"]) ?? "default",
    settings,
    timeZone: text(timeZone) ?? "UTC",
    ordered: given["ordered"] === true,
    parseOnly,
    ...(open === undefined || open === false ? {} : { open: String(open) }),
    ...(answer === undefined ? {} : { answer }),
  };
}

function readAnswer({ schema, rows, error, expect }: Json): Answer | undefined {
  if (isObject(error) || expect === "error") {
    const { condition, phase } = isObject(error) ? error : {};
    return {
      condition: text(condition) ?? null,
      ...(phase === "analysis" || phase === "runtime" ? { phase } : {}),
    };
  }
  if (!Array.isArray(schema) || !Array.isArray(rows) || !rows.every(Array.isArray)) return undefined;
  const columns = schema.map((c) => ({ name: text(isObject(c) ? c["name"] : c) ?? "", type: typeText(c) }));
  return { columns, rows };
}

function typeText(column: unknown): string {
  return (text(isObject(column) ? column["type"] : undefined) ?? "").toLowerCase();
}

function text(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
