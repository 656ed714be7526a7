import { randomUUID } from "node:crypto";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { ConnectError } from "@connectrpc/connect";
import { type Connection, isBroken, once } from "./connection.js";
import { errorInfoOf, interrupted } from "./errors.js";
import type { ExecutePlanResponse, PlanSchema } from "./protocol/base_pb.js";
import type { CommandSchema } from "./protocol/commands_pb.js";

/**
 * Runs a plan once and gives the server's answers in order. The server keeps them until they are released: where the
 * stream breaks, the same operation is taken up behind the last answer. It is sent a second time only where the server
 * says that it never came, and nothing else can have begun it.
 *
 * Leaving the loop early, or the signal, stops the operation on the server.
 *
 * @throws IngotError with Spark's condition; SPARK_UNREACHABLE when the server stays silent; INTERRUPTED
 */
export async function* execute(
  connection: Connection,
  plan: MessageInitShape<typeof PlanSchema>,
  signal: AbortSignal,
): AsyncGenerator<ExecutePlanResponse, void> {
  const { rpc } = connection;
  const operationId = randomUUID();
  const backOff = connection.backOff();
  const reattachable = { requestOption: { case: "reattachOptions", value: { reattachable: true } } } as const;
  const start = () =>
    rpc.executePlan(
      { ...connection.base, operationId, plan, requestOptions: [reattachable] },
      { signal: once(signal) },
    );
  const takeUp = (lastResponseId: string | undefined) =>
    rpc.reattachExecute(
      { ...connection.base, operationId, ...(lastResponseId === undefined ? {} : { lastResponseId }) },
      { signal: once(signal) },
    );

  let last: string | undefined;
  let running = true;
  let answers = start();
  try {
    while (running) {
      let arrived = true;
      try {
        for await (const answer of answers) {
          connection.heard(answer);
          backOff.reset();
          last = answer.responseId;
          if (answer.responseType.case === "resultComplete") {
            running = false;
            return;
          }
          yield answer;
        }
        // A server ends a stream that grew long without saying that the result is complete.
      } catch (error) {
        if (signal.aborted) throw interrupted(error);
        arrived = last !== undefined || conditionOf(error) !== NEVER_CAME;
        const again = !arrived || isBroken(error) || GOES_ON.has(conditionOf(error));
        if (!again || !(await backOff.pause(signal))) {
          running = isBroken(error);
          throw await connection.failure(error);
        }
      }
      answers = arrived ? takeUp(last) : start();
    }
  } finally {
    if (running) await connection.interrupt(operationId);
    connection.release(operationId);
  }
}

/** Runs a command and gives all answers of the server. */
export async function runCommand(
  connection: Connection,
  commandType: NonNullable<MessageInitShape<typeof CommandSchema>["commandType"]>,
  signal: AbortSignal,
): Promise<readonly ExecutePlanResponse[]> {
  const answers: ExecutePlanResponse[] = [];
  const plan = { opType: { case: "command", value: { commandType } } } as const;
  for await (const answer of execute(connection, plan, signal)) answers.push(answer);
  return answers;
}

const NEVER_CAME = "INVALID_HANDLE.OPERATION_NOT_FOUND";
const GOES_ON = new Set<string | undefined>([
  // The server still holds the broken stream for one that is read.
  "INVALID_CURSOR.DISCONNECTED",
  // What was sent first came after all.
  "INVALID_HANDLE.OPERATION_ALREADY_EXISTS",
]);

function conditionOf(error: unknown): string | undefined {
  return error instanceof ConnectError ? errorInfoOf(error)?.metadata["errorClass"] : undefined;
}
