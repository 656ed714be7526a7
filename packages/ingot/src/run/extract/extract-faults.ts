import { IngotError } from "../../model/error.js";
import type { ServiceFault } from "../../sources/odata/fault.js";
import type { DeltaToken } from "../../sources/odata/link.js";
import type { KeyColumns } from "./row-key.js";

/** What a service answers where the changes behind a token are asked for, as the user sees it. */
export function tokenFault(fault: ServiceFault, { token }: DeltaToken, name: string): Error {
  const { status, message } = fault;
  const object = `extracts.${name}`;
  if (status === 400 && /selection/i.test(message))
    return new IngotError(
      "EXTRACT_SELECTION_CHANGED",
      `The service takes the token ${token} for another selection: ${message}`,
      {
        object,
        hint: `Load anew: ingot extract ${name} --restart`,
      },
    );
  if (status === 400 || status === 404 || status === 410)
    return new IngotError(
      "EXTRACT_TOKEN_EXPIRED",
      `The service does not know the token ${token} of ${name}: ${message}`,
      {
        object,
        hint: `Where the service itself is well, load anew, which also finds what was deleted meanwhile: ingot extract ${name} --restart`,
      },
    );
  return fault;
}

export function deltaLost(name: string, isApplied: boolean): IngotError {
  return new IngotError(
    "EXTRACT_DELTA_LOST",
    `Delta mode of ${name} is lost: the last page has no token, and the service lists none of an initial load${isApplied ? "" : "; nor does it say that it tracks changes"}`,
    {
      object: `extracts.${name}`,
      hint: "Nothing was landed. Check that the set tracks changes (sap:change-tracking); for one that does not, write `changes: none`.",
    },
  );
}

export function duplicateKey(text: string, { columns }: KeyColumns, name: string): IngotError {
  return new IngotError("EXTRACT_DUPLICATE_KEY", `${name} served the key ${text} twice in one load`, {
    object: columns.join(", "),
    hint: "Rows have moved between its pages, or the key is longer. Nothing was landed: read it with `paging: key`, or correct `keys`.",
  });
}

export function countDiffers(name: string, count: number, rows: number): IngotError {
  return new IngotError("EXTRACT_COUNT_DIFFERS", `${name} has ${count} rows by its own count, and served ${rows}`, {
    object: `extracts.${name}`,
    hint: "Rows may have come or gone between its pages. Nothing was landed: run it again while nobody writes, or read it with `paging: key`.",
  });
}
