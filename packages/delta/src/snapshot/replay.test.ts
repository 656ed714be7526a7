import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Action, type AddFile, fileKey } from "../log/actions.js";
import { applyActions, emptyState } from "./log-state.js";

/** Few paths and vectors, so that actions meet. */
const file = fc
  .record({ path: fc.constantFrom("a", "b", "c"), vector: fc.constantFrom(undefined, "x", "y"), size: fc.nat() })
  .map(({ path, vector, size }): AddFile => {
    const deletionVector =
      vector === undefined ? undefined : { storageType: "i", pathOrInlineDv: vector, sizeInBytes: 1, cardinality: 1n };
    return { path, uri: path, partitionValues: {}, size, modificationTime: 0, dataChange: true, deletionVector };
  });
const action: fc.Arbitrary<Action> = fc.oneof(
  file.map((add) => ({ add })),
  file.map((remove) => ({ remove })),
);

/** The protocol's words: of each logical file the newest reference counts. */
function newestReferences(actions: readonly Action[]): AddFile[] {
  return actions.flatMap((last, index) => {
    const key = keyOf(last);
    const isNewest = !actions.slice(index + 1).some((later) => keyOf(later) === key);
    return isNewest && "add" in last ? [last.add] : [];
  });
}

function keyOf(fileAction: Action): string | undefined {
  if ("add" in fileAction) return fileKey(fileAction.add);
  return "remove" in fileAction ? fileKey(fileAction.remove) : undefined;
}

function bySize(files: Iterable<AddFile>): AddFile[] {
  return [...files].sort((a, b) => a.size - b.size || fileKey(a).localeCompare(fileKey(b)));
}

describe("replay", () => {
  it("keeps the newest reference to each logical file, however the actions are split into commits", () => {
    fc.assert(
      fc.property(fc.array(fc.array(action, { maxLength: 5 }), { maxLength: 10 }), (commits) => {
        const state = emptyState();
        for (const actions of commits) applyActions(state, actions);
        const whole = emptyState();
        applyActions(whole, commits.flat());
        expect(bySize(state.files.values())).toEqual(bySize(newestReferences(commits.flat())));
        expect(state.files).toEqual(whole.files);
      }),
    );
  });

  it("takes the last protocol, metadata, transaction and domain, and the last commit's own information", () => {
    const state = emptyState();
    const domain = { domain: "d", configuration: "1" };
    applyActions(state, [
      { protocol: { minReaderVersion: 1, minWriterVersion: 2 } },
      { txn: { appId: "a", version: 9n } },
      { domainMetadata: { ...domain, removed: false } },
      { commitInfo: { operation: "WRITE" } },
    ]);
    expect(state.domains).toEqual(new Map([["d", "1"]]));
    applyActions(state, [
      { protocol: { minReaderVersion: 1, minWriterVersion: 4 } },
      { txn: { appId: "a", version: 3n } },
      { domainMetadata: { ...domain, removed: true } },
    ]);
    expect(state).toMatchObject({ protocol: { minWriterVersion: 4 }, commitInfo: undefined });
    expect(state.transactions).toEqual(new Map([["a", { appId: "a", version: 3n }]]));
    expect(state.domains.size).toBe(0);
  });
});
