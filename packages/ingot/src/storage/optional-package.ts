import { IngotError } from "../model/error.js";

/** Loads a package that only some users install. Refused by its name where it is not there. */
export async function optionalPackage<T>(paths: string, name: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND")) throw error;
    throw new IngotError("NOT_SUPPORTED", `${paths} paths need the package ${name}, which is not installed.`, {
      hint: `npm install ${name}`,
    });
  }
}
