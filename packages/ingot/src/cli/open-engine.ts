import { DuckdbEngine } from "../engine/duckdb/duckdb-engine.js";
import type { Engine } from "../engine/engine.js";
import { IngotError } from "../model/error.js";
import type { EngineOptions, Io } from "./io.js";

/**
 * The engine that a command asks for. Nothing of Spark is loaded, and no server asked, before it is needed.
 *
 * @param storage folder of the pipeline's state
 * @throws IngotError USAGE
 */
export async function openEngine(
  { engine = "duckdb", remote }: EngineOptions,
  storage: string,
  env: Io["env"],
): Promise<Engine> {
  if (engine === "duckdb") {
    if (remote === undefined) return new DuckdbEngine(storage);
    throw new IngotError("USAGE", "--remote is of Spark alone", { hint: "Add --engine spark." });
  }
  const server = remote ?? env["SPARK_REMOTE"];
  if (server === undefined)
    throw new IngotError("USAGE", "--engine spark needs the connection string of a server", {
      hint: "Add --remote sc://HOST:PORT, or set SPARK_REMOTE.",
    });
  const { SparkEngine } = await import("../engine/spark/spark-engine.js");
  return new SparkEngine(storage, server);
}
