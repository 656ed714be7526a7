import { setTimeout } from "node:timers/promises";
import { interrupted } from "./errors.js";

const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 4_000;

/** Pauses between tries, each twice as long, until the patience is at its end. */
export class BackOff {
  readonly #patienceMs: number;
  #pauseMs = FIRST_PAUSE_MS;
  #waitedMs = 0;

  constructor(patienceMs: number) {
    this.#patienceMs = patienceMs;
  }

  /** Something was heard: the patience begins again. */
  reset(): void {
    this.#pauseMs = FIRST_PAUSE_MS;
    this.#waitedMs = 0;
  }

  /**
   * Pauses; false, at once, where there is no patience left.
   *
   * @throws IngotError INTERRUPTED
   */
  async pause(signal: AbortSignal): Promise<boolean> {
    if (this.#waitedMs >= this.#patienceMs) return false;
    await setTimeout(this.#pauseMs, undefined, { signal }).catch((cause) => {
      throw interrupted(cause);
    });
    this.#waitedMs += this.#pauseMs;
    this.#pauseMs = Math.min(this.#pauseMs * 2, LONGEST_PAUSE_MS);
    return true;
  }
}
