import type { Position } from "../model/position.js";
import { framesAbove } from "./call-site.js";
import { createRecorder } from "./recorder.js";
import type { Callee, Places, Scope } from "./scope.js";

/** Spark's own default catalog and schema: outside a project there are no others. */
const DEFAULTS = { catalog: "spark_catalog", schema: "default" };

const OUTSIDE = Symbol.for("ingot.outside");

/** The one scope outside of loads, also when a process holds several copies of the package. */
export function outsideScope(): Scope {
  const shared = globalThis as unknown as Record<symbol, Scope | undefined>;
  const scope = shared[OUTSIDE] ?? createOutsideScope();
  shared[OUTSIDE] = scope;
  return scope;
}

/**
 * The scope of the package itself, when no project loads: calls make values, errors are thrown at once, and nothing
 * is kept but what `collect` asks for. Places are those of calls, since no source is at hand.
 */
function createOutsideScope(): Scope {
  const recorder = createRecorder();
  return {
    defaults: DEFAULTS,
    places: OUTSIDE_PLACES,
    report(error) {
      throw error;
    },
    declare(kind, declared) {
      if (recorder.isCollecting()) recorder.add(kind, declared);
    },
    collect: recorder.collect,
  };
}

const OUTSIDE_PLACES: Places = {
  callSite,
  template(strings, callee) {
    const at = callSite(callee);
    return { chunks: strings.map(() => at), values: strings.slice(1).map(() => at) };
  },
  literal: (_text, call) => call,
};

function callSite(callee: Callee): Position {
  const [frame] = framesAbove(callee);
  if (frame === undefined) return { file: "<unknown>", line: 1, column: 1 };
  const { file, line, column } = frame;
  return { file, line, column };
}
