import type { DuckDBConnection } from "@duckdb/node-api";
import type { Field } from "../../../model/data-type.js";
import { IngotError } from "../../../model/error.js";
import { positionAt, type SqlText } from "../../../model/position.js";
import type { Relation } from "../../../model/query.js";
import type { Compiler } from "../../../sql/compiler.js";
import { duckdbType, quoteName } from "../../../sql/lower/lower-text.js";
import type { DuckdbSession } from "../duckdb-session.js";
import { sparkType } from "../spark-type.js";
import { type ParsedQuery, readParsedQuery } from "./parsed-query.js";

/**
 * Reads and types queries that are DuckDB's own SQL, as DuckDB does: its parser says what they read, its binder which
 * columns they give. Each table that a query names stands for a relation, as in a translated one.
 */
export function createDialectCompiler(session: DuckdbSession): Compiler {
  const use = <T>(work: (connection: DuckDBConnection) => Promise<T>): Promise<T> =>
    session.use(new AbortController().signal, work);
  return {
    relations: (query) => use(async (connection) => relationsOf(query, await parse(connection, query))),
    compile: (query, schemas) =>
      use(async (connection) => {
        const parsed = await parse(connection, query);
        const reads = relationsOf(query, parsed);
        const duckdb = `SELECT * FROM (\n${renameTables(query, parsed, reads)}\n)`;
        return {
          reads,
          schema: await columnsOf(connection, query, duckdb, reads, schemas),
          duckdb,
          deterministic: !parsed.samples && (await areConsistent(connection, parsed.functions)),
          preservesRows: false,
          dialect: "duckdb",
        };
      }),
  };
}

async function parse(connection: DuckDBConnection, query: SqlText): Promise<ParsedQuery> {
  const text = "SELECT json_serialize_sql(CAST($text AS VARCHAR))";
  const answer = await connection.runAndReadAll(text, { text: query.text });
  return readParsedQuery(query, String(answer.getRows()[0]?.[0]));
}

function relationsOf(query: SqlText, { tables }: ParsedQuery): Relation[] {
  // A CTE of the user that is called like a relation would hide it.
  let prefix = "r";
  while (query.text.toLowerCase().includes(prefix)) prefix = `_${prefix}`;
  return tables.map(({ name, start }, i) => ({
    kind: "table",
    id: `${prefix}${i}`,
    stream: false,
    name,
    at: positionAt(query, start),
  }));
}

/** The text with the relations' ids for the names of tables, which stay as aliases. */
function renameTables({ text }: SqlText, { tables }: ParsedQuery, reads: readonly Relation[]): string {
  let renamed = text.replace(/;\s*$/, "");
  // From the end on, so that the places before stay.
  for (const [i, { name, start, end, hasAlias }] of [...tables.entries()].sort(([, a], [, b]) => b.start - a.start)) {
    const alias = hasAlias ? "" : ` AS ${quoteName(name.at(-1) ?? "")}`;
    renamed = `${renamed.slice(0, start)}${quoteName(reads[i]?.id ?? "")}${alias}${renamed.slice(end)}`;
  }
  return renamed;
}

/**
 * The columns that DuckDB finds, before anything runs.
 *
 * @throws IngotError DIALECT_QUERY_INVALID with DuckDB's words; NOT_SUPPORTED for a column of a type that Spark lacks
 */
async function columnsOf(
  connection: DuckDBConnection,
  query: SqlText,
  duckdb: string,
  reads: readonly Relation[],
  schemas: ReadonlyMap<string, readonly Field[]>,
): Promise<Field[]> {
  const at = positionAt(query, 0);
  const inputs = reads.map(({ id }) => `${quoteName(id)} AS (${emptyRows(schemas.get(id) ?? [])})`);
  const statement = await connection
    .prepare(`${inputs.length === 0 ? "" : `WITH ${inputs.join(", ")} `}${duckdb}`)
    .catch((cause: Error) => {
      const [message = ""] = cause.message.split("\n\nLINE ");
      throw new IngotError(
        "DIALECT_QUERY_INVALID",
        `DuckDB refuses the query: ${message.replaceAll(/\s*\n\s*/g, " ")}`,
        {
          at,
          hint: "The dataset has `dialect` duckdb, so its query is DuckDB's own SQL.",
          cause,
        },
      );
    });
  return Array.from({ length: statement.columnCount }, (_, i): Field => {
    const [name, own] = [statement.columnName(i), statement.columnType(i)];
    const type = sparkType(own);
    if (type !== undefined) return { name, type, nullable: true };
    throw new IngotError(
      "NOT_SUPPORTED",
      `The column ${name} is ${own.alias ?? String(own)}, a type that Spark lacks`,
      {
        at,
        object: name,
        hint: "Cast it: to VARCHAR, to BIGINT, or a sum of whole numbers to DECIMAL(38, 0).",
      },
    );
  });
}

function emptyRows(fields: readonly Field[]): string {
  const columns = fields.map(({ name, type }) => `CAST(NULL AS ${duckdbType(type)}) AS ${quoteName(name)}`);
  return `SELECT ${columns.length === 0 ? "1" : columns.join(", ")} WHERE false`;
}

/** Whether all functions give the same for the same arguments; of a macro that is not known. */
async function areConsistent(connection: DuckDBConnection, names: ReadonlySet<string>): Promise<boolean> {
  const known = await connection.runAndReadAll(
    "SELECT DISTINCT lower(function_name) FROM duckdb_functions() WHERE function_type IN ('scalar', 'aggregate', 'macro') AND stability IS DISTINCT FROM 'CONSISTENT'",
  );
  return !known.getRows().some(([name]) => names.has(String(name)));
}
