import type { BoundInput, BoundQuery } from "../engine.js";

/** A table that a query reads, as it is now and as it was. */
export interface ChangedInput {
  readonly now: SnapshotInput;
  readonly before: SnapshotInput;
  /** Inputs whose rows stand in the result beside its own: what follows its changes leaves them out. */
  readonly apart: readonly BoundInput[];
}

type SnapshotInput = BoundInput & { readonly kind: "snapshot" };

/**
 * The inputs that are not as they were, where the query can follow their changes: through views, each of them must be
 * linear (see `Propagation`). Else why it cannot, in words.
 *
 * @param before the same query, bound to what it read then
 */
export function changedInputs(now: BoundQuery, before: BoundQuery): readonly ChangedInput[] | string {
  const views = new Set<BoundQuery>();
  const changed: ChangedInput[] = [];
  /**
   * @param obstacle why changes below cannot be followed
   * @param apart inputs of what reads the query that stand beside it
   */
  const look = (
    now: BoundQuery,
    before: BoundQuery,
    obstacle: string | undefined,
    apart: readonly BoundInput[],
  ): string | undefined => {
    if (now.rules !== undefined) return "expectations count all rows";
    for (const { id } of now.query.reads) {
      const [input, then] = [now.inputs.get(id), before.inputs.get(id)];
      if (input === undefined || then === undefined) throw new Error("unreachable: every relation is bound");
      const others = now.query.propagation?.linear[id];
      const here = obstacle ?? (others === undefined ? whyNot(now.query) : undefined);
      const beside = [...apart, ...(others ?? []).flatMap((other) => now.inputs.get(other) ?? [])];
      if (input.kind === "view" && then.kind === "view") {
        const { groups, totals } = input.view.query.propagation ?? {};
        const inner = groups === undefined && totals === undefined ? here : (here ?? GROUPS_BELOW);
        const repeated = views.has(input.view) ? (inner ?? "a view is read twice") : inner;
        views.add(input.view);
        const fault = look(input.view, then.view, repeated, beside);
        if (fault !== undefined) return fault;
      } else if (!isSame(input, then)) {
        if (here !== undefined) return here;
        if (input.kind !== "snapshot" || then.kind !== "snapshot") return "files do not tell which rows changed";
        changed.push({ now: input, before: then, apart: beside });
      }
    }
    return undefined;
  };
  return look(now, before, undefined, []) ?? changed;
}

/** Of a query one of whose relations is not linear. */
function whyNot({ propagation, entangled }: BoundQuery["query"]): string {
  if (propagation === undefined) return entangled ?? "the changes of what a dialect's query reads are not followed";
  return "an input is only looked into: in a subquery, or as the side of a join that is not kept; or it is read twice";
}

const GROUPS_BELOW = "a view below groups its rows";

function isSame(a: BoundInput, b: BoundInput): boolean {
  if (a.kind === "files" && b.kind === "files") {
    const hashes = ({ files }: typeof a) => files.map(({ path, sha256 }) => `${sha256} ${path}`).join("\n");
    return hashes(a) === hashes(b);
  }
  if (a.kind === "files" || b.kind === "files" || a.kind === "view" || b.kind === "view" || a.kind !== b.kind)
    return false;
  if (a.kind === "snapshot" || b.kind === "snapshot")
    return "version" in a && "version" in b && a.version === b.version;
  return a.after === b.after && a.to === b.to;
}
