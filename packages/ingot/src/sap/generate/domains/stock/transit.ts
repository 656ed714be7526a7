import { decimal } from "../../decimal.js";
import type { FieldValues } from "../../domain.js";
import { randomOf, type World } from "../../world.js";
import { periodOf, type State } from "./periods.js";

/** Stock on its way to a plant, in thousandths of the base unit: from a storage location of another, and by stock transport orders. */
export interface Transit {
  readonly transferred: number;
  readonly ordered: number;
}

/** The plant that stock is on its way to. */
export const TRANSIT_PLANT = 0;

/**
 * What was on its way of a material in the months before the start; nothing of most materials, and of those that come later. It
 * does not change afterwards: plant data and their history both have it.
 */
export function transitOf(world: World, material: number): State<Transit>[] {
  if (material % 10 !== 4 || material >= world.volumes.materials) return [];
  const random = randomOf(world, "MARCH", material);
  const [first, last] = [periodOf(world.start - world.volumes.history), periodOf(world.start - 1)];
  const states: State<Transit>[] = [];
  for (let period = first; period <= last; period++)
    if (period === first || random.chance(0.3)) {
      const [transferred, ordered] = [random.below(20) * 1000, random.below(40) * 1000];
      // What is on its way arrives some time.
      states.push({ period, value: random.chance(0.2) ? { transferred: 0, ordered: 0 } : { transferred, ordered } });
    }
  return states;
}

export function transitFields({ transferred, ordered }: Transit): FieldValues {
  return { UMLMC: decimal(transferred, 3), TRAME: decimal(ordered, 3) };
}
