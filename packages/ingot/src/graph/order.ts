import { IngotError } from "../model/error.js";
import type { Position } from "../model/position.js";

export interface Ordered {
  readonly key: string;
  /** Name and place for messages. */
  readonly name: string;
  readonly at: Position;
  readonly reads: ReadonlySet<string>;
}

/**
 * Upstream first; among equals, by name, so that the order never depends on files or on the clock.
 *
 * @throws IngotError CYCLE with all members, in the order in which they read each other
 */
export function orderByReads<T extends Ordered>(items: readonly T[]): T[] {
  const byKey = new Map(items.map((item) => [item.key, item]));
  const done = new Set<string>();
  const path: T[] = [];
  const order: T[] = [];
  const visit = (item: T): void => {
    if (done.has(item.key)) return;
    const start = path.indexOf(item);
    if (start !== -1) throw cycle(path.slice(start));
    path.push(item);
    for (const read of sorted([...item.reads].flatMap((key) => byKey.get(key) ?? []))) visit(read);
    path.pop();
    done.add(item.key);
    order.push(item);
  };
  for (const item of sorted(items)) visit(item);
  return order;
}

function sorted<T extends Ordered>(items: readonly T[]): T[] {
  return [...items].sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
}

function cycle(members: readonly Ordered[]): IngotError {
  const [first] = members;
  const names = members.map((m) => m.name);
  const chain = [...names, names[0] ?? ""].join(" reads ");
  return new IngotError(
    "CYCLE",
    names.length === 1 ? `${chain}: a dataset cannot read itself` : `These datasets need each other: ${chain}`,
    {
      ...(first === undefined ? {} : { at: first.at, object: first.name }),
      hint: "Take one of these reads out: a pipeline's datasets must have an order.",
    },
  );
}
