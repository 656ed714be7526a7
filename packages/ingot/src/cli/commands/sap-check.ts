import { rm } from "node:fs/promises";
import { bindQuery } from "../../graph/build.js";
import type { Graph } from "../../graph/graph.js";
import { EXIT } from "../../model/error-catalogue.js";
import { quoteIdentifier } from "../../model/name.js";
import { sqlText } from "../../model/position.js";
import { checkHeader, type HeaderFindings, type ValueCheck, valueChecks } from "../../sap/dictionary/check-extract.js";
import { openDictionary } from "../../sap/dictionary/dictionary.js";
import { keyOf } from "../../sap/dictionary/table.js";
import { loadDictionary } from "../../sources/sap/load-source.js";
import { quoteString } from "../../sql/quote.js";
import type { Io, ProjectOptions } from "../io.js";
import { openTools } from "../open-project.js";
import { runQuery, whereToQuery } from "./query.js";
import { findSource, findTable } from "./sap-dictionary.js";

export interface CheckOptions extends ProjectOptions {
  readonly table: string;
  readonly source?: string;
  readonly format: "csv" | "json" | "parquet";
  readonly sep: string;
  /** Faulty rows shown of each kind. */
  readonly limit: number;
}

/** Values of one column that are at fault for one reason. */
interface Finding {
  readonly column: string;
  readonly reason: string;
  readonly count: number;
  /** Some of the rows: the fields of the key that are there, and the value. */
  readonly rows: readonly Readonly<Record<string, unknown>>[];
}

interface Report extends HeaderFindings {
  readonly table: string;
  readonly rows: number;
  readonly findings: readonly Finding[];
}

/** Reads what an extract has, as JSON rows or as text. */
type Ask = (query: string, limit?: number) => Promise<readonly (readonly unknown[])[]>;

/** `ingot sap check FILES --table T`: an extract against the dictionary. Needs no project. */
export async function check(files: string, options: CheckOptions, io: Io): Promise<number> {
  const place = await whereToQuery(options, io);
  const { engine, context, landing } = openTools(place.places, place.definitions, place.sources);
  try {
    const source = findSource(place.spec, options.source);
    const dictionary = source === undefined ? await openDictionary("ecc") : await loadDictionary(source);
    const table = findTable(dictionary, options.table);
    const graph: Graph = { defaults: place.places, nodes: [], externals: [], warnings: [] };
    const bind = (query: string) => bindQuery(sqlText(query, "the check"), graph, context);
    const ask: Ask = async (query, limit) =>
      (await runQuery((await bind(query)).flow, { engine, landing }, limit)).rows;
    const relation = readText(files, options, source?.encoding);
    const columns = (await bind(`SELECT * FROM ${relation}`)).flow.query.schema;
    const checks = valueChecks(table, columns, source);
    const counts = await countFaults(ask, relation, checks);
    const keys = keyOf(table).flatMap((key) => columns.filter(({ name }) => name.toUpperCase() === key));
    const findings: Finding[] = [];
    for (const [i, { column, reason, fails }] of checks.entries()) {
      const count = counts.faults[i] ?? 0;
      if (count > 0)
        findings.push({
          column,
          reason,
          count,
          rows: await faultyRows(ask, relation, fails, [...keys.map((k) => k.name), column], options.limit),
        });
    }
    const report: Report = {
      table: table.name,
      rows: counts.rows,
      ...checkHeader(table, columns, source),
      findings,
    };
    io.stdout.write(options.json === true ? `${JSON.stringify(report)}\n` : toText(report));
    return report.missingKeys.length > 0 || findings.length > 0 ? EXIT.qualityFailed : EXIT.ok;
  } finally {
    await engine.close();
    if (place.temporary !== undefined) await rm(place.temporary, { recursive: true, force: true });
  }
}

/** The files with every value as the text that they hold. */
function readText(files: string, { format, sep }: CheckOptions, encoding = "UTF-8"): string {
  const csv =
    format === "csv"
      ? [`header => true, inferColumnTypes => false, sep => ${quoteString(sep)}, encoding => ${quoteString(encoding)}`]
      : [];
  return `read_files(${[quoteString(files), `format => '${format}'`, ...csv].join(", ")})`;
}

async function countFaults(ask: Ask, relation: string, checks: readonly ValueCheck[]) {
  const counts = checks.map(({ fails }, i) => `count_if(${fails}) AS f${i}`);
  const [row = []] = await ask(`SELECT ${["count(*) AS n", ...counts].join(", ")} FROM ${relation}`);
  const [rows = 0, ...faults] = row.map(Number);
  return { rows, faults };
}

async function faultyRows(ask: Ask, relation: string, fails: string, names: readonly string[], limit: number) {
  const columns = [...new Set(names)];
  const rows = await ask(`SELECT ${columns.map(quoteIdentifier).join(", ")} FROM ${relation} WHERE ${fails}`, limit);
  return rows.map((row) => Object.fromEntries(columns.map((name, i) => [name, row[i]])));
}

function toText({ table, rows, missingKeys, unknown, changes, missing, findings }: Report): string {
  const list = (label: string, names: readonly string[]) =>
    names.length === 0 ? [] : [`${label}: ${names.join(", ")}`];
  const shown = (row: Finding["rows"][number]) =>
    Object.entries(row)
      .map(([name, value]) => `${name}=${value === null ? "NULL" : JSON.stringify(value)}`)
      .join(" ");
  return [
    `${table}: ${rows} rows`,
    ...list("key missing", missingKeys),
    ...list("not in the dictionary", unknown),
    ...list("change columns", changes),
    ...list("not in the extract", missing),
    ...findings.flatMap(({ column, reason, count, rows: some }) => [
      `${reason} in ${column}: ${count}`,
      ...some.map((row) => `  ${shown(row)}`),
    ]),
    ...(missingKeys.length + findings.length === 0 ? ["No faults."] : []),
    "",
  ].join("\n");
}
