import { type DuckDBConnection, DuckDBInstance, type DuckDBType } from "@duckdb/node-api";
import { registerHostFunctions } from "../../packages/ingot/src/engine/duckdb/host-functions.js";
import { type Field, formatType } from "../../packages/ingot/src/model/data-type.js";
import { IngotError } from "../../packages/ingot/src/model/error.js";
import type { CompiledQuery } from "../../packages/ingot/src/model/query.js";
import { parseType } from "../../packages/ingot/src/sql/ddl-types.js";
import { quoteName } from "../../packages/ingot/src/sql/lower/lower-text.js";
import { conditionOf } from "../../packages/ingot/src/sql/run-condition.js";
import { SESSION_SETUP } from "../../packages/ingot/src/sql/session.js";
import { canonical, sparkTypeOf } from "./canonical.js";
import type { Case, Corpus, Rows, Setup } from "./corpus.js";
import { splitStatements, tableOf } from "./setup-statements.js";
import { type Tables, translate } from "./translate.js";

/** What the embedded engine makes of a case. */
export type Outcome =
  /** `types` are those of DuckDB, by Spark's names, beside the typed schema of the query. */
  | { readonly kind: "rows"; readonly rows: Rows; readonly types: readonly string[] }
  /** Before anything ran. */
  | { readonly kind: "refused"; readonly condition: string; readonly message: string }
  /** While it ran; without a condition where no value of the input is to blame. */
  | { readonly kind: "raised"; readonly condition?: string; readonly message: string }
  /** Neither: a fault of the translator, or a query without an end. */
  | { readonly kind: "crashed"; readonly message: string };

export interface Embedded {
  answer(test: Case): Promise<Outcome>;
  close(): void;
}

/** A query that does not end by then is interrupted. */
const LIMIT_MS = 30_000;

/** The translator and DuckDB, with a database for each setup of a corpus, made when a case first needs it. */
export function openEmbedded({ setups }: Pick<Corpus, "setups">): Embedded {
  const databases = new Map<string, Promise<Database>>();
  const databaseOf = (name: string): Promise<Database> => {
    const known = databases.get(name) ?? makeDatabase(name, setups.get(name));
    databases.set(name, known);
    return known;
  };
  const open = new Set<DuckDBConnection>();
  return {
    async answer(test) {
      try {
        checkSettings(test);
        const database = await databaseOf(test.setup);
        open.add(database.connection);
        return await run(database, test, translate(test.sql, database.tables));
      } catch (error) {
        if (error instanceof IngotError) return { kind: "refused", condition: error.code, message: error.message };
        return { kind: "crashed", message: messageOf(error) };
      }
    },
    close() {
      for (const connection of open) connection.closeSync();
    },
  };
}

interface Database {
  readonly connection: DuckDBConnection;
  readonly tables: Tables;
}

function checkSettings({ settings }: Case): void {
  const { ansi, ...others } = settings;
  const [name] = Object.keys(others);
  if (ansi !== undefined && String(ansi) !== "true") throw refusal("Queries run in ANSI mode only");
  if (name !== undefined) throw refusal(`The session's setting ${name} is not known`);
}

/** A database of its own that lowered queries can run on. */
export async function connect(): Promise<DuckDBConnection> {
  const connection = await (await DuckDBInstance.create(":memory:")).connect();
  await prepare(connection);
  return connection;
}

export async function prepare(connection: DuckDBConnection): Promise<void> {
  registerHostFunctions(connection);
  await connection.run(["SET TimeZone = 'UTC'", ...SESSION_SETUP].join(";"));
}

/** A database with the tables of a setup. @throws IngotError where the setup fails */
export async function makeDatabase(name: string, setup: Setup | undefined): Promise<Database> {
  const connection = await connect();
  // Cases that read no table need none.
  if (setup === undefined && name === "default") return { connection, tables: new Map() };
  try {
    if (setup?.duckdb !== undefined) await connection.run(setup.duckdb);
    else if (setup?.spark !== undefined) await translateSetup(connection, setup.spark);
    else throw new Error("the corpus does not say what is in it");
    return { connection, tables: await readTables(connection) };
  } catch (error) {
    connection.closeSync();
    throw refusal(`The setup ${name} failed: ${messageOf(error)}`);
  }
}

/** Runs `CREATE VIEW` and `CREATE TABLE … AS` of Spark's SQL: each as a table of what its query gives. */
async function translateSetup(connection: DuckDBConnection, script: string): Promise<void> {
  for (const statement of splitStatements(script)) {
    const { name, query } = tableOf(statement);
    const compiled = translate(query, await readTables(connection));
    await bindReads(connection, compiled);
    await connection.run(`CREATE OR REPLACE TABLE ${quoteName(name)} AS ${compiled.duckdb}`);
  }
}

export async function readTables(connection: DuckDBConnection): Promise<Tables> {
  const list = await connection.runAndReadAll("SELECT table_name FROM duckdb_tables() WHERE NOT temporary");
  const tables = new Map<string, Field[]>();
  for (const [name] of list.getRows()) {
    const result = await connection.run(`FROM ${quoteName(String(name))} LIMIT 0`);
    const types = result.columnTypes();
    const fields = result.columnNames().map((column, i) => toField(column, types[i]));
    tables.set(String(name).toLowerCase(), fields);
  }
  return tables;
}

function toField(name: string, type: DuckDBType | undefined): Field {
  return { name, type: parseType(type === undefined ? "void" : sparkTypeOf(type)), nullable: true };
}

/** Puts the tables where the lowered query reads them. */
export async function bindReads(connection: DuckDBConnection, { reads }: CompiledQuery): Promise<void> {
  for (const { id, ...relation } of reads) {
    if (relation.kind !== "table") throw refusal("A corpus has no files");
    const table = quoteName(relation.name.join("."));
    await connection.run(`CREATE OR REPLACE TEMP VIEW ${quoteName(id)} AS FROM memory.main.${table}`);
  }
}

async function run({ connection }: Database, { timeZone }: Case, compiled: CompiledQuery): Promise<Outcome> {
  try {
    await connection.run(`SET TimeZone = '${timeZone.replaceAll("'", "''")}'`);
  } catch (error) {
    throw refusal(`The time zone ${timeZone}: ${messageOf(error)}`);
  }
  await bindReads(connection, compiled);
  let expired = false;
  const timer = setTimeout(() => {
    expired = true;
    connection.interrupt();
  }, LIMIT_MS);
  try {
    const result = await connection.runAndReadAll(compiled.duckdb);
    const types = result.columnTypes();
    return {
      kind: "rows",
      rows: {
        columns: compiled.schema.map(({ name, type }) => ({ name, type: formatType(type) })),
        rows: result.getRows().map((row) => row.map((value, i) => canonical(value, types[i]))),
      },
      types: types.map(sparkTypeOf),
    };
  } catch (error) {
    if (expired) return { kind: "crashed", message: `the query did not end within ${LIMIT_MS / 1000} s` };
    const message = messageOf(error);
    const condition = conditionOf(message);
    return { kind: "raised", message, ...(condition === undefined ? {} : { condition }) };
  } finally {
    clearTimeout(timer);
  }
}

function refusal(message: string): IngotError {
  return new IngotError("NOT_SUPPORTED", message);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
