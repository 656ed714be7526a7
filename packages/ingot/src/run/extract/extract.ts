import { createHash } from "node:crypto";
import { join, relative } from "node:path";
import type { ExtractSpec } from "../../config/extracts.js";
import { IngotError } from "../../model/error.js";
import { type ClientContext, ODataClient } from "../../sources/odata/client.js";
import { ServiceFault, toExtractError } from "../../sources/odata/fault.js";
import { readByKey } from "../../sources/odata/key-pages.js";
import type { DeltaToken } from "../../sources/odata/link.js";
import type { Login } from "../../sources/odata/login.js";
import { readPages } from "../../sources/odata/read-pages.js";
import { changesUrl, countRows, listedToken, terminateDeltas } from "../../sources/odata/subscription.js";
import type { Row } from "../../sources/odata/values.js";
import { takeLock } from "../lock.js";
import { aliveKeys } from "./alive-keys.js";
import { countDiffers, deltaLost, duplicateKey, tokenFault } from "./extract-faults.js";
import { Lander } from "./lander.js";
import { landedPaths, StagedFiles, settleLanding } from "./landing.js";
import { type Position, Positions, refuseChangedSelection, type Selection } from "./position.js";
import { type KeyColumns, KeySet, keyText } from "./row-key.js";

/** What is read, and where it lands. */
export interface ExtractInput {
  readonly spec: ExtractSpec;
  readonly key: KeyColumns;
  readonly login: Login;
  /** Folder of the spec. */
  readonly root: string;
  readonly storage: string;
  readonly runId: string;
}

export interface ExtractOptions {
  /** All rows anew, in the same subscription. */
  readonly full?: boolean;
  /** The subscription is ended, and a new one begins with all rows. */
  readonly restart?: boolean;
  /** Changes behind this token, and not behind the one of the position. */
  readonly fromToken?: string;
}

export interface ExtractContext extends ClientContext {
  readonly tell: (level: "INFO" | "WARN", message: string, details: Readonly<Record<string, unknown>>) => void;
}

/** What a request brought. */
export interface Extracted {
  readonly name: string;
  readonly kind: "load" | "changes";
  /** Rows of the service. */
  readonly rows: number;
  /** Rows that tell what is gone since the load before. */
  readonly gone: number;
  readonly pages: number;
  readonly requests: number;
  readonly retries: number;
  /** Of the answers. */
  readonly bytes: number;
  readonly seconds: number;
  /** The token that was asked for. */
  readonly from?: string;
  /** The token behind the rows. */
  readonly token?: string;
  /** Files that landed. */
  readonly files: readonly string[];
}

/**
 * One request of an extract: a load, or the changes behind the position's token. Its rows land as JSON lines, values as the
 * service wrote them. All files are complete on disk before the position is written, which names them and the next token;
 * then they appear in the landing folder. So a process may die anywhere: the next one calls the same token again, or makes
 * the files appear.
 *
 * @throws IngotError EXTRACT_…; RUN_LOCKED where another reader has the subscription
 */
export async function extract(
  input: ExtractInput,
  options: ExtractOptions,
  context: ExtractContext,
): Promise<Extracted> {
  const { spec, storage, runId } = input;
  const folder = join(storage, "_extracts", spec.name);
  const lock = await takeLock(folder, runId, `Another reader of the extract ${spec.name}`);
  try {
    return await new Request(input, options, context, new Positions(folder)).run();
  } catch (error) {
    if (error instanceof ServiceFault) throw toExtractError(error, `extracts.${spec.name}`);
    throw error;
  } finally {
    lock.release();
  }
}

/** Where a request begins: at a token or, without one, with all rows. */
interface Start {
  readonly token?: DeltaToken;
  readonly isGiven?: true;
}

class Request {
  readonly #input: ExtractInput;
  readonly #options: ExtractOptions;
  readonly #context: ExtractContext;
  readonly #positions: Positions;
  readonly #client: ODataClient;
  #pages = 0;
  #rows = 0;

  constructor(input: ExtractInput, options: ExtractOptions, context: ExtractContext, positions: Positions) {
    this.#input = input;
    this.#options = options;
    this.#context = context;
    this.#positions = positions;
    this.#client = new ODataClient(input.spec, input.login, context);
  }

  async run(): Promise<Extracted> {
    const { spec } = this.#input;
    const began = this.#context.clock().getTime();
    const last = await this.#positions.last();
    if (await settleLanding(spec.landing, last))
      this.#context.tell("WARN", `${spec.name}: files of an earlier reader that died have landed now.`, {
        extract: spec.name,
      });
    const selection = selectionOf(this.#input);
    if (last !== undefined && this.#options.restart !== true)
      refuseChangedSelection(last.selection, selection, spec.name);
    const start = this.#start(last);
    const alive = start.token === undefined && last !== undefined ? await this.#alive() : undefined;
    if (this.#options.restart === true && spec.changes === "tracked")
      await terminateDeltas(this.#client, spec.entitySet);
    const extractNumber = (last?.extract ?? 0) + 1;
    const staged = new StagedFiles(spec.landing, extractNumber);
    try {
      const lander = new Lander(staged, extractNumber, start.token?.token);
      const next =
        start.token === undefined ? await this.#load(lander, alive) : await this.#changes(start.token, lander);
      const gone = alive === undefined ? 0 : await lander.landGone(alive, this.#input.key, this.#pages + 1);
      const position: Position = {
        extract: extractNumber,
        kind: start.token === undefined ? "load" : "changes",
        ...(start.token === undefined ? {} : { from: start.token.token }),
        ...(start.isGiven === undefined ? {} : { isGiven: start.isGiven }),
        ...(next === undefined ? {} : { next }),
        selection,
        files: await staged.close(),
        pages: this.#pages,
        rows: this.#rows,
        gone,
        at: this.#context.clock().toISOString(),
      };
      if (!isNews(position, last)) await staged.discard();
      else {
        await this.#positions.commit(position);
        await settleLanding(spec.landing, position);
      }
      return this.#extracted(position, began);
    } catch (error) {
      await this.#discard(staged, extractNumber);
      throw error;
    }
  }

  /** Files of a position that is written stay: the next request makes them appear. */
  async #discard(staged: StagedFiles, extractNumber: number): Promise<void> {
    try {
      await staged.stop();
      if ((await this.#positions.last())?.extract !== extractNumber) await staged.discard();
    } catch {
      // The next request does it.
    }
  }

  #start(last: Position | undefined): Start {
    const { spec } = this.#input;
    const { fromToken, full, restart } = this.#options;
    if (fromToken !== undefined) {
      if (spec.changes === "none")
        throw new IngotError("USAGE", `${spec.name} has no tokens: its changes are not tracked`, {
          object: `extracts.${spec.name}`,
          hint: "Leave --from-token out.",
        });
      this.#context.tell("INFO", `${spec.name}: begins behind the token ${fromToken}, which was given.`, {
        extract: spec.name,
        token: fromToken,
      });
      return { token: { token: fromToken }, isGiven: true };
    }
    if (full === true || restart === true || spec.changes === "none" || last?.next === undefined) return {};
    return { token: last.next };
  }

  /** Keys of what landed before: those that a new load does not have are gone. */
  async #alive(): Promise<KeySet> {
    const paths = await landedPaths(this.#input.spec.landing, await this.#positions.sinceLoad());
    return aliveKeys(paths, this.#input.key);
  }

  async #load(lander: Lander, alive: KeySet | undefined): Promise<DeltaToken | undefined> {
    const { spec, key } = this.#input;
    const seen = spec.changes === "none" ? new KeySet() : undefined;
    const land = async (rows: readonly Row[]): Promise<void> => {
      for (const row of rows) {
        const text = keyText(key, row);
        alive?.delete(text);
        if (seen?.add(text) === false) throw duplicateKey(text, key, spec.name);
      }
      await this.#land(lander, rows);
    };
    if (spec.changes === "tracked") return this.#trackedLoad(land);
    const before = await countRows(this.#client, spec.entitySet, spec.filter);
    if (spec.paging === "key") {
      const { entitySet, pageSize = 1, select, filter } = spec;
      const read = { entitySet, key: key.columns, pageSize };
      const narrowed = { ...(select === undefined ? {} : { select }), ...(filter === undefined ? {} : { filter }) };
      for await (const rows of readByKey(this.#client, { ...read, ...narrowed })) await land(rows);
      // What is deleted meanwhile, behind the last row, is counted before and not after; what is new the other way round.
      const after = await countRows(this.#client, spec.entitySet, spec.filter);
      this.#checkCount(before === undefined || after === undefined ? undefined : Math.min(before, after), "or more");
    } else {
      for await (const page of this.#pagesFrom(this.#setUrl(), [])) await land(page.rows);
      this.#checkCount(before, "exactly");
    }
    return undefined;
  }

  async #trackedLoad(land: (rows: readonly Row[]) => Promise<void>): Promise<DeltaToken> {
    const { spec } = this.#input;
    let [next, isApplied]: [DeltaToken | undefined, boolean] = [undefined, false];
    for await (const page of this.#pagesFrom(this.#setUrl(), ["odata.track-changes"])) {
      await land(page.rows);
      next = page.delta;
      isApplied ||= page.applied.includes("track-changes");
    }
    next ??= await listedToken(this.#client, spec.entitySet);
    if (next === undefined) throw deltaLost(spec.name, isApplied);
    if (!isApplied)
      this.#context.tell(
        "WARN",
        `${spec.name}: the service does not say that it tracks changes (Preference-Applied), and gives a token all the same.`,
        { extract: spec.name },
      );
    return next;
  }

  async #changes(from: DeltaToken, lander: Lander): Promise<DeltaToken> {
    const { spec } = this.#input;
    const url = changesUrl(this.#client, spec.entitySet, from);
    let next: DeltaToken | undefined;
    try {
      for await (const page of this.#pagesFrom(url, [])) {
        await this.#land(lander, page.rows);
        next = page.delta;
      }
    } catch (error) {
      throw error instanceof ServiceFault && this.#pages === 0 ? tokenFault(error, from, spec.name) : error;
    }
    if (next === undefined) throw deltaLost(spec.name, true);
    return next;
  }

  #setUrl(): URL {
    const { entitySet, select, filter } = this.#input.spec;
    return this.#client.url(entitySet, { $format: "json", $select: select?.join(","), $filter: filter });
  }

  async *#pagesFrom(url: URL, preferences: readonly string[]) {
    const { spec, key } = this.#input;
    const sized = spec.pageSize === undefined ? [] : [`odata.maxpagesize=${spec.pageSize}`];
    yield* readPages(this.#client, { url, prefer: [...preferences, ...sized], key: key.columns });
  }

  async #land(lander: Lander, rows: readonly Row[]): Promise<void> {
    this.#context.signal.throwIfAborted();
    this.#pages += 1;
    this.#rows += rows.length;
    await lander.land(rows, this.#pages);
  }

  /** @throws IngotError EXTRACT_COUNT_DIFFERS */
  #checkCount(count: number | undefined, is: "exactly" | "or more"): void {
    const { name } = this.#input.spec;
    if (count === undefined) {
      this.#context.tell(
        "WARN",
        `${name}: the service does not count its rows ($count), which nothing was compared with.`,
        {
          extract: name,
        },
      );
      return;
    }
    if (is === "exactly" ? this.#rows === count : this.#rows >= count) return;
    throw countDiffers(name, count, this.#rows);
  }

  #extracted({ kind, rows, gone, pages, from, next, files }: Position, began: number): Extracted {
    return {
      name: this.#input.spec.name,
      kind,
      rows,
      gone,
      pages,
      ...this.#client.counts,
      seconds: (this.#context.clock().getTime() - began) / 1000,
      ...(from === undefined ? {} : { from }),
      ...(next === undefined ? {} : { token: next.token }),
      files: files.map(({ name }) => name),
    };
  }
}

function selectionOf({ spec, login, root }: ExtractInput): Selection {
  const { service, entitySet, client, select, filter, landing } = spec;
  return {
    service,
    entitySet,
    ...(client === undefined ? {} : { client }),
    ...(select === undefined ? {} : { select }),
    ...(filter === undefined ? {} : { filter }),
    user: createHash("sha256").update(login.user).digest("hex"),
    landing: relative(root, landing),
  };
}

/** Whether anything came: a service may give the same token again while nothing changes. */
function isNews({ files, kind, next }: Position, last: Position | undefined): boolean {
  return files.length > 0 || kind === "load" || next?.token !== last?.next?.token;
}
