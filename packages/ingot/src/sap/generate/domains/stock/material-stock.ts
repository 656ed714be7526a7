import type { Random } from "../../random.js";
import { randomOf, type World } from "../../world.js";
import { type MaterialTerms, materialTerms } from "../materials.js";
import { type Period, periodOf, type State } from "./periods.js";

/** Thousandths of the base unit, by stock type. */
export interface Quantities {
  readonly unrestricted: number;
  readonly quality: number;
  readonly blocked: number;
  readonly restricted: number;
  readonly inTransfer: number;
}

/** One stock of a material: in a plant's storage location, of a batch where it has some; or at a supplier. */
export interface Stock {
  readonly plant: number;
  /** Blank of a material without batches. */
  readonly batch: string;
  /** The supplier who has it, of special stock O. */
  readonly supplier?: number;
  states: readonly State<Quantities>[];
}

/** Hundredths for so many base units. */
export interface Price {
  readonly amount: number;
  readonly per: number;
}

/** All stock of a material, and what it cost in each valuation area. */
export interface MaterialStock {
  readonly number: number;
  readonly terms: MaterialTerms;
  readonly stocks: readonly Stock[];
  /** By plant. */
  readonly prices: Map<number, readonly State<Price>[]>;
}

/** All materials have plant data in the first plants. */
const PLANTS = 2;

export function createStock(world: World, number: number): MaterialStock {
  const random = randomOf(world, "MARD", number);
  const terms = materialTerms(world, number);
  const [first, last] = [periodOf(world.start - world.volumes.history), periodOf(world.start - 1)];
  const stocks: Stock[] = [];
  const prices = new Map<number, readonly State<Price>[]>();
  for (let plant = 0; plant < Math.min(PLANTS, world.volumes.plants); plant++) {
    const per = random.chance(0.2) ? 100 : 1;
    prices.set(
      plant,
      move(first, last, 0.2, random, () => priceOf(terms, per, random)),
    );
    for (let i = 0; i < (terms.isBatched ? 2 : 1); i++) {
      const batch = terms.isBatched ? `B${number}-${plant}${i}` : "";
      const begun = first + random.below(last - first + 1);
      stocks.push({ plant, batch, states: move(begun, last, 0.4, random, () => quantitiesOf(random)) });
    }
  }
  if (number % 20 === 7) {
    const supplier = random.below(world.volumes.suppliers);
    const states = move(first, last, 0.3, random, () => ({ ...NOTHING, unrestricted: random.below(50) * 1000 }));
    stocks.push({ plant: 0, batch: "", supplier, states });
  }
  return { number, terms, stocks, prices };
}

/** A state of the first period, and one of each later one by chance. */
function move<T>(first: Period, last: Period, share: number, random: Random, next: () => T): State<T>[] {
  const states = [{ period: first, value: next() }];
  for (let period = first + 1; period <= last; period++)
    if (random.chance(share)) states.push({ period, value: next() });
  return states;
}

const NOTHING: Quantities = { unrestricted: 0, quality: 0, blocked: 0, restricted: 0, inTransfer: 0 };

export function quantitiesOf(random: Random): Quantities {
  const some = (share: number) => (random.chance(share) ? random.below(20) * 1000 : 0);
  return {
    // Sometimes nothing is left.
    unrestricted: random.chance(0.05) ? 0 : random.below(400) * 500,
    quality: some(0.2),
    blocked: some(0.1),
    restricted: some(0.05),
    inTransfer: some(0.05),
  };
}

export function priceOf({ price }: MaterialTerms, per: number, random: Random): Price {
  return { amount: Math.max(1, Math.floor((price * per * random.between(60, 90)) / 100)), per };
}
