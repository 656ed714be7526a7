import { resolveChangeRange, type Store } from "@ingot/delta";
import type { AsOf, Moment } from "../../model/query.js";
import type { VersionRange } from "../engine.js";
import { snapshotOf } from "./table-state.js";

/** See `Engine.resolveRange`. @throws DeltaError, IngotError */
export async function resolveRange(
  store: Store,
  location: string,
  from: Moment | "latest",
  to: Moment | undefined,
): Promise<{ readonly from: bigint } & Pick<VersionRange, "to">> {
  const snapshot = await snapshotOf(store, location);
  if (snapshot === undefined) throw new Error(`unreachable: ${location} was described before`);
  if (from === "latest") return { from: snapshot.version + 1n, to: snapshot.version };
  return resolveChangeRange(store, snapshot, asOf(from), to && asOf(to));
}

function asOf(moment: Moment): AsOf {
  return "version" in moment ? { version: BigInt(moment.version) } : moment;
}
