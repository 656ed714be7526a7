import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import type { Field } from "../../../model/data-type.js";
import type { FileRead } from "../../../model/file-read.js";
import { columnNames } from "../../../sources/files/column-names.js";
import { inspectFile } from "../../../sources/files/inspect-file.js";
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

  /**
   * @param contents by name
   * @param more columns that no file has; with a declared schema all columns are the schema's
   */
  async read(
    contents: Readonly<Record<string, string | Buffer>>,
    read: FileRead,
    query = 'SELECT * EXCLUDE (_metadata, "_metadata.content_hash") FROM ?',
    more: readonly Field[] = [],
  ) {
    const files: LocatedFile[] = [];
    for (const [name, content] of Object.entries(contents)) {
      writeFileSync(join(this.folder, name), content);
      files.push(await this.#copies.locate(await inspectFile(join(this.folder, name), read)));
    }
    const columns = read.schema ?? [
      ...columnsOf(
        files.map((file) => file.fields ?? []),
        read,
      ),
      ...more,
    ];
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

function columnsOf(files: readonly (readonly Field[])[], { cleanColumnNames }: FileRead): Field[] {
  const columns = new Map<string, Field>();
  for (const fields of files) {
    const names = columnNames(
      fields.map(({ name }) => name),
      { clean: cleanColumnNames },
    );
    for (const [i, name] of names.entries()) {
      const field = fields[i];
      if (field !== undefined && !columns.has(name.toLowerCase())) columns.set(name.toLowerCase(), { ...field, name });
    }
  }
  return [...columns.values()];
}
