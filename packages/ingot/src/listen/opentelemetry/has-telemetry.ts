/** Where the API keeps what is registered, the same for all copies of it in a process. */
const REGISTRY = Symbol.for("opentelemetry.js.api.1");

/** Whether the process has a provider, as `node --import ./otel.mjs` registers one. Loads nothing. */
export function hasTelemetry(): boolean {
  const registered = (globalThis as Record<symbol, { trace?: unknown; metrics?: unknown } | undefined>)[REGISTRY];
  return registered?.trace !== undefined || registered?.metrics !== undefined;
}
