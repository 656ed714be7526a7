import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

/**
 * The folder with the public test tables of delta-io/delta, delta-rs and delta-kernel-rs (`tables`) and with what
 * DuckDB's delta extension 1.5.5 makes of each (`expected.json`). It lies outside this repository: `delta` in a folder
 * beside it, or where DELTA_CONFORMANCE points. Undefined when it is absent.
 */
export function findSuite(): string | undefined {
  const folder = join(import.meta.dirname, "../../..");
  const beside = readdirSync(folder).map((name) => join(folder, name, "delta"));
  return process.env["DELTA_CONFORMANCE"] ?? beside.find((path) => existsSync(join(path, "expected.json")));
}
