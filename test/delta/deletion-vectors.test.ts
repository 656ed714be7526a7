import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { formatRows, parseRows } from "@ingot/delta";
import { describe, expect, it } from "vitest";
import { findSuite } from "./suite.js";

describe("deletion vectors of the public tables, most of them by Spark", () => {
  const suite = findSuite();
  it.skipIf(suite === undefined)("are written again byte for byte (skipped where the tables are absent)", () => {
    const files = readdirSync(suite ?? "", { recursive: true, encoding: "utf8" }).filter((path) =>
      path.endsWith(".bin"),
    );
    const vectors = files.flatMap((path) => [...vectorsWithin(readFileSync(join(suite ?? "", path)))]);
    expect(vectors.length).toBeGreaterThan(20);
    for (const vector of vectors) expect(Buffer.from(formatRows(parseRows(vector)))).toEqual(vector);
  });
});

/** Size, vector and checksum, one behind the other, after a byte with the version of the format. */
function* vectorsWithin(file: Buffer): Generator<Buffer> {
  for (let at = 1; at + 4 <= file.length; ) {
    const size = file.readUInt32BE(at);
    yield file.subarray(at + 4, at + 4 + size);
    at += 8 + size;
  }
}
