import { describe, expect, it } from "vitest";
import { parseJson } from "../log/json.js";
import { checksumOf, formatLastCheckpoint } from "./last-checkpoint.js";

describe("the checksum of _last_checkpoint", () => {
  it("is that of the protocol's own example", () => {
    const json =
      '{"k0":"\'v 0\'", "checksum": "adsaskfljadfkjadfkj", "k1":{"k2": 2, "k3": ["v3", [1, 2], {"k4": "v4", "k5": ["v5", "v6", "v7"]}]}}';
    expect(checksumOf(parseJson(json) as Record<string, never>)).toBe("6a92d155a59bf2eecbd4b4ec7fd1f875");
  });

  it("stands beside the fields", () => {
    const text = formatLastCheckpoint({ version: 4n, size: 9, sizeInBytes: 100, numOfAddFiles: 3 });
    expect(JSON.parse(text)).toEqual({
      version: 4,
      size: 9,
      sizeInBytes: 100,
      numOfAddFiles: 3,
      checksum: expect.stringMatching(/^[0-9a-f]{32}$/),
    });
  });
});
