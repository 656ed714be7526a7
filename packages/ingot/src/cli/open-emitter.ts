import type { Graph } from "../graph/graph.js";
import { eventLog } from "../listen/event-log.js";
import { hasTelemetry } from "../listen/opentelemetry/has-telemetry.js";
import type { EventLevel } from "../model/event.js";
import { createEmitter, type Emitter, type Listener } from "../run/emitter.js";
import type { Io } from "./io.js";
import type { OpenProject } from "./open-project.js";

/** The events of a run, with all who hear them. */
export interface OpenEmitter {
  readonly emitter: Emitter;
  /** Lets them end; those that were not in time are left out. To be called before the events are kept. */
  close(): Promise<void>;
}

/** Somebody beside the screen and the log. */
interface Hearer {
  readonly listen: Listener;
  begin?(tell: (level: EventLevel, message: string, details?: Readonly<Record<string, unknown>>) => void): void;
  close(): Promise<void>;
}

/**
 * Opens the event stream of a run: the screen, the event log, and whom the spec names.
 *
 * @throws IngotError CONFIG_MISSING for a key that the environment lacks
 */
export async function openEmitter(
  project: OpenProject,
  { runId, graph }: { readonly runId: string; readonly graph: Graph },
  io: Io,
  screen: Listener,
): Promise<OpenEmitter> {
  const { spec } = project;
  const hearers = await openHearers(project, graph, io);
  const listeners = [screen, eventLog(spec.storage, runId, io.clock()), ...hearers.map(({ listen }) => listen)];
  const emitter = createEmitter(spec.name, runId, io.clock, listeners);
  for (const hearer of hearers) hearer.begin?.(emitter.notice);
  let closed: Promise<unknown> | undefined;
  return {
    emitter,
    async close() {
      closed ??= Promise.all(hearers.map((hearer) => hearer.close()));
      await closed;
    },
  };
}

/** Their code is loaded where they are wanted. */
async function openHearers({ spec }: OpenProject, graph: Graph, io: Io): Promise<Hearer[]> {
  const hearers: Hearer[] = [];
  if (spec.alerts.length > 0) {
    const { Alerts } = await import("../listen/alerts/alerts.js");
    hearers.push(new Alerts(spec.alerts, spec.storage, io));
  }
  if (spec.openLineage !== undefined) {
    const { openLineage } = await import("../listen/openlineage/open-lineage.js");
    hearers.push(openLineage(spec.openLineage, { graph, root: spec.root, storage: spec.storage }, io.env));
  }
  if (hasTelemetry()) {
    const { openTelemetry } = await import("../listen/opentelemetry/telemetry.js");
    hearers.push(await openTelemetry());
  }
  return hearers;
}
