import type { GraphFlow } from "../graph/graph.js";
import type { BatchInput, CompactedBatches, CompactedSource, Manifest, SeenFile } from "../model/batch.js";
import { leavesOf } from "./inputs.js";
import { SeenFiles } from "./seen-files.js";

/** What a flow has done so far: its checkpoint. */
export interface History {
  /** The batches of the present generation behind the compacted ones, in order; none before the first. */
  readonly manifests: readonly Manifest[];
  readonly compacted?: CompactedBatches;
  /** The target holds the last batch. */
  readonly committed: boolean;
  /** Note of the last batch's commit. */
  readonly lastNote?: string;
}

/** What a checkpoint holds of its batches. */
export type Batches = Pick<History, "manifests" | "compacted">;

/** How far the flow's batches have read a source; an edit of the query may have left it out for some of them. */
export function positionOf({ manifests, compacted }: Batches, key: string): BatchInput | undefined {
  const last = manifests.findLast((manifest) => manifest.inputs[key] !== undefined)?.inputs[key];
  return last ?? compacted?.sources[key]?.position;
}

/**
 * Files that a stream has given or passed over, by path. Files of streams that the query reads no more count too: a path
 * or an option that was edited makes another source, and must not read the same files again.
 */
export function filesSeen(flow: GraphFlow, history: Batches, key: string): SeenFiles {
  const present = leavesOf(flow);
  return filesOf([history], (source) => source === key || (source.startsWith("stream ") && !present.has(source)));
}

/** The files that some sources have given or passed over. */
export function filesOf(checkpoints: readonly Batches[], counts: (source: string) => boolean): SeenFiles {
  const layers = checkpoints.flatMap((checkpoint) => [
    ...Object.entries(checkpoint.compacted?.sources ?? {}).flatMap(([source, { files }]) =>
      counts(source) ? [files] : [],
    ),
    filesOfManifests(checkpoint, counts),
  ]);
  return new SeenFiles(layers.toReversed());
}

function filesOfManifests({ manifests }: Batches, counts: (source: string) => boolean): Map<string, SeenFile> {
  const seen = new Map<string, SeenFile>();
  for (const { inputs } of manifests) {
    for (const [source, input] of Object.entries(inputs)) {
      if (input.kind !== "files" || !counts(source)) continue;
      for (const file of input.passed ?? []) seen.set(file.path, file);
      for (const file of input.files) seen.set(file.path, file);
    }
  }
  return seen;
}

/** What all batches come to; undefined where there are none. */
export function compactBatches(batches: Batches): CompactedBatches | undefined {
  const last = batches.manifests.at(-1);
  if (last === undefined) return batches.compacted;
  const sources = sourcesOf(batches).map((key): [string, CompactedSource] => {
    const position = positionOf(batches, key);
    if (position === undefined) throw new Error("unreachable: each source has an input");
    // A whole read knows its last files alone, and their manifest is read.
    const files = key.startsWith("stream ")
      ? new Map(filesOf([batches], (source) => source === key))
      : new Map<string, SeenFile>();
    return [key, { position: withoutFiles(position), files }];
  });
  return { upTo: last.batch, sources: Object.fromEntries(sources) };
}

/** The sources that some batch has read, by the batch that read them first. */
export function sourcesOf({ manifests, compacted }: Batches): string[] {
  const keys = [...Object.keys(compacted?.sources ?? {}), ...manifests.flatMap(({ inputs }) => Object.keys(inputs))];
  return [...new Set(keys)];
}

function withoutFiles(input: BatchInput): BatchInput {
  if (input.kind !== "files") return input;
  const { passed: _, ...rest } = input;
  return { ...rest, files: [] };
}
