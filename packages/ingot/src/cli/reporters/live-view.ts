import type { FlowStatus, RunEvent } from "../../model/event.js";
import type { Colours } from "../colour.js";
import type { Io } from "../io.js";
import { describeMetrics, describeQuality, formatDuration, type Reporter } from "./plain-lines.js";

interface Line {
  readonly name: string;
  readonly status: FlowStatus;
  readonly detail: string;
  readonly since: number;
}

const MARKS: Readonly<Record<string, string>> = {
  COMPLETED: "✔",
  FAILED: "✖",
  SKIPPED: "–",
  STOPPED: "–",
  EXCLUDED: "–",
  QUEUED: "·",
};
const REDRAW_MS = 100;

/** On a terminal: one line a flow, redrawn in place; what must be kept (warnings) stands above it. */
export function liveView(io: Io, colours: Colours): Reporter {
  const lines = new Map<string, Line>();
  let drawn = 0;
  const erase = (): void => {
    if (drawn > 0) io.stderr.write(`\u001B[${drawn}A\u001B[0J`);
    drawn = 0;
  };
  const draw = (): void => {
    erase();
    const now = io.clock().getTime();
    // Only what is on the screen can be drawn again.
    const room = Math.max(1, (io.stderr.rows ?? 24) - 1);
    const visible = [...lines.values()].filter((l) => l.status !== "EXCLUDED").slice(-room);
    const wide = Math.max(0, ...visible.map((l) => l.name.length));
    for (const line of visible) io.stderr.write(`${cut(formatLine(line, wide, now, colours), io.stderr.columns)}\n`);
    drawn = visible.length;
  };
  const timer = setInterval(draw, REDRAW_MS);
  timer.unref();
  return {
    listen(event) {
      if (event.event_type === "notice") {
        erase();
        io.stderr.write(`${event.level === "INFO" ? event.message : colours.yellow(`! ${event.message}`)}\n`);
      }
      const name = event.origin.flow_name;
      if (name !== undefined && "flow_progress" in event.details) {
        const { status } = event.details.flow_progress;
        lines.set(name, { name, status, detail: detail(event), since: io.clock().getTime() });
      }
      draw();
    },
    close() {
      clearInterval(timer);
      draw();
      // What stands there now stays; a second call has nothing to draw.
      lines.clear();
      drawn = 0;
    },
  };
}

function detail(event: RunEvent): string {
  if (event.error !== undefined) return `${event.error.code}: ${event.error.message.split("\n")[0]}`;
  if (!("flow_progress" in event.details)) return "";
  const { reason, metrics, data_quality: quality } = event.details.flow_progress;
  return [reason, describeMetrics(metrics), describeQuality(quality)]
    .filter((t) => t !== undefined && t !== "")
    .join("; ");
}

function formatLine(line: Line, wide: number, now: number, colours: Colours): string {
  const mark = MARKS[line.status] ?? "▸";
  const paint =
    line.status === "COMPLETED"
      ? colours.green
      : line.status === "FAILED"
        ? colours.red
        : line.status === "QUEUED"
          ? colours.dim
          : colours.cyan;
  const working = ["PLANNING", "STARTING", "RUNNING"].includes(line.status);
  const text = working && now - line.since > 1000 ? formatDuration(now - line.since) : line.detail;
  return `${paint(mark)} ${line.name.padEnd(wide)}  ${paint(line.status.padEnd(9))}  ${colours.dim(text)}`;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: a colour code begins with one
const COLOUR_CODE = /(\u001B\[[0-9;]*m)/;

/** Cuts a line at the terminal's width; colour codes take no room. */
function cut(text: string, columns: number): string {
  let seen = 0;
  let out = "";
  for (const part of text.split(COLOUR_CODE)) {
    if (part.startsWith("\u001B")) out += part;
    else {
      out += part.slice(0, Math.max(0, columns - 1 - seen));
      seen += part.length;
    }
  }
  return out;
}
