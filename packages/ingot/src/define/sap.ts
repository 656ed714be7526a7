import { IngotError } from "../model/error.js";
import type { SapSystem } from "../sap/system.js";
import { createSapTable } from "./sap-table.js";
import { createTexts } from "./sap-texts.js";
import type { SapApi } from "./sap-types.js";
import type { Scope } from "./scope.js";

/**
 * The functions of module `ingot/sap`.
 *
 * @param systems the sources of the spec, or the default one where it declares none
 */
export function createSapApi(scope: Scope, systems: readonly SapSystem[]): SapApi {
  const salesOrder = (): never => {
    throw new IngotError("NOT_SUPPORTED", "salesOrder() of ingot/sap is not supported yet", {
      at: scope.places.callSite(salesOrder),
      object: "salesOrder",
      hint: "Join the tables of sapTable in a materialized view of your own.",
    });
  };
  return Object.freeze({
    sapTable: createSapTable(scope, systems),
    salesOrder,
    texts: createTexts(scope, systems),
  });
}
