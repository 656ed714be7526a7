import type { ODataClient } from "./client.js";
import { ServiceFault } from "./fault.js";
import { type DeltaToken, tokenOf } from "./link.js";
import { readPage } from "./page.js";

/** The address of the changes behind a token. @throws IngotError EXTRACT_LINK_REFUSED */
export function changesUrl(client: ODataClient, entitySet: string, { token, link }: DeltaToken): URL {
  // The link of the service may carry more than the token.
  return link === undefined
    ? new URL(`${client.url(entitySet, { $format: "json" }).href}&!deltatoken='${encodeURIComponent(token)}'`)
    : client.at(link);
}

/**
 * The token behind a full load whose last page has none: of those that the service lists the newest of an initial load.
 * Another could lie behind changes that the load has not seen.
 *
 * @returns undefined where it lists none, or has no list
 * @throws ServiceFault
 */
export async function listedToken(client: ODataClient, entitySet: string): Promise<DeltaToken | undefined> {
  const url = client.url(`DeltaLinksOf${entitySet}`, { $format: "json", $orderby: "CreatedAt desc" });
  const answer = await client.get(url).catch(absent);
  if (answer === undefined) return undefined;
  const initial = readPage(answer.text, url, []).rows.find((row) => /^(?:true|X)$/i.test(row["IsInitialLoad"] ?? ""));
  const token = initial?.["DeltaToken"] ?? undefined;
  if (token === undefined) return undefined;
  // Some services list it as it stands in a link.
  return { token: tokenOf(new URL(token, url))?.token ?? token.replace(/^'(.*)'$/, "$1") };
}

/** Ends the subscription; one that is not there is ended already. @throws ServiceFault */
export async function terminateDeltas(client: ODataClient, entitySet: string): Promise<void> {
  await client.get(client.url(`TerminateDeltasFor${entitySet}`, { $format: "json" })).catch(absent);
}

/** How many rows a set has now; undefined where the service does not count. @throws ServiceFault */
export async function countRows(
  client: ODataClient,
  entitySet: string,
  filter: string | undefined,
): Promise<number | undefined> {
  const url = client.url(`${entitySet}/$count`, { $filter: filter });
  const answer = await client.get(url, { accept: "text/plain" }).catch(absent);
  const text = answer?.text.trim() ?? "";
  return /^\d+$/.test(text) ? Number(text) : undefined;
}

function absent(fault: unknown): undefined {
  if (fault instanceof ServiceFault && (fault.status === 404 || fault.status === 501)) return undefined;
  throw fault;
}
