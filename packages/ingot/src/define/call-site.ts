import { fileURLToPath } from "node:url";
import type { Position } from "../model/position.js";
import type { Callee } from "./scope.js";

/** A line of a stack trace; `caller` is what V8 prints before the place, such as a function's name. */
export interface Frame extends Position {
  readonly caller: string;
}

/** Deep enough to reach the top level of a definitions file through a user's helpers. */
const FRAMES = 100;

/** The stack above a function of the API, innermost call first. */
export function framesAbove(callee: Callee): Frame[] {
  const limit = Error.stackTraceLimit;
  const holder: { stack?: unknown } = {};
  Error.stackTraceLimit = FRAMES;
  Error.captureStackTrace(holder, callee);
  const { stack } = holder;
  Error.stackTraceLimit = limit;
  return parseStack(stack);
}

/** The frames of a `stack` text, innermost first; whatever else its lines say is left out. */
export function parseStack(stack: unknown): Frame[] {
  if (typeof stack !== "string") return [];
  return stack.split("\n").flatMap((text) => {
    const found = /^\s+at (?:async )?(?:(.*?) \()?(.+?):(\d+):(\d+)\)?$/.exec(text);
    if (found === null) return [];
    const [, caller = "", place = "", line, column] = found;
    return [{ caller, file: filePath(place), line: Number(line), column: Number(column) }];
  });
}

function filePath(place: string): string {
  if (!place.startsWith("file:")) return place;
  try {
    return fileURLToPath(place);
  } catch {
    return place;
  }
}
