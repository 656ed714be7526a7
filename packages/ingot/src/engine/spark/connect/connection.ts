import { randomUUID } from "node:crypto";
import { type Client, Code, ConnectError, createClient, type Interceptor } from "@connectrpc/connect";
import { createGrpcTransport, Http2SessionManager } from "@connectrpc/connect-node";
import { BackOff } from "./back-off.js";
import { errorInfoOf, type FailureChain, fromSpark, interrupted } from "./errors.js";
import {
  InterruptRequest_InterruptType as InterruptType,
  SparkConnectService,
  type FetchErrorDetailsResponse_Error as SparkFailure,
} from "./protocol/base_pb.js";
import type { Remote } from "./remote.js";

/** A batch of a result is 4 MB by default; a server may be told to send larger ones. */
const LONGEST_MESSAGE = 256 * 2 ** 20;
const PING_MS = 30_000;
/** Nobody was there yet: most likely the address is wrong. */
const FIRST_PATIENCE_MS = 2_000;
const PATIENCE_MS = 30_000;
const INTERRUPT_LIMIT_MS = 5_000;

/** The calls of one session on a server, with what every call carries, and what their failures mean. */
export class Connection {
  readonly rpc: Client<typeof SparkConnectService>;
  /** Host and port, for people. */
  readonly place: string;
  readonly #http: Http2SessionManager;
  readonly #identity: { sessionId: string; userContext: { userId: string; userName: string }; clientType: string };
  readonly #patienceMs: number;
  #serverSession: string | undefined;

  /** @param patienceMs how long a server that was there may be silent before a call fails */
  constructor(remote: Remote, patienceMs: number = PATIENCE_MS) {
    const user = remote.userId ?? "ingot";
    const sessionId = remote.sessionId ?? randomUUID();
    this.place = new URL(remote.baseUrl).host;
    this.#patienceMs = patienceMs;
    this.#identity = {
      sessionId,
      userContext: { userId: user, userName: user },
      clientType: remote.userAgent ?? "ingot",
    };
    this.#http = new Http2SessionManager(remote.baseUrl, { pingIntervalMs: PING_MS });
    const transport = createGrpcTransport({
      baseUrl: remote.baseUrl,
      sessionManager: this.#http,
      interceptors: [withHeaders(remote, sessionId)],
      readMaxBytes: LONGEST_MESSAGE,
      writeMaxBytes: LONGEST_MESSAGE,
    });
    this.rpc = createClient(SparkConnectService, transport);
  }

  /** What every request carries. A server that was started anew refuses the session of its predecessor. */
  get base() {
    const seen = this.#serverSession;
    return { ...this.#identity, ...(seen === undefined ? {} : { clientObservedServerSideSessionId: seen }) };
  }

  heard(response: { readonly serverSideSessionId: string }): void {
    if (response.serverSideSessionId !== "") this.#serverSession ??= response.serverSideSessionId;
  }

  backOff(): BackOff {
    return new BackOff(this.#serverSession === undefined ? FIRST_PATIENCE_MS : this.#patienceMs);
  }

  /** A call that may be made twice; made again while the way to the server is broken. */
  async call<Answer extends { readonly serverSideSessionId: string }>(
    make: (options: { signal: AbortSignal }) => Promise<Answer>,
    signal: AbortSignal,
  ): Promise<Answer> {
    const backOff = this.backOff();
    while (true) {
      try {
        const answer = await make({ signal: once(signal) });
        this.heard(answer);
        return answer;
      } catch (error) {
        if (signal.aborted) throw interrupted(error);
        if (isBroken(error) && (await backOff.pause(signal))) continue;
        throw await this.failure(error);
      }
    }
  }

  /** What a failed call means; asks the server for the causes. */
  async failure(error: unknown): Promise<unknown> {
    if (!(error instanceof ConnectError)) return error;
    return fromSpark(error, await this.#causesOf(error), this.place);
  }

  async #causesOf(error: ConnectError): Promise<FailureChain> {
    const errorId = errorInfoOf(error)?.metadata["errorId"];
    if (errorId === undefined) return [];
    try {
      const { errors, rootErrorIdx } = await this.rpc.fetchErrorDetails({ ...this.base, errorId });
      const chain: SparkFailure[] = [];
      for (let at = rootErrorIdx; at !== undefined; ) {
        const failure = errors[at];
        if (failure === undefined || chain.includes(failure)) break;
        chain.push(failure);
        at = failure.causeIdx;
      }
      return chain;
    } catch {
      // The failure itself is known; only its causes are not.
      return [];
    }
  }

  /** Stops an operation. Whether the server still hears it does not matter to the caller, who stops in any case. */
  async interrupt(operationId: string): Promise<void> {
    const interrupt = { case: "operationId", value: operationId } as const;
    await this.rpc
      .interrupt(
        { ...this.base, interruptType: InterruptType.OPERATION_ID, interrupt },
        { timeoutMs: INTERRUPT_LIMIT_MS },
      )
      .catch(() => undefined);
  }

  /** Frees what the server keeps of an operation for those who come again. It also does so itself after a while. */
  release(operationId: string): void {
    this.rpc
      .releaseExecute({ ...this.base, operationId, release: { case: "releaseAll", value: {} } })
      .catch(() => undefined);
  }

  async close(): Promise<void> {
    await this.rpc.releaseSession(this.#identity, { timeoutMs: INTERRUPT_LIMIT_MS }).catch(() => undefined);
    this.#http.abort();
  }
}

function withHeaders(remote: Remote, sessionId: string): Interceptor {
  const headers = Object.entries(remote.headers);
  return (next) => (request) => {
    if (remote.token !== undefined) request.header.set("authorization", `Bearer ${remote.token}`);
    for (const [name, value] of headers) request.header.set(name, value);
    // Databricks finds the machine of a session by it.
    if (headers.some(([name]) => name.startsWith("x-databricks-"))) {
      request.header.set("x-databricks-session-id", sessionId);
    }
    return next(request);
  };
}

const BROKEN = new Set([
  Code.Unavailable,
  Code.Canceled,
  Code.Internal,
  Code.Unknown,
  Code.Aborted,
  Code.DeadlineExceeded,
]);

/** The way to the server failed, not the server. */
export function isBroken(error: unknown): boolean {
  return error instanceof ConnectError && BROKEN.has(error.code) && errorInfoOf(error) === undefined;
}

/** For one call: Connect leaves its listeners on a signal, and a run has one signal for thousands of calls. */
export function once(signal: AbortSignal): AbortSignal {
  return AbortSignal.any([signal]);
}
