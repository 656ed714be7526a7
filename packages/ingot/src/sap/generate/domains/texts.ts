import type { Domain, Emit } from "../domain.js";
import type { World } from "../world.js";
import { MATERIAL_GROUPS } from "./materials.js";

/** Texts of codes, in two languages where they have two. */
export function texts({ isFirst }: World): Domain {
  return {
    name: "texts",
    count: 1,
    changesPerDay: 0,
    creations: 0,
    ages: false,
    existing: () => ({ change: () => {}, rows: (emit) => emitTexts(emit, isFirst) }),
    created: () => {
      throw new Error("texts are there from the start");
    },
  };
}

const TYPES = [
  ["FERT", "Finished product", "Fertigerzeugnis"],
  ["HAWA", "Trading goods", "Handelsware"],
  ["ROH", "Raw material", "Rohstoff"],
] as const;
const UNITS = [
  ["ST", "PC", "Piece", "ST", "Stück"],
  ["KG", "KG", "Kilogram", "KG", "Kilogramm"],
  ["G", "G", "Gram", "G", "Gramm"],
  ["LB", "LB", "Pound", "PFD", "Pfund (US)"],
  ["M", "M", "Metre", "M", "Meter"],
] as const;
const ORIGINS = [
  ["01", "Goods receipt"],
  ["04", "Goods receipt from production"],
  ["09", "Recurring inspection"],
] as const;

function emitTexts(emit: Emit, isFirst: boolean): void {
  MATERIAL_GROUPS.forEach((group, i) => {
    emit("T023T", { SPRAS: "E", MATKL: group, WGBEZ: `Group ${group}`, WGBEZ60: `Material group ${group}` });
    // The last one has no German text.
    if (i < MATERIAL_GROUPS.length - 1) emit("T023T", { SPRAS: "D", MATKL: group, WGBEZ: `Gruppe ${group}` });
  });
  for (const [type, english, german] of TYPES) {
    emit("T134T", { SPRAS: "E", MTART: type, MTBEZ: english });
    emit("T134T", { SPRAS: "D", MTART: type, MTBEZ: german });
  }
  for (const [unit, english, long, german, lang] of UNITS) {
    emit("T006A", { SPRAS: "E", MSEHI: unit, MSEH3: english, MSEHL: long });
    emit("T006A", { SPRAS: "D", MSEHI: unit, MSEH3: german, MSEHL: lang });
  }
  for (const [origin, text] of ORIGINS) {
    emit("TQ30T", { SPRACHE: "E", ART: origin, KURZTEXT: text });
    // All clients share it.
    if (isFirst) emit("TQ31T", { SPRACHE: "E", HERKUNFT: origin, HERKTXT: text });
  }
  emit("T161T", { SPRAS: "E", BSART: "NB", BSTYP: "F", BATXT: "Standard PO" });
  emit("T161T", { SPRAS: "D", BSART: "NB", BSTYP: "F", BATXT: "Normalbestellung" });
  emit("T077K", { KTOKK: "KRED", NUMKR: "01" });
}
