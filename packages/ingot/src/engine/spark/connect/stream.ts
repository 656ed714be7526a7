import type { MessageInitShape } from "@bufbuild/protobuf";
import type { Connection } from "./connection.js";
import { runCommand } from "./execute.js";
import type { ExecutePlanResponse } from "./protocol/base_pb.js";
import type { StreamingQueryCommandSchema } from "./protocol/commands_pb.js";
import type { Relation } from "./relations.js";

/** All that a streaming relation offers now, written to a table in batches of Spark's. */
export interface StreamWrite {
  readonly input: Relation;
  readonly format: string;
  readonly into: { readonly table: string } | { readonly path: string };
  /** Folder in which Spark keeps what it has read. */
  readonly checkpoint: string;
  readonly options?: Readonly<Record<string, string>>;
}

type StreamCommand = NonNullable<MessageInitShape<typeof StreamingQueryCommandSchema>["command"]>;

/**
 * Runs a streaming query until it has read all that is there (trigger `availableNow`); gives the rows that it read.
 *
 * @throws IngotError as `execute`: what ended the query
 */
export async function streamAvailable(
  connection: Connection,
  write: StreamWrite,
  signal: AbortSignal,
): Promise<number> {
  const { input, format, into, checkpoint, options = {} } = write;
  const start = {
    input,
    format,
    outputMode: "append",
    trigger: { case: "availableNow" as const, value: true },
    options: { ...options, checkpointLocation: checkpoint },
    sinkDestination:
      "path" in into ? { case: "path" as const, value: into.path } : { case: "tableName" as const, value: into.table },
  };
  const [started] = await runCommand(connection, { case: "writeStreamOperationStart", value: start }, signal);
  if (started?.responseType.case !== "writeStreamOperationStartResult") throw new Error("a stream that did not start");
  const { queryId } = started.responseType.value;
  if (queryId === undefined) throw new Error("a stream without an id");
  const ask = (command: StreamCommand) =>
    runCommand(connection, { case: "streamingQueryCommand", value: { queryId, command } }, signal);
  try {
    await ask({ case: "awaitTermination", value: {} });
  } catch (error) {
    // The query outlives the call that waits for it.
    if (signal.aborted) await stop();
    throw error;
  }
  const [told] = await ask({ case: "recentProgress", value: true });
  return rowsOf(told);

  async function stop(): Promise<void> {
    const command = { case: "stop", value: true } as const;
    const limit = AbortSignal.timeout(STOP_LIMIT_MS);
    await runCommand(connection, { case: "streamingQueryCommand", value: { queryId, command } }, limit);
  }
}

const STOP_LIMIT_MS = 5_000;

/** Spark tells of each batch in JSON. */
function rowsOf(answer: ExecutePlanResponse | undefined): number {
  if (answer?.responseType.case !== "streamingQueryCommandResult") return 0;
  const { resultType } = answer.responseType.value;
  if (resultType.case !== "recentProgress") return 0;
  const batches = resultType.value.recentProgressJson.map((text): Progress => JSON.parse(text));
  return batches.flatMap(({ sources }) => sources).reduce((sum, { numInputRows }) => sum + numInputRows, 0);
}

interface Progress {
  readonly sources: readonly { readonly numInputRows: number }[];
}
