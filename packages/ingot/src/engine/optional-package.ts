import { IngotError } from "../model/error.js";

/**
 * Loads packages that only some users install. Refused by name where one is not there.
 *
 * @param who subject and verb of the refusal: `s3:// paths need`
 * @param packages what to install, separated by blanks
 */
export async function optionalPackage<T>(who: string, packages: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND")) throw error;
    const several = packages.includes(" ");
    const missing = several ? `the packages ${packages}, which are` : `the package ${packages}, which is`;
    throw new IngotError("NOT_SUPPORTED", `${who} ${missing} not installed.`, { hint: `npm install ${packages}` });
  }
}
