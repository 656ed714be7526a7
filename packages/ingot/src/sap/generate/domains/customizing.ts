import { padded } from "../decimal.js";
import type { Domain, Emit } from "../domain.js";
import { companies, plantCode, plantCompany, type World } from "../world.js";
import { DECIMALS } from "./exchange-rates.js";

/** Organisation, currencies, units, languages: there from the start, and never changed. */
export function customizing(world: World): Domain {
  return {
    name: "customizing",
    count: 1 + world.volumes.plants,
    changesPerDay: 0,
    creations: 0,
    ages: false,
    existing: (number) => ({
      change: () => {},
      rows: (emit) => (number === 0 ? emitGeneral(world, emit) : emitPlant(world, number - 1, emit)),
    }),
    created: () => {
      throw new Error("customizing is there from the start");
    },
  };
}

const UNITS = [
  ["ST", "AAAADL", "PCE", "1", "1", "0"],
  ["KG", "MASS", "KGM", "1", "1", "0"],
  ["G", "MASS", "GRM", "1", "1", "-3"],
  ["LB", "MASS", "LBR", "45359237", "100000000", "0"],
  ["M", "LENGTH", "MTR", "1", "1", "0"],
] as const;
const LANGUAGES = [
  ["D", "DE"],
  ["E", "EN"],
  ["J", "JA"],
  ["e", "ET"],
] as const;

function emitGeneral({ isFirst }: World, emit: Emit): void {
  for (const { code, currency, country, name, language } of companies()) {
    emit("T001", {
      BUKRS: code,
      BUTXT: name,
      LAND1: country,
      WAERS: currency,
      SPRAS: language,
      KTOPL: "INT",
      PERIV: "K4",
    });
    emit("T024E", { EKORG: code, EKOTX: `Purchasing ${country}`, BUKRS: code });
  }
  emit("T024", { EKGRP: "001", EKNAM: "Purchasing group 1" });
  emit("T024", { EKGRP: "002", EKNAM: "Purchasing group 2" });
  for (const [unit, dimension, iso, over, under, exponent] of UNITS)
    emit("T006", {
      MSEHI: unit,
      DIMID: dimension,
      ZAEHL: over,
      NENNR: under,
      EXP10: exponent,
      DECAN: "3",
      ISOCODE: iso,
    });
  if (!isFirst) return;
  for (const [language, iso] of LANGUAGES) emit("T002", { SPRAS: language, LAISO: iso });
  for (const [currency, decimals] of DECIMALS) emit("TCURX", { CURRKEY: currency, CURRDEC: `${decimals}` });
}

function emitPlant({ volumes }: World, plant: number, emit: Emit): void {
  const [code, company] = [plantCode(plant), plantCompany(plant)];
  emit("T001W", {
    WERKS: code,
    NAME1: `Plant ${code}`,
    BWKEY: code,
    LAND1: company.country,
    EKORG: company.code,
    VKORG: company.code,
    SPRAS: company.language,
    FABKL: company.country,
  });
  emit("T001K", { BWKEY: code, BUKRS: company.code });
  for (let i = 1; i <= Math.max(1, Math.floor(volumes.storageLocations / volumes.plants)); i++)
    emit("T001L", { WERKS: code, LGORT: padded(i, 4), LGOBE: `Store ${i}` });
}
