import { setImmediate } from "node:timers/promises";
import type { Store } from "../store/store.js";

/** Numbers from 0 to 1 that a seed decides (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Tasks that run one step at a time, each step from one `turn` to the next; chance decides whose step is next. */
export class Turns {
  readonly #random: () => number;
  #waiting: (() => void)[] = [];

  constructor(random: () => number) {
    this.#random = random;
  }

  readonly turn = (): Promise<void> => new Promise((resolve) => this.#waiting.push(resolve));

  /** Rejects with the first failure, once all have ended. */
  async run(tasks: readonly (() => Promise<void>)[]): Promise<void> {
    let active = tasks.length;
    const all = Promise.allSettled(tasks.map((task) => task().finally(() => (active -= 1))));
    for (;;) {
      // Lets every task that can go on come to its next turn.
      await setImmediate();
      if (active === 0) break;
      const [next] = this.#waiting.splice(Math.floor(this.#random() * this.#waiting.length), 1);
      next?.();
    }
    for (const result of await all) if (result.status === "rejected") throw result.reason;
  }
}

/**
 * A store whose operations each wait for their turn; the answer to a write waits for another one. Files must not change
 * once they are there: reading one that is there gives the same now and later, so only a file that is absent is worth a
 * turn, in which another task may write it.
 */
export function takingTurns(store: Store, { turn }: Turns): Store {
  const inTurn =
    <Args extends unknown[], Result>(work: (...args: Args) => Promise<Result>, after?: typeof turn) =>
    async (...args: Args): Promise<Result> => {
      await turn();
      const result = await work(...args);
      await after?.();
      return result;
    };
  const readInTurn = inTurn(store.read);
  return {
    list: inTurn(store.list),
    read: (path, range) => store.read(path, range).catch(() => readInTurn(path, range)),
    putIfAbsent: inTurn(store.putIfAbsent, turn),
    put: inTurn(store.put, turn),
    delete: inTurn(store.delete, turn),
  };
}
