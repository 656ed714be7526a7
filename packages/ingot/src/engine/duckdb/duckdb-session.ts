import { setMaxListeners } from "node:events";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { SESSION_SETUP } from "../../sql/session.js";

/** Times are UTC: Parquet statistics and the text of timestamps are read that way. Settings are each connection's own. */
const SETTINGS = "SET TimeZone = 'UTC'";

/** DuckDB, started when the first query comes: an unchanged project never loads it. */
export class DuckdbSession {
  readonly #temporary: string;
  #instance: Promise<DuckDBInstance> | undefined;
  #files: Promise<void> | undefined;
  readonly #idle: DuckDBConnection[] = [];

  /** @param storage spills go below it, never to the working folder */
  constructor(storage: string) {
    this.#temporary = join(storage, "_tmp");
  }

  /** Makes the functions known that reading files needs: once, for all connections. */
  async needFiles(connection: DuckDBConnection): Promise<void> {
    this.#files ??= import("./files/file-functions.js").then(({ registerFileFunctions }) =>
      registerFileFunctions(connection),
    );
    await this.#files;
  }

  /** Runs work on a connection of its own; an abort interrupts its statement. */
  async use<T>(signal: AbortSignal, work: (connection: DuckDBConnection) => Promise<T>): Promise<T> {
    signal.throwIfAborted();
    const connection = this.#idle.pop() ?? (await this.#connect());
    const interrupt = () => connection.interrupt();
    // Each statement under way listens, and Node warns of more than ten.
    setMaxListeners(0, signal);
    signal.addEventListener("abort", interrupt);
    try {
      signal.throwIfAborted();
      const result = await work(connection);
      this.#idle.push(connection);
      return result;
    } catch (error) {
      connection.closeSync();
      throw error;
    } finally {
      signal.removeEventListener("abort", interrupt);
    }
  }

  async close(): Promise<void> {
    for (const connection of this.#idle.splice(0)) connection.closeSync();
    (await this.#instance)?.closeSync();
    this.#instance = undefined;
  }

  async #connect(): Promise<DuckDBConnection> {
    this.#instance ??= this.#start();
    const connection = await (await this.#instance).connect();
    await connection.run(SETTINGS);
    return connection;
  }

  async #start(): Promise<DuckDBInstance> {
    const { duckdb } = await import("./node-api.js");
    const { registerHostFunctions } = await import("./host-functions.js");
    mkdirSync(this.#temporary, { recursive: true });
    const instance = await duckdb.DuckDBInstance.create(":memory:", {
      temp_directory: this.#temporary,
      // No network and nothing installed at run time.
      autoinstall_known_extensions: "false",
      autoload_known_extensions: "false",
      // It takes a file that was written again within a second, in the same length, for the one of before.
      enable_external_file_cache: "false",
    });
    const connection = await instance.connect();
    registerHostFunctions(connection);
    await connection.run(SESSION_SETUP.join(";"));
    connection.closeSync();
    return instance;
  }
}
