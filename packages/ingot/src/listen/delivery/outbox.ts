import { randomUUID } from "node:crypto";
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";

/** What is delivered. */
export interface Message {
  /** The same each time that the message is sent: a receiver that has it can leave it. */
  readonly id: string;
  /** UTC, ISO 8601. */
  readonly timestamp: string;
  /** What is sent. */
  readonly body: string;
}

/** A message that waits for its receiver. */
export interface Waiting {
  readonly file: string;
  readonly message: Message;
}

/** Messages that are not delivered yet, `<folder>/<time>-<number>-<id>-<receiver>.json`, so that the next run goes on with them. */
export class Outbox {
  readonly #folder: string;
  #number = 0;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** On disk when this returns. */
  put(receiver: string, message: Message): void {
    this.#number += 1;
    mkdirSync(this.#folder, { recursive: true });
    const place = `${message.timestamp.replace(/[:.]/g, "-")}-${String(this.#number).padStart(6, "0")}`;
    const name = `${place}-${message.id}-${receiver}.json`;
    const temporary = join(this.#folder, `${randomUUID()}.tmp`);
    const handle = openSync(temporary, "wx");
    try {
      writeSync(handle, JSON.stringify(message));
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    renameSync(temporary, join(this.#folder, name));
  }

  /** The oldest message for a receiver. */
  first(receiver: string): Waiting | undefined {
    for (const file of this.#files(receiver)) {
      const message = readMessage(join(this.#folder, file));
      if (message !== undefined) return { file, message };
    }
    return undefined;
  }

  count(receiver: string): number {
    return this.#files(receiver).length;
  }

  /** Also where another run has taken it away. */
  remove({ file }: Waiting): void {
    rmSync(join(this.#folder, file), { force: true });
  }

  #files(receiver: string): string[] {
    return namesIn(this.#folder)
      .filter((name) => name.endsWith(`-${receiver}.json`))
      .sort();
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Undefined where another run has taken it away. */
function readMessage(path: string): Message | undefined {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as Message;
  } catch {
    return undefined;
  }
}
