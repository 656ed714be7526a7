import { describe, expect, it } from "vitest";
import { batchFile, manifest } from "../graph/test-builders.js";
import { fromStored, toStored } from "./portable-manifest.js";

const at = (root: string) =>
  manifest(3, {
    "stream files landing": { kind: "files", files: [{ ...batchFile("a.csv"), path: `${root}/landing/a.csv` }] },
    [`stream table ${root}/storage/warehouse/default/b`]: { kind: "appended", tableId: "b", to: "4" },
    [`whole table ${root}/other version 3`]: { kind: "snapshot", tableId: "o", version: "3" },
    [`stream changes ${root}/b`]: { kind: "changes", tableId: "b", after: "3", to: "4" },
    [`whole changes ${root}/b version 3 {"from":{"version":"0"}}`]: {
      kind: "changes",
      tableId: "b",
      after: "-1",
      to: "4",
    },
    "whole table /elsewhere/c": { kind: "snapshot", tableId: "c", version: "1" },
  });

describe("a stored manifest", () => {
  it("names no folder above the project's, and stays as it is for what lies outside", () => {
    const stored = toStored(at("/home/anna/shop"), "/home/anna/shop");
    expect(JSON.stringify(stored)).not.toContain("anna");
    expect(stored.inputs["whole table /elsewhere/c"]).toEqual({ kind: "snapshot", tableId: "c", version: "1" });
  });

  it("means the same files and tables wherever the project lies", () => {
    const stored = toStored(at("/home/anna/shop"), "/home/anna/shop");
    for (const root of ["/home/anna/shop", "/srv/shop"]) expect(fromStored(stored, root)).toEqual(at(root));
  });
});
