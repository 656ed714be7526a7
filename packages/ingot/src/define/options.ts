import { IngotError } from "../model/error.js";
import { nearest } from "../model/nearest.js";
import type { Position } from "../model/position.js";
import { type Check, type Checked, type Checks, isPlain } from "./checks.js";
import type { Scope } from "./scope.js";

/** The call that options were given to, for messages. */
export interface Call {
  /** As in the source: `table("orders")`. */
  readonly text: string;
  readonly at: Position;
}

/**
 * The options that were given and are right. Reports UNKNOWN_OPTION and BAD_OPTION for each of the others; an option
 * that is `undefined` counts as not given.
 */
export function readOptions<const C extends Checks>(scope: Scope, call: Call, given: unknown, checks: C): Checked<C> {
  if (given === undefined) return {};
  if (!isPlain(given)) {
    badOption(
      scope,
      call,
      `${call.text} takes an object of options`,
      `Its options: ${Object.keys(checks).join(", ")}.`,
    );
    return {};
  }
  return readFields(scope, call, given, checks, "") as Checked<C>;
}

/** Options that must be there. Reports BAD_OPTION for each that is not. */
export function requireOptions(scope: Scope, call: Call, given: unknown, required: Checks): void {
  if (given !== undefined && !isPlain(given)) return;
  for (const [key, { wanted }] of Object.entries(required)) {
    if (given?.[key] === undefined) badOption(scope, call, `${call.text} needs \`${key}\``, `Give it ${wanted}.`);
  }
}

export function badOption(scope: Scope, call: Call, message: string, hint?: string): void {
  scope.report(new IngotError("BAD_OPTION", message, { at: call.at, ...(hint === undefined ? {} : { hint }) }));
}

function readFields(
  scope: Scope,
  call: Call,
  given: Readonly<Record<string, unknown>>,
  checks: Checks,
  path: string,
): Record<string, unknown> {
  const right: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(given)) {
    if (value === undefined) continue;
    const check = Object.hasOwn(checks, key) ? checks[key] : undefined;
    const label = `\`${path}${key}\``;
    if (check === undefined) {
      const near = nearest(key, Object.keys(checks));
      scope.report(
        new IngotError("UNKNOWN_OPTION", `${call.text} has no option ${label}`, {
          at: call.at,
          object: key,
          hint: near === undefined ? `Its options: ${Object.keys(checks).join(", ")}.` : `Did you mean \`${near}\`?`,
        }),
      );
    } else if (check.fields !== undefined && isPlain(value)) {
      right[key] = readFields(scope, call, value, check.fields, `${path}${key}.`);
    } else if (check.accepts(value)) right[key] = value;
    else badOption(scope, call, `${call.text}: ${label} must be ${check.wanted}${found(value, check)}`);
  }
  return right;
}

/** The value in the message, where it is short and tells something. */
function found(value: unknown, check: Check<unknown>): string {
  if (typeof value === "string" && check.wanted.startsWith("one of")) return `, and is ${JSON.stringify(value)}`;
  return typeof value === "number" || typeof value === "boolean" ? `, and is ${value}` : "";
}
