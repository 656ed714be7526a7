import { setTimeout as wait } from "node:timers/promises";
import { optionalPackage } from "../../engine/optional-package.js";
import type { RunEvent } from "../../model/event.js";
import { createMetrics } from "./metrics.js";
import { createSpans } from "./spans.js";

/** A listener of a run that tells it to the providers of OpenTelemetry that the process has. */
export interface TelemetryListener {
  readonly listen: (event: RunEvent) => void;
  /** Has them send what they hold, within a short time. */
  close(): Promise<void>;
}

const FLUSH_MS = 3000;

/**
 * @param flushMs how long providers may send when the run is over
 * @throws IngotError NOT_SUPPORTED where the package of the API is not installed
 */
export async function openTelemetry(flushMs = FLUSH_MS): Promise<TelemetryListener> {
  const api = await optionalPackage(
    "A provider of OpenTelemetry is registered, and Ingot needs",
    "@opentelemetry/api",
    () => import("@opentelemetry/api"),
  );
  const spans = createSpans(api);
  const metrics = createMetrics(api.metrics.getMeter("ingot"));
  return {
    listen(event) {
      spans(event);
      metrics(event);
    },
    async close() {
      const flushed = Promise.allSettled([api.trace.getTracerProvider(), api.metrics.getMeterProvider()].map(flush));
      const late = new AbortController();
      await Promise.race([flushed, wait(flushMs, undefined, { signal: late.signal }).catch(() => {})]);
      late.abort();
    },
  };
}

/** Providers of the SDK can be asked to send; the API does not know of it. */
async function flush(provider: unknown): Promise<void> {
  const proxied = provider as { getDelegate?: () => unknown };
  const real = (proxied.getDelegate?.() ?? provider) as { forceFlush?: () => Promise<void> };
  await real.forceFlush?.();
}
