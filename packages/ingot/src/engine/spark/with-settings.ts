import type { SparkSession } from "./connect/session.js";

/** Delta's setting of the note that the next commits carry. */
export const COMMIT_NOTE = "spark.databricks.delta.commitInfo.userMetadata";

/** Works with settings of the session, which then are as they were, also where the work failed or was aborted. */
export async function withSettings<T>(
  session: SparkSession,
  settings: Readonly<Record<string, string | undefined>>,
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T> {
  await session.configure(settings, signal);
  try {
    return await work();
  } finally {
    const unset = Object.fromEntries(Object.keys(settings).map((key) => [key, undefined]));
    await session.configure(unset, new AbortController().signal);
  }
}
