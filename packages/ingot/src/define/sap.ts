import type { SapSystem } from "../sap/system.js";
import type { SapApi } from "./sap-api-types.js";
import { createDocuments } from "./sap-documents.js";
import { createRates } from "./sap-rates.js";
import { createSapTable } from "./sap-table.js";
import { createTexts } from "./sap-texts.js";
import type { Scope } from "./scope.js";

/**
 * The functions of module `ingot/sap`.
 *
 * @param systems the sources of the spec, or the default one where it declares none
 */
export function createSapApi(scope: Scope, systems: readonly SapSystem[]): SapApi {
  return Object.freeze({
    sapTable: createSapTable(scope, systems),
    ...createDocuments(scope, systems),
    texts: createTexts(scope, systems),
    rates: createRates(scope, systems),
  });
}
