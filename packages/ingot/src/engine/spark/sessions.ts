import type { SparkSession } from "./connect/session.js";

/**
 * Sessions that are open and at rest. A session's settings say which batch a MERGE commits, so that one step uses it at a
 * time.
 */
export class Sessions {
  readonly #open: (signal: AbortSignal) => Promise<SparkSession>;
  readonly #atRest: SparkSession[] = [];
  #isClosed = false;

  constructor(open: (signal: AbortSignal) => Promise<SparkSession>) {
    this.#open = open;
  }

  async use<T>(signal: AbortSignal, work: (session: SparkSession) => Promise<T>): Promise<T> {
    const session = this.#atRest.pop() ?? (await this.#open(signal));
    try {
      return await work(session);
    } finally {
      if (this.#isClosed) await session.close();
      else this.#atRest.push(session);
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const session of this.#atRest.splice(0)) await session.close();
  }
}
