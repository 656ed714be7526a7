import { localStore } from "@ingot/delta";
import { expect, it } from "vitest";
import { optionalPackage } from "../engine/optional-package.js";
import { parseAdls } from "./adls-store.js";
import { parseGcs } from "./gcs-store.js";
import { openStores } from "./store-for.js";

it("gives one store for all paths of a kind", () => {
  const storeFor = openStores({});
  expect(storeFor("/data/t")).toBe(localStore);
  expect(storeFor("data/t")).toBe(localStore);
  expect(storeFor("s3://a/t")).toBe(storeFor("s3a://b/t"));
  expect(storeFor("abfss://c@a.dfs.core.windows.net/t")).not.toBe(storeFor("gs://a/t"));
});

it.each(["hdfs://host/t", "S3://bucket/t", "constructor://x", "file:///t"])("refuses %s by its scheme", (path) => {
  expect(() => openStores({})(path)).toThrow(expect.objectContaining({ code: "NOT_SUPPORTED", object: path }));
});

it("refuses a path of another cloud", async () => {
  await expect(openStores({})("gs://a/t").read("s3://a/t")).rejects.toMatchObject({ code: "NOT_SUPPORTED" });
});

it("tells which package is to be installed", async () => {
  const load = () => import("a-package-that-is-not-there" as string);
  await expect(optionalPackage("x:// paths need", "a-package", load)).rejects.toMatchObject({
    code: "NOT_SUPPORTED",
    message: "x:// paths need the package a-package, which is not installed.",
    hint: "npm install a-package",
  });
});

it("takes paths apart", () => {
  expect(parseAdls("abfss://c@a.dfs.core.windows.net/x y/%20")).toEqual({
    bucket: "c@a.dfs.core.windows.net",
    key: "x y/%20",
  });
  expect(parseAdls("abfss://a.dfs.core.windows.net/x")).toBeUndefined();
  expect(parseGcs("gs://b/x")).toEqual({ bucket: "b", key: "x" });
});
