import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { readHistory } from "../snapshot/history.js";
import { memoryStore } from "../testing/memory-store.js";
import { tableOf } from "../testing/test-table.js";
import { LIBRARY_INFO } from "./commit-info.js";
import { transact } from "./transact.js";

it("a commit names the library and its version where no engine is named", async () => {
  const store = memoryStore();
  const table = await tableOf(store, { id: "long" });
  const change = { operation: "X", domains: new Map([["d", "1"]]) };
  await transact(store, table, () => change, { engineInfo: "Engine/7" });
  const history = await readHistory(store, table);
  expect(history.map(({ engineInfo }) => engineInfo)).toEqual(["Engine/7", LIBRARY_INFO]);
  const { version } = JSON.parse(await readFile(new URL("../../package.json", import.meta.url), "utf8"));
  expect(LIBRARY_INFO).toBe(`Ingot-Delta/${version}`);
});
