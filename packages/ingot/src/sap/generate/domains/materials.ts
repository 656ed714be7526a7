import { dats } from "../calendar.js";
import { decimal, padded } from "../decimal.js";
import type { Domain, Emit, Entity, Moment } from "../domain.js";
import type { Random } from "../random.js";
import { plantCode, randomOf, type World } from "../world.js";
import { masterData } from "./master-data.js";
import { closePeriods, periodFields } from "./stock/periods.js";
import { TRANSIT_PLANT, transitFields, transitOf } from "./stock/transit.js";

/** What documents take from their material. */
export interface MaterialTerms {
  readonly matnr: string;
  readonly group: string;
  readonly type: string;
  readonly unit: string;
  /** List price in hundredths of a currency of two decimals. */
  readonly price: number;
  /** Grams. */
  readonly weight: number;
  readonly isBatched: boolean;
}

export const MATERIAL_GROUPS = ["00101", "00102", "00207", "00300", "00415"] as const;
const GERMAN = ["Schraube", "Rohr", "Ventil", "Pumpe", "Kessel", "Dichtung"] as const;
const ENGLISH = ["Screw", "Pipe", "Valve", "Pump", "Boiler", "Seal"] as const;
const JAPANESE = ["ねじ", "パイプ", "バルブ", "ポンプ", "ボイラー", "シール"] as const;

/** Numbers of digits have zeros to 18 places, in both releases; each tenth material has letters. */
export function materialNumber(number: number): string {
  return number % 10 === 9 ? `MX-${padded(number, 6)}` : padded(1_000 + number, 18);
}

export function materialTerms(world: World, number: number): MaterialTerms {
  const random = randomOf(world, "MARA-terms", number);
  return {
    matnr: materialNumber(number),
    group: random.pick(MATERIAL_GROUPS),
    type: random.pick(["FERT", "FERT", "HAWA", "ROH"]),
    unit: random.pick(["ST", "ST", "ST", "KG", "M"]),
    price: random.logNormal(4_500),
    weight: random.between(10, 90_000),
    isBatched: random.chance(0.2),
  };
}

export function materials(world: World): Domain {
  const kind = { name: "materials", table: "MARA", count: world.volumes.materials, oneChangeIn: 100, age: 3000 };
  return masterData(world, kind, (number, created, random) => new Material(world, number, created, random));
}

class Material implements Entity {
  readonly #terms: MaterialTerms;
  readonly #kind: number;
  readonly #texts = new Map<string, string>();
  readonly #plants: number[] = [];
  #changed?: number;
  #status = "";
  #planningDays: number;

  readonly #world: World;
  readonly #number: number;
  readonly #created: number;

  constructor(world: World, number: number, created: number, random: Random) {
    this.#world = world;
    this.#number = number;
    this.#created = created;
    this.#terms = materialTerms(world, number);
    this.#kind = random.below(ENGLISH.length);
    this.#planningDays = random.between(1, 30);
    for (let plant = 0; plant < world.volumes.plants; plant++)
      if (plant < 2 || random.chance(2 / world.volumes.plants)) this.#plants.push(plant);
    this.#name(random);
  }

  /** E always, D for 80 of 100, J for 10; the first materials are the odd cases. */
  #name(random: Random): void {
    const size = `${random.between(1, 99)}`;
    const text = (words: readonly string[]) => `${words[this.#kind]} ${size} ${this.#number}`;
    const [hasGerman, hasJapanese] = [random.chance(0.8), random.chance(0.1)];
    this.#texts.clear();
    if (this.#number === 2) return;
    if (hasGerman || this.#number === 1) this.#texts.set("D", text(GERMAN));
    if (this.#number === 1) return;
    this.#texts.set("E", this.#number === 3 ? 'Pipe 1/2"; Größe "L"\nfor hot water' : text(ENGLISH));
    if (hasJapanese || this.#number === 4) this.#texts.set("J", text(JAPANESE));
    // Lower case is a language of its own.
    if (this.#number === 5) this.#texts.set("e", "eesti keel");
  }

  change({ day }: Moment, random: Random): void {
    this.#changed = day;
    const others = ["", "01", "02"].filter((status) => status !== this.#status);
    if (random.chance(0.3)) this.#status = random.pick(others);
    else if (random.chance(0.5)) this.#planningDays = (this.#planningDays % 30) + 1;
    else this.#name(random);
  }

  rows(emit: Emit): void {
    const { matnr, group, type, unit, weight, isBatched } = this.#terms;
    emit("MARA", {
      MATNR: matnr,
      ERSDA: dats(this.#created),
      ERNAM: "MASTER",
      ...(this.#changed === undefined ? {} : { LAEDA: dats(this.#changed), AENAM: "MASTER" }),
      VPSTA: "KEDVB",
      PSTAT: "KEDVB",
      MTART: type,
      MBRSH: "M",
      MATKL: group,
      MEINS: unit,
      BRGEW: decimal(Math.ceil(weight * 1.1), 3),
      NTGEW: decimal(weight, 3),
      GEWEI: "KG",
      SPART: "00",
      XCHPF: isBatched ? "X" : "",
      MSTAE: this.#status,
    });
    for (const [language, text] of this.#texts)
      emit("MAKT", { MATNR: matnr, SPRAS: language, MAKTX: text, MAKTG: text.toUpperCase() });
    const { current } = closePeriods(transitOf(this.#world, this.#number));
    for (const plant of this.#plants) {
      const onItsWay = plant === TRANSIT_PLANT ? current : undefined;
      emit("MARC", {
        MATNR: matnr,
        WERKS: plantCode(plant),
        PSTAT: "EDVB",
        EKGRP: "001",
        DISMM: "PD",
        DISPO: "001",
        PLIFZ: `${this.#planningDays}`,
        WEBAZ: "1",
        BESKZ: type === "FERT" ? "E" : "F",
        XCHPF: isBatched ? "X" : "",
        XCHAR: isBatched ? "X" : "",
        PRCTR: padded(1000 + this.#kind, 10),
        ...(onItsWay === undefined ? {} : { ...periodFields(onItsWay.period), ...transitFields(onItsWay.value) }),
      });
    }
  }
}
