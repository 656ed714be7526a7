import type { Domain, Entity } from "../domain.js";
import type { Random } from "../random.js";
import { randomOf, type World } from "../world.js";

export interface MasterData {
  readonly name: string;
  /** Whose rows it has, and part of the seeds. */
  readonly table: string;
  readonly count: number;
  /** Of how many changes of the system one is of these. */
  readonly oneChangeIn: number;
  /** Days before the history in which those of the start were created, at most. */
  readonly age: number;
}

/** Things that are there for long and change seldom. @param make by number and the day of creation */
export function masterData(
  world: World,
  { name, table, count, oneChangeIn, age }: MasterData,
  make: (number: number, created: number, random: Random) => Entity,
): Domain {
  const { start, volumes } = world;
  return {
    name,
    count,
    changesPerDay: Math.ceil(volumes.changesPerDay / oneChangeIn),
    creations: 10,
    ages: false,
    existing: (number) => {
      const random = randomOf(world, table, number);
      return make(number, start - volumes.history - random.below(age), random);
    },
    created: (number, { day }, random) => make(number, day, random),
  };
}
