import { createReadStream } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { quoteText } from "../../../sql/lower/lower-text.js";
import { DuckdbSession } from "../duckdb-session.js";
import { quotePath } from "../quote-path.js";

/**
 * Writes files of JSON lines anew as Parquet, beside the old ones and in their place: `a.json` becomes `a.parquet`. All
 * lines of a file have the same names, and values that are texts; each becomes a column of texts. One file at a time is
 * read, as a stream.
 *
 * @param folder what the paths are relative to
 */
export async function linesToParquet(folder: string, paths: Iterable<string>): Promise<void> {
  const session = new DuckdbSession(folder);
  try {
    await session.use(new AbortController().signal, async (connection) => {
      for (const path of paths) {
        const [from, to] = [join(folder, path), join(folder, path.replace(/json$/, "parquet"))];
        const columns = (await namesIn(from)).map((name) => `${quoteText(name)}: 'VARCHAR'`);
        const lines = `read_json(${quotePath(from)}, format = 'newline_delimited', columns = {${columns.join(", ")}})`;
        await connection.run(`COPY (FROM ${lines}) TO ${quoteText(to)} (FORMAT parquet)`);
        await rm(from);
      }
    });
  } finally {
    await session.close();
    await rm(join(folder, "_tmp"), { recursive: true, force: true });
  }
}

/** The names in the first line. */
async function namesIn(path: string): Promise<string[]> {
  const lines = createInterface({ input: createReadStream(path) });
  for await (const line of lines) {
    lines.close();
    return Object.keys(JSON.parse(line));
  }
  return [];
}
