import { join } from "node:path";
import type { AlertSpec } from "../../config/alerts.js";
import { IngotError } from "../../model/error.js";
import type { EventLevel, RunEvent } from "../../model/event.js";
import { Courier, type Patience, type Send } from "../delivery/courier.js";
import { toAlert } from "./alert-message.js";
import { type SendContext, sendAlert } from "./send-alert.js";

/** Where the log hears what was delivered. */
type Tell = (level: EventLevel, message: string, details: Readonly<Record<string, unknown>>) => void;

/** Tells the receivers of a spec what happens in a run: see {@link Courier}. Messages wait in `<storage>/_alerts`. */
export class Alerts {
  readonly #specs: readonly AlertSpec[];
  readonly #courier: Courier;

  /** @throws IngotError CONFIG_MISSING for a key that the environment lacks */
  constructor(specs: readonly AlertSpec[], storage: string, context: SendContext, patience?: Patience) {
    for (const { name, at, target } of specs)
      if (target.kind === "webhook" && (context.env[target.secret] ?? "") === "") throw noKey(name, target.secret, at);
    const receivers = specs.map(({ name, target }): [string, Send] => [
      name,
      ({ body }, signal) => sendAlert(target, body, context, signal),
    ]);
    this.#specs = specs;
    this.#courier = new Courier(new Map(receivers), join(storage, "_alerts"), patience);
  }

  begin(tell: Tell): void {
    this.#courier.begin({
      delivered: (alert, { id }) => tell("INFO", `Alert ${alert} was told.`, { alert, message_id: id }),
      left: (alert, messages, why) => {
        const what = messages === 1 ? "1 message waits" : `${messages} messages wait`;
        tell("WARN", `Alert ${alert} could not be told: ${why}; ${what} for the next run.`, { alert });
      },
    });
  }

  readonly listen = (event: RunEvent): void => {
    const message = toAlert(event);
    if (message === undefined) return;
    const { id, timestamp, kind } = message;
    for (const { name, on } of this.#specs)
      if (on.includes(kind)) this.#courier.send(name, { id, timestamp, body: JSON.stringify(message) });
  };

  close(): Promise<void> {
    return this.#courier.close();
  }
}

function noKey(name: string, variable: string, at: AlertSpec["at"]): IngotError {
  return new IngotError("CONFIG_MISSING", `The alert ${name} needs the environment variable ${variable}`, {
    at,
    object: variable,
    hint: "Set it to the key that the receiver knows: alerts are signed with it.",
  });
}
