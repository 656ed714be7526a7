import { expect, it } from "vitest";
import { checkVersion } from "./open-session.js";

it.each(["4.0.0", "4.2.0", "4.2.1-SNAPSHOT", "10.0"])("takes Spark %s", (version) => {
  expect(() => checkVersion(version, "h:1")).not.toThrow();
});

it.each(["3.5.6", "2.4", "", "x"])("refuses Spark '%s'", (version) => {
  expect(() => checkVersion(version, "h:1")).toThrow(expect.objectContaining({ code: "SPARK_TOO_OLD", object: "h:1" }));
});
