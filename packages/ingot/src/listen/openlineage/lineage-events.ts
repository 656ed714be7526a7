import { randomUUID } from "node:crypto";
import type { Graph, GraphFlow, GraphNode } from "../../graph/graph.js";
import type { FlowStatus, RunEvent, RunState } from "../../model/event.js";
import { flowName } from "../../run/emitter.js";
import { inputsOf, outputOf } from "./datasets.js";
import { facet, PRODUCER, RUN_EVENT_SCHEMA } from "./facet.js";

type Transition = "START" | "COMPLETE" | "FAIL" | "ABORT";

const OF_FLOW: Readonly<Partial<Record<FlowStatus, Transition>>> = {
  STARTING: "START",
  COMPLETED: "COMPLETE",
  FAILED: "FAIL",
  STOPPED: "ABORT",
};
const OF_RUN: Readonly<Partial<Record<RunState, Transition>>> = {
  COMPLETED: "COMPLETE",
  FAILED: "FAIL",
  CANCELED: "ABORT",
};

/** What the events of a run say of its jobs: one for the pipeline, and below it one for each flow. */
export interface LineageContext {
  readonly graph: Graph;
  /** Folder of the spec: relative paths of files start there. */
  readonly root: string;
  readonly namespace: string;
}

/**
 * Turns the events of one run into those of OpenLineage. Errors are told by their codes, since a message may quote a value.
 *
 * @returns a function that gives the event of OpenLineage, or undefined where there is none
 */
export function lineageEvents({ graph, root, namespace }: LineageContext): (event: RunEvent) => object | undefined {
  const flows = new Map<string, readonly [GraphNode, GraphFlow]>();
  for (const node of graph.nodes)
    if (node.location !== undefined) for (const flow of node.flows) flows.set(flowName(flow), [node, flow]);
  /** Ids of the attempts that are under way, by flow. */
  const running = new Map<string, string>();

  return (event) => {
    const { details, origin } = event;
    const pipeline = { namespace, name: origin.pipeline_name };
    const make = (transition: Transition, runId: string, job: object, facets: object, more: object = {}) => ({
      eventType: transition,
      eventTime: event.timestamp,
      producer: PRODUCER,
      schemaURL: RUN_EVENT_SCHEMA,
      run: { runId, facets: { ...facets, ...errorFacet(event) } },
      job,
      ...more,
    });
    const pipelineJob = { ...pipeline, facets: jobType("PIPELINE") };
    if ("create_run" in details) return make("START", origin.run_id, pipelineJob, {});
    if ("run_progress" in details) {
      const transition = OF_RUN[details.run_progress.state];
      return transition && make(transition, origin.run_id, pipelineJob, {});
    }
    const name = origin.flow_name ?? "";
    const found = flows.get(name);
    if (!("flow_progress" in details) || found === undefined) return undefined;
    const [node, flow] = found;
    const { status, metrics } = details.flow_progress;
    const transition = OF_FLOW[status];
    if (transition === undefined) return undefined;
    const runId = transition === "START" ? randomUUID() : running.get(name);
    // A flow that was stopped before it began has no run to end.
    if (runId === undefined) return undefined;
    if (transition === "START") running.set(name, runId);
    else running.delete(name);
    const parent = facet("1-0-1", "ParentRunFacet", { run: { runId: origin.run_id }, job: pipeline });
    const job = { namespace, name: `${origin.pipeline_name}.${name}`, facets: jobType("FLOW") };
    const datasets = { inputs: inputsOf(flow, root), outputs: [outputOf(node, flow, root, metrics)] };
    return make(transition, runId, job, { parent }, datasets);
  };
}

function jobType(kind: "PIPELINE" | "FLOW"): object {
  return {
    jobType: facet("2-0-3", "JobTypeJobFacet", { processingType: "BATCH", integration: "INGOT", jobType: kind }),
  };
}

function errorFacet({ error }: RunEvent): object {
  if (error === undefined) return {};
  return { errorMessage: facet("1-0-1", "ErrorMessageRunFacet", { message: error.code, programmingLanguage: "SQL" }) };
}
