import type { Engine } from "../engine/engine.js";
import type { GraphNode } from "../graph/graph.js";
import type { BatchInput, FilesInput } from "../model/batch.js";
import { IngotError } from "../model/error.js";
import type { LandingFiles } from "../sources/files/landing-files.js";
import { readCheckpoint } from "./checkpoint.js";
import { discover } from "./discover.js";

interface VerifyContext {
  readonly root: string;
  readonly storage: string;
  readonly engine: Engine;
  readonly landing: LandingFiles;
}

/**
 * Holds a chunk that was staged before against its source as it is now. A table as source may have gone on: its later
 * changes come with the stream.
 *
 * @param chunk a table of `withChunks`
 * @returns files that have come since, of which the chunk has no rows
 * @throws IngotError BACKFILL_SOURCE_CHANGED for a file that is another one or gone
 */
export async function verifyChunk(chunk: GraphNode, context: VerifyContext): Promise<string[]> {
  const [flow] = chunk.flows;
  const checkpoint = flow && (await readCheckpoint(context.storage, flow.flow, context.root));
  const manifest = checkpoint?.manifests.at(-1);
  if (flow === undefined || checkpoint === undefined || manifest === undefined) return [];
  const offers = await discover(flow, { ...checkpoint, committed: true }, context);
  const added: string[] = [];
  for (const [source, input] of Object.entries(manifest.inputs)) {
    if (!isFiles(input)) continue;
    const offer = offers.get(source);
    const now = new Map(offer?.kind === "files" ? offer.files.map((file) => [file.path, file.sha256]) : []);
    for (const { path, sha256 } of input.files)
      if (now.get(path) !== sha256) throw changed(chunk, path, now.has(path) ? "has other content" : "is gone");
    const before = new Set(input.files.map(({ path }) => path));
    added.push(...[...now.keys()].filter((path) => !before.has(path)));
  }
  return added;
}

function isFiles(input: BatchInput): input is FilesInput {
  return input.kind === "files";
}

function changed({ dataset }: GraphNode, path: string, how: string): IngotError {
  return new IngotError(
    "BACKFILL_SOURCE_CHANGED",
    `${dataset.name.schema}.${dataset.name.table} was staged from ${path}, which ${how} now`,
    {
      at: dataset.at,
      object: path,
      hint: "Put the file back; or stage these chunks anew with --again, which also starts the table again where it has them already.",
    },
  );
}
