import type * as Otel from "@opentelemetry/api";
import type { FlowMetrics, FlowStatus, RunEvent } from "../../model/event.js";

type Api = typeof Otel;

const ENDS: readonly FlowStatus[] = ["COMPLETED", "FAILED", "STOPPED"];

/**
 * Makes a span of a run, and below it one of each attempt of a flow. An error is told by its code, since its message may
 * quote a value.
 */
export function createSpans({ trace, context, SpanStatusCode }: Api): (event: RunEvent) => void {
  const tracer = trace.getTracer("ingot");
  let run: Otel.Span | undefined;
  const flows = new Map<string, Otel.Span>();

  const end = (span: Otel.Span, { error, timestamp }: RunEvent, attributes: Otel.Attributes): void => {
    span.setAttributes(attributes);
    if (error !== undefined) {
      span.setAttribute("error.type", error.code);
      span.setStatus({ code: SpanStatusCode.ERROR, message: error.code });
    }
    span.end(new Date(timestamp));
  };

  return (event) => {
    const { details, origin } = event;
    const startTime = new Date(event.timestamp);
    if ("create_run" in details) {
      run = tracer.startSpan(`ingot ${details.create_run.command}`, {
        startTime,
        attributes: { "ingot.pipeline": origin.pipeline_name, "ingot.run_id": origin.run_id },
      });
    } else if ("run_progress" in details) {
      if (run === undefined || details.run_progress.state === "RUNNING") return;
      end(run, event, { "ingot.state": details.run_progress.state });
      run = undefined;
    } else if ("flow_progress" in details && origin.flow_name !== undefined) {
      const { status, metrics, data_quality: quality } = details.flow_progress;
      if (status === "STARTING") {
        const parent = run === undefined ? context.active() : trace.setSpan(context.active(), run);
        const attributes = { "ingot.dataset": origin.dataset_name ?? "", "ingot.run_id": origin.run_id };
        flows.set(origin.flow_name, tracer.startSpan(origin.flow_name, { startTime, attributes }, parent));
      }
      const span = flows.get(origin.flow_name);
      if (span === undefined || !ENDS.includes(status)) return;
      flows.delete(origin.flow_name);
      end(span, event, {
        "ingot.status": status,
        ...figures(metrics ?? {}),
        ...(quality === undefined
          ? {}
          : {
              "ingot.dropped_records": quality.dropped_records,
              "ingot.quarantined_records": quality.quarantined_records,
            }),
      });
    }
  };
}

function figures(metrics: FlowMetrics): Otel.Attributes {
  return Object.fromEntries(Object.entries(metrics).map(([name, value]) => [`ingot.${name}`, value]));
}
