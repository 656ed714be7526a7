import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import type { DataType, Field } from "../../../model/data-type.js";
import type { FileRead } from "../../../model/file-read.js";
import { inspectFile } from "../../../sources/files/inspect-file.js";
import { sourceColumns } from "../../../sources/files/source-columns.js";
import { quoteName } from "../../../sql/lower/lower-text.js";
import { SESSION_SETUP } from "../../../sql/session.js";
import { registerHostFunctions } from "../host-functions.js";
import { registerFileFunctions } from "./file-functions.js";
import { countDropped, filesRelation } from "./files-relation.js";
import type { LocatedFile } from "./located-file.js";
import { TextCopies } from "./text-copies.js";

/** For tests: writes files, looks at them and reads them with DuckDB, as a run does. */
export class TestFiles {
  readonly folder = mkdtempSync(join(tmpdir(), "ingot-files-"));
  readonly #copies = new TextCopies(join(this.folder, "_copies"));
  #connection: DuckDBConnection | undefined;

  async open(): Promise<void> {
    this.#connection = await (
      await DuckDBInstance.create(":memory:", { threads: "2", enable_external_file_cache: "false" })
    ).connect();
    await this.#connection.run("SET TimeZone = 'UTC'");
    registerHostFunctions(this.#connection);
    await this.#connection.run(SESSION_SETUP.join(";"));
    await registerFileFunctions(this.#connection);
  }

  close(): void {
    this.#connection?.closeSync();
    rmSync(this.folder, { recursive: true });
  }

  /** @param contents by name */
  async read(
    contents: Readonly<Record<string, string | Buffer>>,
    read: FileRead,
    query = 'SELECT * EXCLUDE (_metadata, "_metadata.content_hash") FROM ?',
  ) {
    const files: LocatedFile[] = [];
    for (const [name, content] of Object.entries(contents)) {
      writeFileSync(join(this.folder, name), content);
      files.push(await this.#copies.locate(await inspectFile(join(this.folder, name), read)));
    }
    const columns = read.schema ?? sourceColumns(read, undefined, files).columns;
    const rowNumber = query.includes("_metadata.row_number");
    try {
      const sql = query.replace(
        "FROM ?",
        () => `FROM (${filesRelation(read, columns, files, { rowNumber, lineNumber: true })})`,
      );
      const isText = read.format !== "parquet" && read.format !== "binaryFile";
      const drops = isText && read.mode === "DROPMALFORMED";
      const dropped = drops ? (await this.query(countDropped(read, columns, files))).rows[0]?.[0] : 0n;
      const records = files.reduce((sum, file) => sum + file.records, 0);
      return { ...(await this.query(sql)), records, dropped: Number(dropped), files };
    } finally {
      await this.#copies.remove();
    }
  }

  async query(sql: string) {
    const result = await this.#connection?.runAndReadAll(sql);
    return { names: result?.columnNames() ?? [], rows: result?.getRowsJson() ?? [] };
  }
}

/** A column as text, in the form of the fixtures of Spark's answers. */
export function asText({ name, type }: Field): string {
  const column = quoteName(name);
  const texts: Partial<Record<DataType["kind"], string>> = {
    binary: `hex(${column})`,
    timestamp: `epoch_us(${column})`,
    timestamp_ntz: `epoch_us(${column})`,
    date: `${column} - DATE '1970-01-01'`,
    float: `${column}::DOUBLE`,
    // DuckDB leaves out the zero before the point where no digit can stand there.
    decimal: `regexp_replace(${column}::VARCHAR, '^(-?)\\.', '\\10.')`,
  };
  // Behind a point, since node-api loses a byte order mark at the start of a text.
  return `'.' || (${texts[type.kind] ?? column})::VARCHAR`;
}
