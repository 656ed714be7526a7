import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { writeProject } from "../define/project-fixture.js";
import { rejected } from "../graph/test-builders.js";
import { readSpec } from "./spec.js";

const read = async (alerts: string) => {
  const root = writeProject({ "ingot.yml": `name: shop\nstorage: state\nalerts:\n${alerts}` });
  return JSON.parse(JSON.stringify((await readSpec(join(root, "ingot.yml"))).alerts).replaceAll(root, "ROOT"));
};

describe("alerts", () => {
  it("have a target each, and are of all kinds unless they say otherwise", async () => {
    const text = `  ops: {webhook: "https://hooks.example/x?y=1", secret: OPS_KEY, on: [failed, drift]}
  page: {command: ./page.sh --urgent}
  kept: {file: logs/alerts.ndjson}
`;
    const all = ["failed", "gate", "drift", "quarantine"];
    expect(await read(text)).toMatchObject([
      {
        name: "ops",
        on: ["failed", "drift"],
        target: { kind: "webhook", url: "https://hooks.example/x?y=1", secret: "OPS_KEY" },
      },
      { name: "page", on: all, target: { kind: "command", command: "./page.sh --urgent", folder: "ROOT" } },
      { name: "kept", on: all, target: { kind: "file", path: "ROOT/logs/alerts.ndjson" } },
    ]);
  });

  it.each([
    ["ops: {secret: K}", "needs one target"],
    ["ops: {file: a, command: b}", "needs one target"],
    ['ops: {file: ""}', "is empty"],
    ["ops: {file: a, secret: K}", "is for a webhook alone"],
    ["ops: {webhook: ftp://a, secret: K}", "is no address"],
    ["ops: {webhook: https://me:pw@a, secret: K}", "is no address"],
    ["ops: {webhook: https://a}", "lacks `secret`"],
    ["ops: {webhook: https://a, secret: s3cr-et!}", "is no name of a variable"],
    ["ops: {file: a, on: [fialed]}", "has fialed"],
    ["o-p: {file: a}", "is no name of an alert"],
  ])("%s is refused", async (text, why) => {
    const error = await rejected(read(`  ${text}\n`));
    expect(error.code).toBe("PIPELINE_SPEC_INVALID_VALUE");
    expect(error.message).toContain(why);
    expect(error.at?.line).toBe(4);
    expect(error.message).not.toContain("s3cr-et!");
  });
});
