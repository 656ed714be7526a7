import { resolve } from "node:path";
import { IngotError, throwAll } from "../model/error.js";
import { nearest } from "../model/nearest.js";
import type { Position } from "../model/position.js";
import { isPlainUrl } from "./plain-url.js";
import type { YamlMap } from "./yaml.js";

/** What an alert may be about. */
export const ALERT_KINDS = ["failed", "gate", "drift", "quarantine"] as const;
export type AlertKind = (typeof ALERT_KINDS)[number];

/** Who is told of a pipeline, and of what. */
export interface AlertSpec {
  readonly name: string;
  readonly at: Position;
  readonly on: readonly AlertKind[];
  readonly target: AlertTarget;
}

export type AlertTarget =
  /** `secret`: the variable of the environment that holds the key of the signature. */
  | { readonly kind: "webhook"; readonly url: string; readonly secret: string }
  /** Run by the shell, in the folder of the spec. */
  | { readonly kind: "command"; readonly command: string; readonly folder: string }
  | { readonly kind: "file"; readonly path: string };

/** The key `alerts`. @throws IngotError PIPELINE_SPEC_… with the place, all faults at once */
export function readAlerts(map: YamlMap, root: string): AlertSpec[] {
  const errors: IngotError[] = [];
  const alerts = Object.entries(map.maps("alerts") ?? {}).flatMap(([name, alert]) => {
    try {
      return [readAlert(name, alert, root)];
    } catch (error) {
      if (!(error instanceof IngotError)) throw error;
      errors.push(error);
      return [];
    }
  });
  throwAll(errors);
  return alerts;
}

const TARGETS = ["webhook", "command", "file"] as const;

function readAlert(name: string, map: YamlMap, root: string): AlertSpec {
  const wrong = (key: string | undefined, what: string, hint: string) =>
    new IngotError("PIPELINE_SPEC_INVALID_VALUE", `\`alerts.${key === undefined ? name : `${name}.${key}`}\` ${what}`, {
      at: map.at(key),
      object: `alerts.${name}`,
      hint,
    });
  // It is part of file names.
  if (!/^\w+$/.test(name)) throw wrong(undefined, "is no name of an alert", "A name has letters, digits and _ alone.");
  map.refuseUnknown([...TARGETS, "secret", "on"]);
  const [kind, ...others] = TARGETS.filter((key) => map.text(key) !== undefined);
  if (kind === undefined || others.length > 0)
    throw wrong(undefined, "needs one target", "Write webhook, command or file, and one of them alone.");
  const value = map.text(kind) ?? "";
  if (value.trim() === "") throw wrong(kind, "is empty", "Say where the alert goes.");
  const secret = map.text("secret");
  const target = readTarget();
  return { name, at: map.at(), on: readKinds(), target };

  function readTarget(): AlertTarget {
    if (kind !== "webhook") {
      if (secret !== undefined) throw wrong("secret", "is for a webhook alone", "Leave it out.");
      return kind === "command"
        ? { kind: "command", command: value, folder: root }
        : { kind: "file", path: resolve(root, value) };
    }
    if (!isPlainUrl(value))
      throw wrong("webhook", "is no address", "Write https://host/path, without a user or a password in it.");
    if (secret === undefined)
      throw wrong(
        undefined,
        "lacks `secret`",
        "Name the variable of the environment that holds the key, by which the receiver knows your alerts: secret: OPS_KEY.",
      );
    if (!/^[A-Za-z_]\w*$/.test(secret))
      throw wrong(
        "secret",
        "is no name of a variable",
        "Write the variable's name here, and the key into the environment.",
      );
    return { kind: "webhook", url: value, secret };
  }

  function readKinds(): readonly AlertKind[] {
    const items = map.items("on");
    if (items === undefined) return ALERT_KINDS;
    return items.map(({ value: item }) => {
      const found = ALERT_KINDS.find((word) => word === item);
      if (found !== undefined) return found;
      const near = typeof item === "string" ? nearest(item, ALERT_KINDS) : undefined;
      const hint = near === undefined ? `Write ${ALERT_KINDS.join(", ")}.` : `Did you mean ${near}?`;
      throw wrong("on", `has ${String(item)}`, hint);
    });
  }
}
