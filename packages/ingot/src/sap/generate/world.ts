import type { Release } from "../conventions.js";
import { isWeekend } from "./calendar.js";
import { padded } from "./decimal.js";
import type { Moment } from "./domain.js";
import { Random } from "./random.js";
import type { Volumes } from "./volumes.js";

/** What all entities of one client know. */
export interface World {
  readonly seed: string;
  readonly client: string;
  /** Whether tables that all clients share are this one's to write. */
  readonly isFirst: boolean;
  readonly release: Release;
  /** The first day of the changes. */
  readonly start: number;
  /** Days of changes. */
  readonly days: number;
  readonly volumes: Volumes;
  /** The share of products that the planning system has and SAP has not. */
  readonly unknownProducts: number;
}

/** The numbers of one thing in one client. */
export function randomOf({ seed, client }: World, thing: string, number: number | string): Random {
  return new Random(`${seed}/${client}/${thing}/${number}`);
}

/** When an existing document was made: numbers rise with the days, weekends are rare. */
export function creationOf({ start, volumes }: World, number: number, count: number, random: Random): Moment {
  const day = start - volumes.history + Math.floor((number * volumes.history) / count);
  const kept = random.chance(0.05);
  const second = random.between(6 * 3600, 20 * 3600 - 1);
  return { day: isWeekend(day) && !kept ? day - 2 : day, second };
}

export interface Company {
  readonly code: string;
  readonly currency: string;
  readonly country: string;
  readonly name: string;
  readonly language: string;
}

const COMPANIES = [
  { code: "1000", currency: "EUR", country: "DE", name: "Ingot Handel GmbH", language: "D" },
  { code: "2000", currency: "USD", country: "US", name: "Ingot Trading Inc.", language: "E" },
] as const satisfies readonly Company[];

export function companies(): readonly Company[] {
  return COMPANIES;
}

/** The company that does business with a country. */
export function companyFor(country: string): Company {
  return COMPANIES[country === "US" ? 1 : 0];
}

/** Every second plant of four is in the United States. */
export function plantCompany(plant: number): Company {
  return COMPANIES[plant % 4 === 1 ? 1 : 0];
}

export function plantCode(plant: number): string {
  return `${1000 + 10 * plant}`;
}

/** One of the plants of a company. */
export function plantIn({ volumes }: World, company: Company, random: Random): number {
  const plant = random.below(volumes.plants);
  if (plantCompany(plant) === company) return plant;
  return company.code === "2000" ? 1 : 0;
}

export function storageLocation({ volumes }: World, random: Random): string {
  return padded(1 + random.below(Math.max(1, Math.floor(volumes.storageLocations / volumes.plants))), 4);
}
