import { createRequire } from "node:module";

/**
 * DuckDB's binding, by `require`: imported as an ES module it costs some 40 ms more, since Node then reads each of its
 * CommonJS files for the names that it exports.
 */
export const duckdb = createRequire(import.meta.url)("@duckdb/node-api") as typeof import("@duckdb/node-api");
