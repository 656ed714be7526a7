import { describe, expect, it } from "vitest";
import { writeProject } from "../define/project-fixture.js";
import type { Io } from "./io.js";
import { main } from "./main.js";
import { createProgram } from "./program.js";
import { testIo } from "./test-io.js";

async function run(argv: readonly string[], more: Partial<Io> = {}) {
  const io = testIo(more);
  const code = await main(argv, io, "1.2.3");
  return { code, out: io.out(), err: io.err() };
}

const COMMANDS = createProgram(testIo(), "1.2.3", () => {}).commands.map((c) => c.name());

describe("help", () => {
  it.each(COMMANDS)("of %s has less than 25 lines, examples first", async (name) => {
    const { code, out, err } = await run([name, "--help"]);
    expect([code, err]).toEqual([0, ""]);
    expect(out.trimEnd().split("\n").length).toBeLessThan(25);
    expect(out).toMatch(new RegExp(`^Examples:\n  ingot ${name}`));
    for (const line of out.split("\n")) expect(line.length).toBeLessThanOrEqual(120);
  });

  it("of the program lists every command, asked for or not", async () => {
    const asked = await run(["--help"]);
    expect(asked).toEqual(await run([]));
    expect(asked.code).toBe(0);
    for (const name of COMMANDS) expect(asked.out).toContain(`  ${name} `);
  });

  it("--version gives the version alone", async () => {
    expect(await run(["--version"])).toEqual({ code: 0, out: "1.2.3\n", err: "" });
  });
});

describe("a command line that is wrong", () => {
  it.each([
    [["rnu"], /unknown command 'rnu'/, /Did you mean run\?/],
    [["run", "--full-refesh", "a"], /unknown option '--full-refesh'/, /Did you mean --full-refresh\?/],
    [["run", "--what"], /unknown option '--what'/, /ingot run --help/],
    [["query"], /missing required argument 'sql'/, /ingot query --help/],
    [["run", "extra"], /too many arguments/, /ingot run --help/],
    [["run", "--set", "novalue"], /Write key=value/, /./],
    [["run", "--refresh", ","], /Name at least one table/, /./],
    [["show", "--limit", "-1"], /whole number|argument missing/, /./],
    [["show", "--limit", "many"], /whole number/, /./],
    [["run", "--spec", "a", "--project", "b"], /cannot be used with/, /./],
    [["run", "--json", "--json-stream"], /cannot be used with/, /./],
  ])("%j ends with 2 and the next step", async (argv, message, hint) => {
    const { code, out, err } = await run(argv);
    expect(code).toBe(2);
    const [first, next] = err.split("\n");
    expect(first).toMatch(/^error\[USAGE\]: /);
    expect(first).toMatch(message);
    expect(next).toMatch(/^ {2}next: /);
    expect(next).toMatch(hint);
    if (argv.includes("--json")) expect(JSON.parse(out)).toMatchObject({ errors: [{ code: "USAGE" }] });
  });
});

describe("errors of a command", () => {
  it("give their own exit code, in text and as JSON", async () => {
    const cwd = writeProject({});
    const { code, out, err } = await run(["run", "--project", "gone", "--json"], { cwd });
    expect(code).toBe(3);
    expect(err).toMatch(/^error\[PIPELINE_SPEC_FILE_NOT_FOUND\]: There is no folder/);
    expect(JSON.parse(out)).toMatchObject({
      errors: [{ code: "PIPELINE_SPEC_FILE_NOT_FOUND", hint: "Check --project." }],
    });
  });

  it("have colour only where it is wanted", async () => {
    const red = "\u001B[31m";
    const argv = ["run", "--project", "gone"];
    const cwd = writeProject({});
    expect((await run(argv, { cwd })).err).not.toContain(red);
    const forced = { cwd, env: { FORCE_COLOR: "1" } };
    expect((await run(argv, forced)).err).toContain(red);
    expect((await run([...argv, "--no-color"], forced)).err).not.toContain(red);
    expect((await run(argv, { cwd, env: { FORCE_COLOR: "1", NO_COLOR: "1" } })).err).not.toContain(red);
  });
});

it.each([
  [["a=1", "b=x=y", "c="], { a: "1", b: "x=y", c: "" }],
  [["a=1", "a=2"], { a: "2" }],
])("--set %j gives %j", (settings, expected) => {
  const program = createProgram(testIo(), "1.2.3", () => {});
  const dryRun = program.commands.find((c) => c.name() === "dry-run");
  dryRun?.parseOptions(settings.flatMap((s) => ["--set", s]));
  expect(dryRun?.opts()).toMatchObject({ set: expected });
});
