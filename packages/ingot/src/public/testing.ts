import { loadProject as load } from "../define/load-project.js";
import { outsideScope } from "../define/outside.js";
import { createTestingApi } from "../define/testing.js";
import type { TestingApi } from "../define/testing-types.js";
import { openSystems } from "../sources/sap/load-source.js";

export type * from "../define/testing-types.js";
export type * from "../sap/generate/in-memory.js";

const api = createTestingApi(outsideScope());

/**
 * What a function declares: for helpers and loops. No engine, no disk.
 *
 * @param declare runs at once; one that waits is refused (NOT_SUPPORTED)
 */
export const collect: TestingApi["collect"] = api.collect;

/**
 * The definitions of a project as `ingot run` loads them, evaluated afresh.
 *
 * @param dir folder of the spec
 * @throws IngotError as a load: every fault at once
 */
export const loadProject: TestingApi["loadProject"] = (dir, options) => load(dir, options, openSystems);

/** Rows that stand in for a table. BIGINT is bigint; decimals, dates and times are text; columns left out are NULL. */
export const given: TestingApi["given"] = api.given;

/**
 * Runs one dataset over given inputs by the production path, in a temporary folder.
 *
 * @throws IngotError NOT_SUPPORTED: not there yet
 */
export const evaluate: TestingApi["evaluate"] = api.evaluate;

/**
 * Synthetic data of an SAP system, consistent in itself: the files of `ingot sap generate`, by their paths. The same
 * options give the same texts everywhere.
 *
 * @throws IngotError SAP_TABLE_NOT_FOUND, USAGE (an unknown kind of fault)
 */
export const generateSap: TestingApi["generateSap"] = api.generateSap;
