import type { ExtractSpec } from "../../config/extracts.js";
import { Cookies } from "./cookies.js";
import { invalidPage, reasonOf, ServiceFault } from "./fault.js";
import { resolveLink } from "./link.js";
import type { Login } from "./login.js";
import { isTransient, MOST_ATTEMPTS, pauseMs } from "./retry.js";

/** The world that a reader of services lives in. */
export interface ClientContext {
  readonly fetch: typeof fetch;
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<unknown>;
  /** Of [0, 1). */
  readonly random: () => number;
  readonly clock: () => Date;
  readonly signal: AbortSignal;
}

export interface Answer {
  readonly text: string;
  readonly headers: Headers;
}

/** An answer is one text in memory. */
const MOST_BYTES = 1 << 28;
/** A first page may be long in coming: SAP selects before it answers. */
const REQUEST_MS = 600_000;
const MOST_REDIRECTS = 5;

/** Asks one service: its login, its cookies, attempts again after what may pass. It only reads. */
export class ODataClient {
  /** What was sent and what came, retries included. */
  readonly counts = { requests: 0, retries: 0, bytes: 0 };
  readonly #service: Pick<ExtractSpec, "service" | "client">;
  readonly #login: Login;
  readonly #context: ClientContext;
  readonly #cookies = new Cookies();

  constructor(service: Pick<ExtractSpec, "service" | "client">, login: Login, context: ClientContext) {
    this.#service = service;
    this.#login = login;
    this.#context = context;
  }

  /** An address below the service's root. @param query names and values, as they are; a value goes into the URL encoded */
  url(path: string, query: Readonly<Record<string, string | undefined>> = {}): URL {
    const client = this.#service.client;
    const all = Object.entries({ ...query, "sap-client": client }).filter(([, value]) => value !== undefined);
    const text = all.map(([name, value]) => `${name}=${encodeURIComponent(value ?? "")}`).join("&");
    return new URL(`${this.#service.service}/${path}${text === "" ? "" : `?${text}`}`);
  }

  /** An address that was given as path and query. @throws IngotError EXTRACT_LINK_REFUSED */
  at(link: string): URL {
    return resolveLink(link, new URL(this.#service.service));
  }

  /**
   * @throws ServiceFault for an answer that is no success, after the attempts that may help
   * @throws IngotError EXTRACT_LINK_REFUSED for a redirect to another host; EXTRACT_PAGE_INVALID for too large an answer
   */
  async get(url: URL, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
    let isRefused = false;
    for (let attempt = 1; ; attempt += 1) {
      const found = await this.#attempt(url, headers, isRefused);
      if (!("fault" in found)) return found;
      const { fault, retryAfter } = found;
      const mayRenew = fault.status === 401 && this.#login.expires && !isRefused;
      isRefused = fault.status === 401;
      if (attempt === MOST_ATTEMPTS || !(mayRenew || isTransient(fault))) throw fault;
      const pause = mayRenew ? 0 : pauseMs(attempt, retryAfter, this.#context.clock(), this.#context.random());
      if (pause === undefined) throw fault;
      this.counts.retries += 1;
      await this.#context.sleep(pause, this.#context.signal);
    }
  }

  async #attempt(
    url: URL,
    headers: Readonly<Record<string, string>>,
    again: boolean,
  ): Promise<Answer | { readonly fault: ServiceFault; readonly retryAfter: string | null }> {
    const { signal } = this.#context;
    const timed = AbortSignal.any([signal, AbortSignal.timeout(REQUEST_MS)]);
    try {
      const response = await this.#send(url, headers, again, timed);
      const text = await this.#read(response);
      if (response.ok) return { text, headers: response.headers };
      return {
        fault: new ServiceFault(response.status, reasonOf(text)),
        retryAfter: response.headers.get("retry-after"),
      };
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof ServiceFault) return { fault: error, retryAfter: null };
      if (!isConnectionFault(error)) throw error;
      const why = timed.aborted ? `no answer in ${REQUEST_MS / 1000} s` : `no connection (${causeOf(error)})`;
      return { fault: new ServiceFault(undefined, why), retryAfter: null };
    }
  }

  async #send(
    url: URL,
    headers: Readonly<Record<string, string>>,
    again: boolean,
    signal: AbortSignal,
  ): Promise<Response> {
    let to = url;
    for (let redirects = 0; ; redirects += 1) {
      const [authorization, cookie] = [await this.#login.header(again, signal), this.#cookies.header()];
      const { client } = this.#service;
      this.counts.requests += 1;
      const response = await this.#context.fetch(to, {
        headers: {
          accept: "application/json",
          ...headers,
          ...(client === undefined ? {} : { "sap-client": client }),
          ...(authorization === undefined ? {} : { authorization }),
          ...(cookie === undefined ? {} : { cookie }),
        },
        // Where it leads is looked at first.
        redirect: "manual",
        signal,
      });
      this.#cookies.take(response.headers);
      const location = response.headers.get("location");
      if (response.status < 300 || response.status > 399 || location === null) return response;
      await response.body?.cancel();
      if (redirects === MOST_REDIRECTS) throw new ServiceFault(response.status, "it leads in a circle");
      to = resolveLink(location, to);
    }
  }

  async #read(response: Response): Promise<string> {
    const chunks: Uint8Array[] = [];
    let length = 0;
    for await (const chunk of response.body ?? []) {
      length += chunk.length;
      if (length > MOST_BYTES)
        throw invalidPage(`has more than ${MOST_BYTES >> 20} MiB`, "Ask for smaller pages with `pageSize`.");
      chunks.push(chunk);
    }
    this.counts.bytes += length;
    try {
      return new TextDecoder("utf-8", { fatal: response.ok }).decode(Buffer.concat(chunks));
    } catch (cause) {
      throw invalidPage("is not in UTF-8", "Look at it with another client: it is no JSON.", cause);
    }
  }
}

/** `fetch` has one kind of error for all that can happen on the way, and another for a time that ran out. */
function isConnectionFault(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return (
    error.name === "TimeoutError" ||
    error.name === "AbortError" ||
    (error instanceof TypeError && /^(fetch failed|terminated)/.test(error.message))
  );
}

/** `ECONNREFUSED`, and not the text, which names more than that. */
function causeOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && "code" in cause ? String(cause.code) : "it broke";
}
