import { padded } from "../decimal.js";
import type { Domain } from "../domain.js";
import { plantCode, randomOf, type World } from "../world.js";
import { materialTerms } from "./materials.js";

/** Characteristics of materials and of their batches, and a routing of each that is made. */
export function classification(world: World): Domain {
  return {
    name: "classification",
    count: world.volumes.materials,
    changesPerDay: 0,
    creations: 0,
    ages: false,
    existing: (number) => ({
      change: () => {},
      rows: (emit) => {
        const random = randomOf(world, "AUSP", number);
        const { matnr, isBatched, type, unit } = materialTerms(world, number);
        const colour = random.pick(["RED", "BLUE", "GREY"]);
        emit("AUSP", {
          OBJEK: matnr,
          ATINN: "0000000815",
          ATZHL: "001",
          MAFID: "O",
          KLART: "001",
          ADZHL: "0000",
          ATWRT: colour,
        });
        // OBJEK is the batch's CUOBJ number; a date is a number in floating point.
        if (isBatched)
          emit("AUSP_BATCH", {
            OBJEK: padded(number, 18),
            ATINN: "0000000900",
            ATZHL: "001",
            MAFID: "O",
            KLART: "023",
            ADZHL: "0000",
            ATFLV: "2.0270115000000000E+07",
          });
        if (type === "FERT")
          emit("PLKO", {
            PLNTY: "N",
            PLNNR: padded(50_000_000 + number, 8),
            PLNAL: "01",
            ZAEHL: "00000001",
            WERKS: plantCode(0),
            STATU: "4",
            PLNME: unit,
          });
      },
    }),
    created: () => {
      throw new Error("classification is of materials that are there from the start");
    },
  };
}
