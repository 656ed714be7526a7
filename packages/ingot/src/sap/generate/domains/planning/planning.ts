import type { Domain, Emit } from "../../domain.js";
import { unknownProduct } from "../../faults/standing.js";
import { plantCode, randomOf, type World } from "../../world.js";
import { materialTerms } from "../materials.js";
import { emitDemand } from "./demand-rows.js";
import { MARKETS } from "./markets.js";

/** What the planning system has of each material, and of markets and locations. It knows no clients. */
export function planning(world: World): Domain {
  return {
    name: "planning",
    // A material each, and one for what is there once.
    count: world.isFirst ? 1 + world.volumes.materials : 0,
    changesPerDay: 0,
    creations: 0,
    ages: false,
    existing: (number) => ({
      change: () => {},
      rows: (emit) => (number === 0 ? emitMasters(world, emit) : emitMaterial(world, number - 1, emit)),
    }),
    created: () => {
      throw new Error("plans are of materials that are there from the start");
    },
  };
}

function emitMasters({ volumes }: World, emit: Emit): void {
  for (const { id, name, region, latitude, longitude } of MARKETS)
    emit("MASTER_CUSTOMER", {
      CUSTOMER_ID: id,
      CUSTOMER_DESCRIPTION: name,
      CUSTOMER_REGION: region,
      CUSTOMER_COUNTRY_REGION: name,
      DEMAND_TYPE: "Trade",
      DEMAND_SUB_TYPE: "Direct",
      LATITUDE: latitude,
      LONGTTITUDE: longitude,
    });
  // The last plant is not known there.
  for (let plant = 0; plant < Math.max(1, volumes.plants - 1); plant++)
    emit("MASTER_LOCATION", {
      LOCATION_ID: plantCode(plant),
      LOCATION_DESCRIPTION: `Location ${plantCode(plant)}`,
      LOCATION_REGION: "North",
      LOCATION_TYPE: plant % 3 === 2 ? "dc" : "plant",
      LATITUDE: "53.551100",
      LONGTTITUDE: "9.993700",
    });
}

function emitMaterial(world: World, number: number, emit: Emit): void {
  const random = randomOf(world, "planning", number);
  const product = productOf(world, number);
  emit("MASTER_LOCATION_PRODUCT", {
    LOCATION_ID: plantCode(0),
    PRODUCT_ID: product,
    MATERIAL_DESCRIPTION: `Product ${number}`,
    PLANT_EXCLUSION_X: random.chance(0.05) ? "X" : "",
    MARKET_DC_X: random.chance(0.3) ? "X" : "",
  });
  for (const market of MARKETS) {
    if (!random.chance(0.5)) continue;
    emit("MASTER_CUSTOMER_PRODUCT", {
      CUSTOMER_ID: market.id,
      PRODUCT_ID: product,
      MARKET_SEGMENT: random.pick(["Premium", "Standard"]),
      REMAINING_SHELF_LIFE: random.chance(0.8) ? `${random.pick([30, 90, 180])}` : "",
    });
    emitDemand(world, { number, product }, market, emit);
  }
}

/** What the planning system calls a material. */
function productOf(world: World, number: number): string {
  const share = world.unknownProducts;
  // Even where there are few, one is.
  const isUnknown = share > 0 && (number === 0 || randomOf(world, "unknown product", number).chance(share));
  return isUnknown ? unknownProduct(number) : materialTerms(world, number).matnr;
}
