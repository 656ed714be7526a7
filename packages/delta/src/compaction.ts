import type { Action } from "./actions.js";
import { parseCommit } from "./commit-file.js";
import { readCommits, readText, reasonOf } from "./log.js";
import { type CommitFile, type CompactionFile, type Log, logFolder } from "./log-files.js";
import type { Store } from "./store.js";

/** Commits that follow each other, with the compaction that stands for all of them, where there is one. */
interface Run {
  readonly commits: readonly CommitFile[];
  readonly compaction?: CompactionFile;
}

/**
 * The actions of commits in their order, from log compactions where these cover several of them. The last commit comes
 * from its own file, since a compaction does not tell its `commitInfo`. A damaged compaction costs a warning and the
 * reading of its commits. Source: the Delta protocol, "Log Compaction Files".
 *
 * @throws DeltaError DELTA_TABLE_UNREADABLE when a commit is gone or damaged
 */
export async function* readCompacted(
  store: Store,
  { table, compactions }: Log,
  commits: readonly CommitFile[],
  warnings: string[],
): AsyncGenerator<readonly Action[]> {
  for (const run of planRuns(commits, compactions)) {
    if (run.compaction !== undefined) {
      const path = `${logFolder(table)}/${run.compaction.name}`;
      try {
        yield parseCommit(await readText(store, path));
        continue;
      } catch (cause) {
        warnings.push(`The log compaction ${path} cannot be read: ${reasonOf(cause)}. Its commits were read instead.`);
      }
    }
    for await (const { actions } of readCommits(store, table, run.commits)) yield actions;
  }
}

/** Takes the longest compaction at each place that lies before the last commit. */
function planRuns(commits: readonly CommitFile[], compactions: readonly CompactionFile[]): Run[] {
  const last = commits.at(-1)?.version ?? -1n;
  const longest = new Map<bigint, CompactionFile>();
  for (const compaction of compactions) {
    const { first, version } = compaction;
    const known = longest.get(first);
    if (version < last && version > (known?.version ?? first)) longest.set(first, compaction);
  }
  const runs: Run[] = [];
  let single: CommitFile[] = [];
  for (let at = 0; at < commits.length; ) {
    const [commit] = commits.slice(at, at + 1);
    if (commit === undefined) break;
    const compaction = longest.get(commit.version);
    const length = compaction === undefined ? 1 : Number(compaction.version - compaction.first) + 1;
    if (compaction === undefined) single.push(commit);
    else {
      runs.push({ commits: single }, { commits: commits.slice(at, at + length), compaction });
      single = [];
    }
    at += length;
  }
  return [...runs, { commits: single }];
}
