/**
 * Posts a JSON text.
 *
 * @throws Error that says why it was not taken, and not where it went
 */
export async function postJson(
  url: string,
  body: string,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<void> {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body,
    // Another address was not declared.
    redirect: "manual",
    signal,
  }).catch((error: unknown) => {
    throw new Error(signal.aborted ? "no answer in time" : `no connection (${causeOf(error)})`);
  });
  await response.body?.cancel().catch(() => {});
  if (!response.ok) throw new Error(`HTTP ${response.status}`);
}

/** `ECONNREFUSED`, and not the text, which names the address. */
function causeOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && "code" in cause ? String(cause.code) : "failed";
}
