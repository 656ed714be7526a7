import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { writeProject } from "../define/project-fixture.js";
import type { RunEvent } from "../model/event.js";
import { createEmitter } from "../run/emitter.js";
import { eventLog } from "./event-log.js";

const BEGAN = new Date("2026-10-01T09:15:00.250Z");

it("keeps each event as a line of <storage>/_events/<time>-<run>.ndjson when it happens", () => {
  const storage = writeProject({});
  const heard: RunEvent[] = [];
  const listen = eventLog(storage, "run-1", BEGAN);
  const emitter = createEmitter("shop", "run-1", () => BEGAN, [listen, (event) => heard.push(event)]);
  const lines = () => {
    const file = join(storage, "_events/2026-10-01T09-15-00-250Z-run-1.ndjson");
    return readFileSync(file, "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
  };
  emitter.started("run", "me");
  expect(lines()).toEqual(heard);
  emitter.notice("WARN", "two\nlines", { path: "ü" });
  emitter.run("COMPLETED");
  expect(lines()).toEqual(heard);
  expect(heard).toHaveLength(3);
});

it("begins a file of its own for each run", () => {
  const storage = writeProject({});
  mkdirSync(join(storage, "_events"));
  for (const run of ["a", "b"])
    createEmitter("shop", run, () => BEGAN, [eventLog(storage, run, BEGAN)]).run("COMPLETED");
  expect(readdirSync(join(storage, "_events"))).toHaveLength(2);
});
