import { randomUUID } from "node:crypto";
import type { Refresh } from "../engine/engine.js";
import type { GraphFlow } from "../graph/graph.js";
import type { IngotError } from "../model/error.js";
import type {
  DataQuality,
  EventDetails,
  EventLevel,
  FlowMetrics,
  FlowStatus,
  RunEvent,
  RunState,
} from "../model/event.js";
import { formatName } from "../model/name.js";
import { toEventError } from "./event-error.js";
import { toIngotError } from "./failure.js";

export type Listener = (event: RunEvent) => void;

/**
 * Says what happens in a run. Listeners hear every event in order; nothing else is told to anybody. A listener only
 * hears: one that fails is dropped, and the others are told.
 */
export interface Emitter {
  flow(
    flow: GraphFlow,
    status: FlowStatus,
    more?: {
      metrics?: FlowMetrics;
      quality?: DataQuality | undefined;
      reason?: string;
      error?: IngotError;
      retry?: boolean;
      attempt?: number;
    },
  ): void;
  run(state: RunState, more?: { message?: string; error?: IngotError; durationMs?: number }): void;
  notice(level: EventLevel, message: string, details?: Readonly<Record<string, unknown>>, flow?: GraphFlow): void;
  /** How a materialized view got its rows. */
  planning(flow: GraphFlow, refresh: Refresh): void;
  started(command: string, user: string): void;
}

export function createEmitter(
  pipeline: string,
  runId: string,
  clock: () => Date,
  listeners: readonly Listener[],
): Emitter {
  let sequence = 0;
  let hearing = [...listeners];
  const emit = (
    type: RunEvent["event_type"],
    level: EventLevel,
    message: string,
    details: EventDetails,
    flow?: GraphFlow,
    error?: IngotError,
  ): void => {
    const event: RunEvent = {
      id: randomUUID(),
      sequence: sequence++,
      timestamp: clock().toISOString(),
      level,
      event_type: type,
      message,
      origin: {
        pipeline_name: pipeline,
        run_id: runId,
        ...(flow === undefined
          ? {}
          : { dataset_name: formatName(flow.flow.target), flow_name: flowName(flow), at: flow.flow.at }),
      },
      details,
      ...(error === undefined ? {} : { error: toEventError(error) }),
    };
    const failed: string[] = [];
    hearing = hearing.filter((listen) => {
      try {
        listen(event);
        return true;
      } catch (error) {
        failed.push(toIngotError(error).message);
        return false;
      }
    });
    for (const why of failed) notice("WARN", `A listener of the run's events failed and hears no more: ${why}`);
  };
  const notice: Emitter["notice"] = (level, message, details = {}, flow) =>
    emit("notice", level, message, { notice: details }, flow);
  return {
    flow(flow, status, { metrics, quality, reason, error, retry, attempt = 1 } = {}) {
      const level = status === "FAILED" ? (retry === true ? "WARN" : "ERROR") : status === "SKIPPED" ? "WARN" : "INFO";
      const details = {
        flow_progress: {
          status,
          ...(metrics === undefined ? {} : { metrics }),
          ...(quality === undefined ? {} : { data_quality: quality }),
          ...(reason === undefined ? {} : { reason }),
        },
      };
      const name = flowName(flow);
      const gaveUp = status === "FAILED" && retry !== true && attempt > 1;
      const message = gaveUp
        ? `Flow '${name}' has FAILED more than ${attempt - 1} times and will not be restarted.`
        : flowMessage(name, status);
      emit("flow_progress", level, message, details, flow, error);
    },
    run(state, { message, error, durationMs } = {}) {
      const details = { run_progress: { state, ...(durationMs === undefined ? {} : { duration_ms: durationMs }) } };
      emit(
        "run_progress",
        state === "FAILED" ? "ERROR" : "INFO",
        message ?? `Run is ${state}.`,
        details,
        undefined,
        error,
      );
    },
    notice,
    planning(flow, { computed, technique, inserted, deleted, reason }) {
      const rows = technique === "unchanged" ? "" : ` (${inserted} rows came, ${deleted} went)`;
      const message = `${formatName(flow.flow.target)}: ${computed}; ${TECHNIQUES[technique]}${rows}: ${reason}.`;
      const counts = { inserted_rows: inserted, deleted_rows: deleted };
      const details = { planning_information: { computed, technique, ...counts, reason } };
      emit("planning_information", "INFO", message, details, flow);
    },
    started(command, user) {
      emit("create_run", "INFO", `Run ${runId} of ${pipeline} has begun.`, { create_run: { command, user } });
    },
  };
}

const TECHNIQUES: Readonly<Record<Refresh["technique"], string>> = {
  unchanged: "nothing was written",
  difference: "only the difference was written",
  overwrite: "all rows were written",
};

/** `catalog.schema.flow`: a flow's name in events, as Spark prints it. */
export function flowName({ flow }: GraphFlow): string {
  return formatName({ ...flow.target, table: flow.name });
}

/** Spark's own sentences, quotes as there. */
function flowMessage(name: string, status: FlowStatus): string {
  switch (status) {
    case "QUEUED":
    case "PLANNING":
    case "STARTING":
    case "RUNNING":
      return `Flow ${name} is ${status}.`;
    case "COMPLETED":
      return `Flow ${name} has COMPLETED.`;
    case "EXCLUDED":
      return `Flow '${name}' is EXCLUDED.`;
    case "SKIPPED":
      return `Flow '${name}' SKIPPED due to upstream failure(s).`;
    case "IDLE":
      return `Flow '${name}' is IDLE, waiting for new data.`;
    default:
      return `Flow '${name}' has ${status}.`;
  }
}
