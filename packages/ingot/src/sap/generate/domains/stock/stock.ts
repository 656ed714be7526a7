import type { Domain, Emit, Entity, Moment } from "../../domain.js";
import type { Random } from "../../random.js";
import type { World } from "../../world.js";
import { createStock, type MaterialStock, priceOf, quantitiesOf } from "./material-stock.js";
import { periodOf, withState } from "./periods.js";
import { emitStock } from "./stock-rows.js";

/** Stock by month with its history, and valuation with its own. */
export function stock(world: World): Domain {
  return {
    name: "stock",
    count: world.volumes.materials,
    changesPerDay: Math.ceil(world.volumes.changesPerDay / 50),
    creations: 0,
    ages: false,
    existing: (number) => new StockEntity(world, createStock(world, number)),
    created: () => {
      throw new Error("stock is of materials that are there from the start");
    },
  };
}

class StockEntity implements Entity {
  readonly #world: World;
  readonly #stock: MaterialStock;

  constructor(world: World, material: MaterialStock) {
    this.#world = world;
    this.#stock = material;
  }

  /** Something moves; one time in five a price. */
  change({ day }: Moment, random: Random): void {
    const { stocks, prices, terms } = this.#stock;
    const moved = random.pick(stocks);
    const known = prices.get(moved.plant) ?? [];
    const per = known.at(-1)?.value.per ?? 1;
    if (random.chance(0.2)) prices.set(moved.plant, withState(known, periodOf(day), priceOf(terms, per, random)));
    else {
      const quantities = quantitiesOf(random);
      // At a supplier nothing is blocked.
      const value = moved.supplier === undefined ? quantities : { ...quantities, blocked: 0 };
      moved.states = withState(moved.states, periodOf(day), value);
    }
  }

  rows(emit: Emit): void {
    emitStock(this.#world, this.#stock, emit);
  }
}
