import { setTimeout as wait } from "node:timers/promises";
import { type Message, Outbox, type Waiting } from "./outbox.js";

/** How much time a run gives to its receivers. */
export interface Patience {
  /** Of one message. */
  readonly messageMs: number;
  /** Of all that are left when the run is over. */
  readonly endMs: number;
  /** Before the second attempt; twice as long before the third, which is the last one of a run. */
  readonly firstPauseMs: number;
}

const PATIENCE: Patience = { messageMs: 3000, endMs: 5000, firstPauseMs: 500 };
const ATTEMPTS = 3;

/** Sends one message. An error says in words why it was not taken, and names neither address nor key. */
export type Send = (message: Message, signal: AbortSignal) => Promise<void>;

/** Who hears what became of messages. */
export interface DeliveryLog {
  delivered(receiver: string, message: Message): void;
  /** Messages wait for the next run. */
  left(receiver: string, messages: number, why: string): void;
}

/**
 * Brings messages to receivers, each at least once: it is in the outbox before anything is sent, and leaves it when the
 * receiver has taken it. What cannot be delivered waits for the next run. Nobody waits for it: messages go out beside the
 * run, and when that is over there is a short time for the rest.
 */
export class Courier {
  readonly #receivers: ReadonlyMap<string, Send>;
  readonly #outbox: Outbox;
  readonly #patience: Patience;
  readonly #stop = new AbortController();
  readonly #sending = new Map<string, Promise<void>>();
  /** Why a receiver is given up in this run. */
  readonly #down = new Map<string, string>();
  #log: DeliveryLog | undefined;

  /** @param folder of the outbox */
  constructor(receivers: ReadonlyMap<string, Send>, folder: string, patience: Patience = PATIENCE) {
    this.#receivers = receivers;
    this.#outbox = new Outbox(folder);
    this.#patience = patience;
  }

  /** Sends what earlier runs have left. */
  begin(log: DeliveryLog): void {
    this.#log = log;
    for (const receiver of this.#receivers.keys()) this.#start(receiver);
  }

  send(receiver: string, message: Message): void {
    this.#outbox.put(receiver, message);
    this.#start(receiver);
  }

  /** Gives what is under way a short time to end. */
  async close(): Promise<void> {
    const timer = setTimeout(() => this.#stop.abort(), this.#patience.endMs);
    await Promise.all(this.#sending.values());
    clearTimeout(timer);
    for (const receiver of this.#receivers.keys()) {
      const left = this.#outbox.count(receiver);
      if (left > 0) this.#log?.left(receiver, left, this.#down.get(receiver) ?? "no time was left");
    }
  }

  /** One message after the other for each receiver, so that it hears them in their order. */
  #start(receiver: string): void {
    if (this.#sending.has(receiver) || this.#down.has(receiver)) return;
    // It begins when the event has been told to all.
    this.#sending.set(
      receiver,
      Promise.resolve().then(() => this.#deliver(receiver)),
    );
  }

  async #deliver(receiver: string): Promise<void> {
    let [attempt, pause] = [1, this.#patience.firstPauseMs];
    let fault: string | undefined;
    while (!this.#stop.signal.aborted) {
      const next = this.#outbox.first(receiver);
      if (next === undefined) break;
      fault = await this.#attempt(receiver, next);
      if (fault === undefined) [attempt, pause] = [1, this.#patience.firstPauseMs];
      else if (attempt === ATTEMPTS) break;
      else {
        await wait(pause, undefined, { signal: this.#stop.signal }).catch(() => {});
        attempt += 1;
        pause *= 2;
      }
    }
    if (fault !== undefined) this.#down.set(receiver, fault);
    this.#sending.delete(receiver);
  }

  /** @returns why it was not taken */
  async #attempt(receiver: string, waiting: Waiting): Promise<string | undefined> {
    const signal = AbortSignal.any([this.#stop.signal, AbortSignal.timeout(this.#patience.messageMs)]);
    try {
      await this.#receivers.get(receiver)?.(waiting.message, signal);
      this.#outbox.remove(waiting);
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
    this.#log?.delivered(receiver, waiting.message);
    return undefined;
  }
}
