import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { GraphInput } from "../graph/graph.js";
import type { BatchInput } from "../model/batch.js";
import { describePart, isEmpty, isMoreBehind, nextPart, unreadRange, wholePart } from "./table-range.js";

type TableLeaf = GraphInput & { readonly kind: "table" };
const leaf = (options: TableLeaf["options"] = {}): TableLeaf => ({
  kind: "table",
  stream: true,
  location: "/p/orders",
  name: "orders",
  options,
});
const offer = (version: bigint, more: object = {}) => ({ kind: "table", tableId: "id", version, ...more }) as const;
const appended = (range: object): BatchInput => ({ kind: "appended", tableId: "id", to: "0", ...range });

describe("what a stream has not given yet", () => {
  it.each<[string, BatchInput | undefined, object, object]>([
    ["the whole table at first", undefined, {}, { to: "9" }],
    [
      "from its start at first, where it names one",
      undefined,
      { range: { from: 3n, to: 9n } },
      { after: "2", to: "9" },
    ],
    ["what is behind its position", appended({ to: "4" }), {}, { after: "4", to: "9" }],
    ["its start says nothing then", appended({ to: "4" }), { range: { from: 0n, to: 9n } }, { after: "4", to: "9" }],
    [
      "the rest of a version",
      appended({ after: "2", to: "4", untilFile: 7 }),
      {},
      { after: "3", to: "9", fromFile: 7 },
    ],
    ["the rest of the table as it stood", appended({ to: "4", untilFile: 7 }), {}, { to: "4", fromFile: 7 }],
    ["what is behind the table as it stood", appended({ to: "4", fromFile: 7 }), {}, { after: "4", to: "9" }],
  ])("%s", (_, before, more, expected) => {
    expect(unreadRange(offer(9n, more), before)).toEqual({ tableId: "id", ...expected });
  });

  it("gives every file of a table once, however limits cut it and whenever it grows", () => {
    // A version is a number of files; a step lets the table grow, and then reads one batch of at most so many files.
    const versions = fc.array(fc.nat({ max: 3 }), { maxLength: 3 });
    const steps = fc.array(fc.record({ grow: versions, most: fc.integer({ min: 1, max: 4 }) }), { maxLength: 12 });
    fc.assert(
      fc.property(versions, steps, (first, later) => {
        const table = [1, ...first];
        const read: string[] = [];
        let before: BatchInput | undefined;
        let begun: number | undefined;
        const take = (most: number): boolean => {
          const newest = BigInt(table.length - 1);
          const unread = unreadRange(offer(newest), before);
          if (isEmpty(unread)) return false;
          const all = filesOf(unread, table, begun ?? table.length - 1);
          begun ??= table.length - 1;
          const taken = all.slice(0, most);
          const [cutAt] = all.slice(most);
          const cut =
            cutAt === undefined
              ? { to: BigInt(unread.to) }
              : cutAt.number > 0
                ? { to: BigInt(cutAt.version), untilFile: cutAt.number }
                : { to: BigInt(cutAt.version - 1) };
          read.push(...taken.map((file) => file.name));
          before = nextPart(leaf(), offer(newest, { cut }), before);
          return isMoreBehind(before, offer(newest));
        };
        for (const { grow, most } of later) {
          table.push(...grow);
          take(most);
        }
        while (take(2));
        const every = table.flatMap((count, version) => Array.from({ length: count }, (_, i) => `${version}/${i}`));
        expect([...read].sort()).toEqual(every.sort());
      }),
    );
  });
});

interface File {
  readonly name: string;
  readonly version: number;
  readonly number: number;
}

/** The files of a range in their order; the whole table counts its files from 0 at the version where it was begun. */
function filesOf(
  { after, to, fromFile = 0 }: { after?: string; to: string; fromFile?: number },
  table: readonly number[],
  begun: number,
): File[] {
  const of = (version: number) => Array.from({ length: table[version] ?? 0 }, (_, i) => `${version}/${i}`);
  if (after === undefined) {
    const names = Array.from({ length: begun + 1 }, (_, version) => of(version)).flat();
    return names.map((name, number) => ({ name, number, version: begun })).slice(fromFile);
  }
  const versions = Array.from({ length: Number(to) - Number(after) }, (_, i) => Number(after) + 1 + i);
  return versions.flatMap((version, i) =>
    of(version)
      .map((name, number) => ({ name, number, version }))
      .slice(i === 0 ? fromFile : 0),
  );
}

describe("the part of a batch", () => {
  it("tells what kind of rows it gives", () => {
    const before = appended({ to: "4" });
    expect(nextPart(leaf(), offer(6n), before)).toEqual(appended({ after: "4", to: "6" }));
    expect(nextPart(leaf({ skipChangeCommits: true }), offer(6n), before)).toMatchObject({ skipsChanges: true });
    expect(nextPart(leaf({ changeFeed: true }), offer(6n), undefined)).toEqual({
      kind: "changes",
      tableId: "id",
      to: "6",
    });
  });

  it("of a read without STREAM is a version, or the range that table_changes names", () => {
    expect(wholePart(leaf(), offer(6n))).toEqual({ kind: "snapshot", tableId: "id", version: "6" });
    const range = { range: { from: 2n, to: 4n } };
    expect(wholePart(leaf({ changeFeed: true }), offer(6n, range))).toMatchObject({
      kind: "changes",
      after: "1",
      to: "4",
    });
  });

  it.each<[string, BatchInput, boolean, object]>([
    ["orders up to version 4", appended({ to: "4" }), true, {}],
    ["orders up to version 4 in part", appended({ to: "4", untilFile: 2 }), true, {}],
    ["orders version 5", appended({ after: "4", to: "5" }), false, {}],
    ["orders versions 5 to 7 in part", appended({ after: "4", to: "7", fromFile: 3 }), false, {}],
    ["", appended({ after: "4", to: "4" }), false, {}],
    ["orders behind version 4", appended({ after: "4", to: "4" }), true, {}],
    ["all rows of orders as inserts, version 4", { kind: "changes", tableId: "id", to: "4" }, true, {}],
    ["changes of orders version 5", { kind: "changes", tableId: "id", after: "4", to: "5" }, false, {}],
  ])("is told as '%s'", (text, part, isFirst, options) => {
    expect(describePart(part, leaf(options), isFirst)).toBe(text);
  });
});
