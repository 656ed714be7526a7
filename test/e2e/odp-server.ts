import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** A service over HTTP on this machine. */
export interface LoopbackService {
  /** Root of the service. */
  readonly url: string;
  /** What was asked, in its order: path and query below the root, decoded. */
  readonly asked: string[];
}

/** @param answer gives what a request is answered with; `path` is what lies below the root, decoded */
export async function serve(
  answer: (path: string, request: IncomingMessage, response: ServerResponse) => unknown,
): Promise<LoopbackService> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const path = decodeURIComponent((request.url ?? "").replace(/^\/srv\//, ""));
    asked.push(path);
    answer(path, request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/srv`, asked };
}

export function json(response: ServerResponse, body: unknown, headers: Readonly<Record<string, string>> = {}): void {
  response.writeHead(200, { "content-type": "application/json", ...headers });
  response.end(typeof body === "string" ? body : JSON.stringify(body).replaceAll('"/Date(', '"\\/Date('));
}

/** An error in the words of SAP's gateway. */
export function refuse(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify({ error: { code: "/IWBEP/CM_MGW_RT/022", message: { lang: "en", value: text } } }));
}

export type ServedRow = Readonly<Record<string, string | null>>;

interface Package {
  readonly rows: readonly ServedRow[];
  /** Token behind its rows. */
  readonly next: string;
}

/**
 * A set of an ODP as SAP's gateway serves it: an initial load and packages of changes by tokens, both in pages, by one
 * subscription. A token that is called gives the same package each time, until the next one is called: then it is gone.
 */
export class OdpServer {
  readonly #key: readonly string[];
  readonly #pageSize: number;
  readonly #rows = new Map<string, ServedRow>();
  #queue: ServedRow[] | undefined;
  #packages = new Map<string, Package>();
  readonly #open = new Map<string, Package>();
  #selection: string | undefined;
  #tokens = 0;
  #service: LoopbackService | undefined;
  /** Asked before each request; true: it has answered, or has let the connection go. */
  fault: (path: string, response: ServerResponse) => boolean = () => false;
  #held: IncomingMessage | undefined;

  constructor(
    rows: readonly ServedRow[],
    { key, pageSize }: { readonly key: readonly string[]; readonly pageSize: number },
  ) {
    this.#key = key;
    this.#pageSize = pageSize;
    for (const row of rows) this.#rows.set(this.#keyOf(row), row);
  }

  async start(): Promise<this> {
    this.#service = await serve((path, request, response) => {
      if (!this.fault(path, response)) this.#answer(path, request, response);
      else this.#held = request;
    });
    return this;
  }

  /** Answers the request that a fault has held back. */
  again(path: string, response: ServerResponse): void {
    if (this.#held !== undefined) this.#answer(path, this.#held, response);
  }

  get url(): string {
    return this.#service?.url ?? "";
  }

  get asked(): string[] {
    return this.#service?.asked ?? [];
  }

  /** What is there now, as a reader of it all would see it. */
  get rows(): readonly ServedRow[] {
    return [...this.#rows.values()];
  }

  /** Changes in SAP: rows of ODP, before images and deletes among them. */
  change(rows: readonly ServedRow[]): void {
    for (const row of rows) {
      const isMinus = row["ODQ_ENTITYCNTR"]?.startsWith("-") === true;
      if (row["ODQ_CHANGEMODE"] === "D") this.#rows.delete(this.#keyOf(row));
      else if (!isMinus) this.#rows.set(this.#keyOf(row), { ...row, ODQ_CHANGEMODE: "", ODQ_ENTITYCNTR: "1" });
      this.#queue?.push(row);
    }
  }

  /** The queue is cleaned up: nobody's token is known any more, and what changes is not kept. */
  expire(): void {
    this.#queue = undefined;
    this.#packages = new Map();
    this.#selection = undefined;
  }

  #answer(path: string, request: IncomingMessage, response: ServerResponse): unknown {
    const expected = `Basic ${Buffer.from("INGOT:geheim").toString("base64")}`;
    if (request.headers.authorization !== expected) {
      response.writeHead(401, { "content-type": "text/html" });
      response.end("<html><head><title>Logon failed</title></head></html>");
      return;
    }
    if (request.headers["sap-client"] !== "100") return refuse(response, 400, "no client");
    const [, set = "", query = ""] = /^([^?]*)\??(.*)$/.exec(path) ?? [];
    const [, skip, offset] = /\$skiptoken='(.*)_(\d+)'/.exec(query) ?? [];
    const [, token] = /!deltatoken='([^']*)'/.exec(query) ?? [];
    if (set === "TerminateDeltasForFacts") {
      this.expire();
      return json(response, { d: { TerminateDeltasForFacts: { ResultFlag: "X" } } });
    }
    if (set !== "Facts") return refuse(response, 404, `Resource not found for segment '${set}'`);
    if (skip !== undefined) {
      if (request.headers.cookie !== "SAP_SESSIONID=s1") return refuse(response, 400, "Session is gone");
      return this.#page(skip, Number(offset), response);
    }
    if (token !== undefined) return this.#changes(token, response);
    const selection = /[?&]\$(?:select|filter)=.*/.exec(`?${query}`)?.[0] ?? "";
    if (this.#selection !== undefined && selection !== this.#selection)
      return refuse(response, 400, "Illegal change in selection parameters");
    this.#selection = selection;
    this.#queue = [];
    const first = this.#issue();
    this.#packages = new Map();
    this.#packages.set(`before ${first}`, { rows: this.rows, next: first });
    return this.#page(`before ${first}`, 0, response, { "preference-applied": "odata.track-changes" });
  }

  #changes(token: string, response: ServerResponse): unknown {
    const known = this.#packages.get(token);
    const isNewest = [...this.#packages.values()].some(({ next }) => next === token);
    if (known === undefined && !isNewest) return refuse(response, 404, `Delta token ${token} is not known`);
    if (known === undefined) {
      const rows = this.#queue ?? [];
      this.#queue = [];
      // The package before is acknowledged.
      this.#packages = new Map([[token, { rows, next: rows.length === 0 ? token : this.#issue() }]]);
      // An empty one is asked for again by the same token, and may have rows then.
    } else if (known.rows.length === 0 && (this.#queue?.length ?? 0) > 0) {
      this.#packages = new Map([[token, { rows: this.#queue ?? [], next: this.#issue() }]]);
      this.#queue = [];
    }
    return this.#page(token, 0, response);
  }

  #page(id: string, from: number, response: ServerResponse, headers: Readonly<Record<string, string>> = {}): unknown {
    const kept = this.#packages.get(id) ?? (from > 0 ? this.#open.get(id) : undefined);
    if (kept === undefined) return refuse(response, 404, "Page is not known");
    this.#open.set(id, kept);
    const [rows, end] = [kept.rows.slice(from, from + this.#pageSize), from + this.#pageSize];
    const results = rows.map((row) => ({ __metadata: { uri: "x" }, ...row }));
    const link =
      end < kept.rows.length
        ? { __next: `${this.url}/Facts?$skiptoken='${id}_${end}'` }
        : { __delta: `${this.url}/Facts?!deltatoken='${kept.next}'` };
    return json(
      response,
      { d: { results, ...link } },
      { "set-cookie": "SAP_SESSIONID=s1; path=/; HttpOnly", ...headers },
    );
  }

  #issue(): string {
    this.#tokens += 1;
    return `D20260911182645_${String(this.#tokens).padStart(9, "0")}`;
  }

  #keyOf(row: ServedRow): string {
    return JSON.stringify(this.#key.map((name) => row[name]));
  }
}
