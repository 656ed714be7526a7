import { execFile } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import { afterAll, expect, it } from "vitest";
import { removeProjects, writeProject } from "../define/project-fixture.js";

afterAll(removeProjects);

const TIMES = 40;

/**
 * Holds the lock `TIMES` times, and each time leaves it as a process does that dies: the others find a dead lock all
 * the time. Two holders at once would both make the marker. Prints how often that happened. A pause of random length
 * stands before each call that the lock can make of the file system, so that the processes meet in every order.
 */
const TAKER = `
  import fs, { renameSync, rmSync, writeFileSync } from "node:fs";
  import { syncBuiltinESMExports } from "node:module";
  import { hostname } from "node:os";
  const cell = new Int32Array(new SharedArrayBuffer(4));
  for (const [calls, names] of [
    [fs, ["linkSync", "readFileSync", "renameSync", "rmSync", "statSync"]],
    [fs.promises, ["link", "readFile", "rename", "rm"]],
  ]) {
    for (const name of names) {
      const call = calls[name];
      calls[name] = (...args) => {
        Atomics.wait(cell, 0, 0, Math.random() * 4);
        return call(...args);
      };
    }
  }
  syncBuiltinESMExports();
  import { takeLock } from "./lock.js";
  const [, , storage, name] = process.argv;
  let twice = 0;
  for (let held = 0; held < ${TIMES}; ) {
    const run = name + held;
    try { await takeLock(storage, run); } catch (error) { if (error.code !== "RUN_LOCKED") throw error; continue; }
    try { writeFileSync(storage + "/held", run, { flag: "wx" }); } catch { twice++; }
    Atomics.wait(cell, 0, 0, Math.random() * 30);
    rmSync(storage + "/held", { force: true });
    writeFileSync(storage + "/" + name, JSON.stringify({ pid: 2 ** 30, host: hostname(), run, since: "" }));
    renameSync(storage + "/" + name, storage + "/_lock");
    held++;
  }
  console.log(twice);`;

it("has never two holders while three processes take over dead locks from each other", async () => {
  const storage = writeProject({});
  const program = join(writeProject({}), "taker.mjs");
  await build({
    stdin: { contents: TAKER, resolveDir: import.meta.dirname, loader: "ts" },
    outfile: program,
    bundle: true,
    platform: "node",
    format: "esm",
  });
  const run = promisify(execFile);
  const takers = ["a", "b", "c"].map((name) => run(process.execPath, [program, storage, name]));
  expect((await Promise.all(takers)).map(({ stdout }) => stdout)).toEqual(["0\n", "0\n", "0\n"]);
  expect(readdirSync(storage)).toEqual(["_lock"]);
});
