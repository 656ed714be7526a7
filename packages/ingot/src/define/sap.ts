import { IngotError } from "../model/error.js";
import type { SapApi } from "./sap-types.js";
import type { Callee, Scope } from "./scope.js";

/** The functions of module `ingot/sap`. The SAP library is not there yet: each call is refused by name. */
export function createSapApi(scope: Scope): SapApi {
  const refuse = (name: string, callee: Callee): never => {
    throw new IngotError("NOT_SUPPORTED", `${name}() of ingot/sap is not supported yet`, {
      at: scope.places.callSite(callee),
      object: name,
      hint: "Declare the tables by hand: readFiles, table, temporaryView and createAutoCdcFlow of ingot.",
    });
  };
  const sapTable = (): never => refuse("sapTable", sapTable);
  const salesOrder = (): never => refuse("salesOrder", salesOrder);
  const texts = (): never => refuse("texts", texts);
  return Object.freeze({ sapTable, salesOrder, texts });
}
