import { readFile, writeFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { temporaryFolder } from "../testing/test-log.js";
import { localDataFiles } from "./data-files.js";
import { localStore } from "./local-store.js";

it("opens the files of a local table where they are", async () => {
  const path = `${await temporaryFolder()}/a.parquet`;
  await writeFile(path, "12345");
  const copies = await localDataFiles.open([{ path, size: 5 }]);
  expect(copies.paths).toEqual([path]);
  await copies.close();
  expect(await readFile(path, "utf8")).toBe("12345");
});

it("refuses a local file that is absent or has another size", async () => {
  const path = `${await temporaryFolder()}/a.parquet`;
  await expect(localDataFiles.open([{ path, size: 5 }])).rejects.toMatchObject({ code: "ENOENT" });
  await writeFile(path, "123");
  await expect(localDataFiles.open([{ path, size: 5 }])).rejects.toThrow(`${path} has 3 bytes, and the log says 5`);
});

it("writes a local file where it belongs, and removes it again", async () => {
  const path = `${await temporaryFolder()}/p=1/a.parquet`;
  expect(await localDataFiles.stage(path)).toBe(path);
  await writeFile(path, "1");
  await localDataFiles.publish(path);
  expect(await readFile(path, "utf8")).toBe("1");
  await localDataFiles.discard(path);
  expect(await localStore.list(`${path}/..`)).toEqual([]);
  await localDataFiles.discard(path);
});

it("does not publish what nobody wrote", async () => {
  await expect(localDataFiles.publish(`${await temporaryFolder()}/a.parquet`)).rejects.toMatchObject({
    code: "ENOENT",
  });
});
