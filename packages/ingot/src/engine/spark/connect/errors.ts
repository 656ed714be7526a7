import { Code, type ConnectError } from "@connectrpc/connect";
import { IngotError } from "../../../model/error.js";
import { CATALOGUE, type ErrorCode, type Fault } from "../../../model/error-catalogue.js";
import { ERROR_INFO, type ErrorInfo, readErrorInfo } from "./error-info.js";
import type { FetchErrorDetailsResponse_Error as SparkFailure } from "./protocol/base_pb.js";

/** Of one failure: the exception that the user sees first, then what caused it. */
export type FailureChain = readonly SparkFailure[];

/** What Spark says about a failed call, where it is Spark that failed it and not the way to it. */
export function errorInfoOf(error: ConnectError): ErrorInfo | undefined {
  const detail = error.details.find((d) => "type" in d && d.type === ERROR_INFO);
  return detail !== undefined && "value" in detail && detail.value instanceof Uint8Array
    ? readErrorInfo(detail.value)
    : undefined;
}

/**
 * A failed call as the product's error. Its code is Spark's condition: that of the last cause which has one, since
 * Spark wraps what a task threw (TASK_WRITE_FAILED, …); the exceptions before it are its `cause`.
 *
 * @param chain what FetchErrorDetails answers; empty where the server has none
 */
export function fromSpark(error: ConnectError, chain: FailureChain, place: string): IngotError {
  const info = errorInfoOf(error);
  if (info === undefined) return fromTransport(error, place);
  const deepest = chain.findLast((failure) => failure.sparkThrowable?.errorClass !== undefined);
  const condition = deepest?.sparkThrowable?.errorClass ?? info.metadata["errorClass"];
  const sqlState = deepest?.sparkThrowable?.sqlState ?? info.metadata["sqlState"];
  const message = deepest?.message ?? chain[0]?.message ?? error.rawMessage;
  return new IngotError(condition === undefined ? "QUERY_FAILED" : faultOf(condition, sqlState), plain(message), {
    cause: causes(chain) ?? error,
  });
}

/** Spark's condition, with the exit code that ours of the same name has, or else by the class of its SQLSTATE. */
function faultOf(condition: string, sqlState: string | undefined): ErrorCode | Fault {
  if (Object.hasOwn(CATALOGUE, condition)) return condition as ErrorCode;
  if (condition === "OPERATION_CANCELED") return { code: condition, exit: "interrupted", sqlState };
  return { code: condition, exit: /^(42|0A)/.test(sqlState ?? "") ? "projectInvalid" : "runFailed", sqlState };
}

/** Without what the error says elsewhere (condition, SQLSTATE) and what `cause` keeps: the statement, the plan. */
function plain(message: string): string {
  return message
    .trim()
    .replace(/^\[[A-Z0-9_.]+\] /, "")
    .replace(/(; line \d+ pos \d+)?;\n'[\s\S]*$/, "")
    .replace(/\n== SQL[\s\S]*$/, "")
    .replace(/\s*SQLSTATE: \w{5}\b/, "")
    .trim();
}

/** Each exception of the chain with the next as its cause. */
function causes(chain: FailureChain): Error | undefined {
  return chain.reduceRight<Error | undefined>(
    (cause, { message }) => new Error(message, cause === undefined ? undefined : { cause }),
    undefined,
  );
}

/** The user stopped what was under way. */
export function interrupted(cause: unknown): IngotError {
  return new IngotError("INTERRUPTED", "The run was interrupted", { cause });
}

function fromTransport(error: ConnectError, place: string): IngotError {
  const options = { object: place, cause: error };
  if (error.code === Code.Unauthenticated || error.code === Code.PermissionDenied) {
    return new IngotError(
      "SPARK_ACCESS_DENIED",
      `The Spark server at ${place} refuses the token: ${error.rawMessage}`,
      {
        ...options,
        hint: "Give its token in the remote: sc://HOST:PORT/;token=TOKEN.",
      },
    );
  }
  return new IngotError("SPARK_UNREACHABLE", `No answer from a Spark Connect server at ${place}: ${error.rawMessage}`, {
    ...options,
    hint: "Check host, port and use_ssl, and that the server runs. A batch that was under way is taken up by the next run.",
  });
}
