import { dats, tims } from "../../calendar.js";
import type { Emit, Moment } from "../../domain.js";
import { Random } from "../../random.js";
import type { World } from "../../world.js";

/** One follower of a document's item. */
export interface Follower {
  readonly from: readonly [document: string, position: string, type: string];
  readonly to: readonly [document: string, position: string, type: string];
  readonly at: Moment;
  /** Whether it follows through another document, which STUFE tells. */
  readonly isIndirect: boolean;
  readonly values: Readonly<Record<string, string>>;
}

/** Writes a row of VBFA. S/4HANA has a key of its own, RUUID. */
export function emitFlow(world: World, { from, to, at, isIndirect, values }: Follower, emit: Emit): void {
  emit("VBFA", {
    VBELV: from[0],
    POSNV: from[1],
    VBTYP_V: from[2],
    VBELN: to[0],
    POSNN: to[1],
    VBTYP_N: to[2],
    PLMIN: "+",
    STUFE: isIndirect ? "01" : "00",
    ERDAT: dats(at.day),
    ERZET: tims(at.second),
    ...(world.release === "s4" ? { RUUID: identifier(`${world.seed}/${world.client}/${from}/${to}`) } : {}),
    ...values,
  });
}

function identifier(key: string): string {
  const random = new Random(key);
  return [1, 2, 3, 4].map(() => random.next().toString(16).toUpperCase().padStart(8, "0")).join("");
}
