import type { Engine } from "../engine/engine.js";
import type { GraphFlow, GraphNode } from "../graph/graph.js";
import type { BatchFile } from "../model/batch.js";
import { IngotError } from "../model/error.js";
import { fingerprint } from "../plan/fingerprint.js";
import { type Leaf, leavesOf } from "../plan/inputs.js";
import { filesRead, type History, type Offer, positionOf } from "../plan/plan-flow.js";
import { checkSameTable } from "../plan/position.js";
import { planFileBatch } from "../sources/files/plan-file-batch.js";
import { wholeFiles } from "../sources/files/whole-files.js";

/**
 * Looks at what each input of a flow offers now. Reads; writes nothing.
 *
 * @throws IngotError PATH_NOT_FOUND, FILE_…, UNKNOWN_TABLE, CHECKPOINT_DAMAGED, DELTA_SOURCE_TABLE_IGNORE_CHANGES
 */
export async function discover(
  node: GraphNode,
  flow: GraphFlow,
  history: History,
  context: { readonly engine: Engine; readonly root: string },
): Promise<Map<string, Offer>> {
  const offers = new Map<string, Offer>();
  // How a file was counted depends on the options of its read: after a change a whole read looks at it again.
  const same = history.manifests.at(-1)?.fingerprint === fingerprint(node, flow);
  for (const [key, leaf] of leavesOf(flow)) {
    if (leaf.kind === "table") offers.set(key, await tableOffer(key, leaf, history, context.engine));
    else {
      const seen = leaf.stream || same ? filesRead(flow, history, key) : new Map<string, BatchFile>();
      offers.set(key, await filesOffer(leaf, context.root, seen));
    }
  }
  return offers;
}

async function filesOffer(
  leaf: Leaf & { kind: "files" },
  root: string,
  seen: ReadonlyMap<string, BatchFile>,
): Promise<Offer> {
  if (!leaf.stream) return { kind: "files", files: await wholeFiles(root, leaf.read, seen), held: [] };
  const { files, held } = await planFileBatch(root, leaf.read, seen);
  return { kind: "files", files, held };
}

async function tableOffer(
  key: string,
  leaf: Leaf & { kind: "table" },
  history: History,
  engine: Engine,
): Promise<Offer> {
  const state = await engine.describe(
    leaf.location,
    leaf.version === undefined ? undefined : { version: leaf.version },
  );
  if (state === undefined) {
    throw new IngotError("UNKNOWN_TABLE", `${leaf.name} has no rows yet: no run has made its table`, {
      object: leaf.name,
      hint: leaf.key === undefined ? "Run the pipeline that owns it first." : "It is not part of this run; run it too.",
    });
  }
  const offer: Offer = { kind: "table", tableId: state.id, version: state.version };
  const before = positionOf(history, key);
  checkSameTable(leaf, offer, before);
  if (leaf.stream && before?.kind === "appended") {
    await engine.checkAppendOnly(leaf.location, BigInt(before.to), state.version);
  }
  return offer;
}
