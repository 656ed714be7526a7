import { IngotError } from "../../../model/error.js";
import { optionalPackage } from "../../optional-package.js";
import { parseRemote } from "./remote.js";
import type { SparkSession } from "./session.js";

const PACKAGES = "@connectrpc/connect @connectrpc/connect-node @bufbuild/protobuf apache-arrow";

/**
 * A session on a Spark Connect server, to which nothing was said yet.
 *
 * @param remote Spark's connection string, see `parseRemote`
 * @throws IngotError INVALID_CONNECT_URL; NOT_SUPPORTED where the packages are not installed
 */
export async function newSession(remote: string): Promise<SparkSession> {
  const where = parseRemote(remote);
  const { SparkSession } = await optionalPackage("Spark needs", PACKAGES, () => import("./session.js"));
  return new SparkSession(where);
}

/**
 * Opens a session and looks at what answers there.
 *
 * @throws IngotError what `newSession` and `checkServer` throw
 */
export async function openSession(remote: string, signal: AbortSignal): Promise<SparkSession> {
  const session = await newSession(remote);
  try {
    await checkServer(session, signal);
    return session;
  } catch (error) {
    await session.close();
    throw error;
  }
}

/** @throws IngotError SPARK_UNREACHABLE, SPARK_ACCESS_DENIED, SPARK_TOO_OLD, SPARK_WITHOUT_DELTA */
export async function checkServer(session: SparkSession, signal: AbortSignal): Promise<void> {
  // Other servers that speak the protocol may know no version; what they lack of Delta is what they are refused for.
  await checkDelta(session, signal);
  checkVersion(await session.version(signal), session.place);
}

/** Spark 4.0 made ANSI SQL its default, by whose rules queries are typed. */
const OLDEST_MAJOR = 4;

/** @throws IngotError SPARK_TOO_OLD */
export function checkVersion(version: string, place: string): void {
  const major = Number(/^(\d+)\./.exec(version)?.[1]);
  if (major >= OLDEST_MAJOR) return;
  throw new IngotError("SPARK_TOO_OLD", `The server at ${place} is Spark ${version}; Ingot needs ${OLDEST_MAJOR}.0.`, {
    object: place,
    hint: "Ingot is tested with Spark 4.2 and Delta 4.4.",
  });
}

/** Only Delta's parser knows the statement; it looks for a table that is not there, and runs nothing. */
const DELTA_PROBE = "DESCRIBE HISTORY delta.`/ingot/no/such/table`";

async function checkDelta(session: SparkSession, signal: AbortSignal): Promise<void> {
  try {
    await session.sql(DELTA_PROBE, signal);
  } catch (error) {
    if (!(error instanceof IngotError)) throw error;
    if (error.code.startsWith("DELTA_")) return;
    if (error.exit === "unreachable" || error.exit === "interrupted") throw error;
    throw new IngotError(
      "SPARK_WITHOUT_DELTA",
      `The server at ${session.place} does not know Delta's DESCRIBE HISTORY.`,
      {
        object: session.place,
        hint: "Start it with io.delta:delta-spark, spark.sql.extensions=io.delta.sql.DeltaSparkSessionExtension and spark.sql.catalog.spark_catalog=org.apache.spark.sql.delta.catalog.DeltaCatalog.",
        cause: error,
      },
    );
  }
}
