import type { GraphFlow } from "../graph/graph.js";
import type { BatchInput, Manifest, Release } from "../model/batch.js";
import type { History } from "./history.js";
import { leavesOf } from "./inputs.js";
import { type FlowPlan, NOTHING_FOUND, type Offer, whole } from "./plan-flow.js";

/**
 * A batch that sends rows of a quarantine through a flow. Its streams give nothing new and stay where they are; what it
 * reads whole is read as it stands.
 *
 * @param history at least one batch, all of them done
 * @param offers by source
 * @param now UTC, ISO 8601
 */
export function planRelease(
  flow: GraphFlow,
  { manifests, compacted }: Pick<History, "manifests" | "compacted">,
  offers: ReadonlyMap<string, Offer>,
  release: Release,
  now: string,
): FlowPlan & { readonly kind: "batch" } {
  const inputs: Record<string, BatchInput> = {};
  for (const [key, leaf] of leavesOf(flow)) {
    const offer = offers.get(key);
    if (!leaf.stream && offer !== undefined) inputs[key] = whole(leaf, offer);
  }
  const last = manifests.at(-1);
  const manifest: Manifest = {
    format: 1,
    batch: (last?.batch ?? compacted?.upTo ?? -1) + 1,
    mode: "append",
    fingerprint: last?.fingerprint ?? "",
    created: now,
    inputs,
    release,
  };
  return {
    kind: "batch",
    manifest,
    reason: `rows of the quarantine of ${release.dataset}`,
    more: false,
    ...NOTHING_FOUND,
  };
}
