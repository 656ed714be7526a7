import type { AlertKind } from "../../config/alerts.js";
import { CATALOGUE } from "../../model/error-catalogue.js";
import type { RunEvent } from "../../model/event.js";

/**
 * What a receiver is told. Names and figures alone: no row, no text of a query and no path, since an error may quote a
 * value.
 */
export interface AlertMessage {
  /** The same each time that the message is sent: a receiver that has it can leave it. */
  readonly id: string;
  readonly kind: AlertKind;
  /** When it happened, UTC, ISO 8601. */
  readonly timestamp: string;
  readonly pipeline: string;
  readonly run_id: string;
  readonly dataset?: string;
  readonly flow?: string;
  /** One sentence for people. */
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
}

/** The alert that an event of a run is worth, if any. */
export function toAlert(event: RunEvent): AlertMessage | undefined {
  const found = alertOf(event);
  if (found === undefined) return undefined;
  const { pipeline_name, run_id, dataset_name, flow_name } = event.origin;
  return {
    id: event.id,
    kind: found.kind,
    timestamp: event.timestamp,
    pipeline: pipeline_name,
    run_id,
    ...(dataset_name === undefined ? {} : { dataset: dataset_name }),
    ...(flow_name === undefined ? {} : { flow: flow_name }),
    message: found.message,
    details: found.details,
  };
}

type Found = Pick<AlertMessage, "kind" | "message" | "details">;

/** Codes of batches that quality held back. */
const GATE_CODES = ["QUALITY_GATE_CLOSED", "EXPECTATION_VIOLATION"];

function alertOf({ details, error, level, message, origin }: RunEvent): Found | undefined {
  if ("run_progress" in details) {
    if (details.run_progress.state !== "FAILED") return undefined;
    return {
      kind: "failed",
      message: `Run of ${origin.pipeline_name} is FAILED${because(error?.code)}`,
      details: codeOf(error?.code),
    };
  }
  if ("notice" in details) {
    const { drift } = details.notice;
    return drift === undefined ? undefined : { kind: "drift", message, details: { drift } };
  }
  if (!("flow_progress" in details)) return undefined;
  const { status, data_quality: quality } = details.flow_progress;
  if (status === "FAILED" && level === "ERROR" && GATE_CODES.includes(error?.code ?? ""))
    return {
      kind: "gate",
      message: `${origin.flow_name} is not published${because(error?.code)}`,
      details: codeOf(error?.code),
    };
  const rows = quality?.quarantined_records ?? 0;
  if (rows === 0) return undefined;
  const what = rows === 1 ? "1 row was" : `${rows} rows were`;
  return {
    kind: "quarantine",
    message: `${origin.flow_name}: ${what} quarantined`,
    details: { data_quality: quality },
  };
}

function codeOf(code: string | undefined): Readonly<Record<string, unknown>> {
  return code === undefined ? {} : { code };
}

/** Why, in the words of the catalogue, which know nothing of this run. */
function because(code: string | undefined): string {
  if (code === undefined) return ".";
  const known: Readonly<Record<string, { readonly when: string }>> = CATALOGUE;
  const when = known[code]?.when;
  return when === undefined ? `: ${code}.` : `: ${code}. ${when}`;
}
