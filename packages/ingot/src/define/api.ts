import type { Api } from "./api-types.js";
import { createAutoCdc } from "./auto-cdc.js";
import { createDatasets } from "./datasets.js";
import { createExpectations } from "./expectations.js";
import { createFlows } from "./flows.js";
import { createProjectFunctions } from "./project-functions.js";
import { createReadFiles } from "./read-files.js";
import { createRelations } from "./relations.js";
import type { Scope } from "./scope.js";
import { createSqlTag } from "./sql-tag.js";

/** The functions of module `ingot`, all working for one scope. */
export function createApi(scope: Scope): Api {
  return Object.freeze({
    sql: createSqlTag(scope),
    readFiles: createReadFiles(scope),
    ...createRelations(scope),
    ...createDatasets(scope),
    ...createFlows(scope),
    ...createAutoCdc(scope),
    ...createExpectations(scope),
    ...createProjectFunctions(scope),
  });
}
