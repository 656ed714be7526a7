import { writeFile } from "node:fs/promises";
import { crc32 } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { DeletionVector } from "../log/actions.js";
import { localStore } from "../store/local-store.js";
import { temporaryFolder } from "../testing/test-log.js";
import { readDeletionVectors, vectorPath } from "./deletion-vector.js";
import { formatRows, parseRows } from "./roaring-bitmap.js";
import { decodeZ85, encodeZ85 } from "./z85.js";

const inline = (pathOrInlineDv: string, sizeInBytes: number, cardinality: bigint): DeletionVector => ({
  storageType: "i",
  pathOrInlineDv,
  sizeInBytes,
  cardinality,
});

/** From a test of delta-kernel-rs; the example in the protocol's text has an older format. */
const KERNEL = "^Bg9^0rr910000000000iXQKl0rr91000f55c8Xg0@@D72lkbi5=-{L";

describe("z85", () => {
  it("agrees with RFC 32", () => {
    expect(encodeZ85(Uint8Array.from([0x86, 0x4f, 0xd2, 0x6f, 0xb5, 0x59, 0xf7, 0x5b]))).toBe("HelloWorld");
    expect([...decodeZ85("HelloWorld")]).toEqual([0x86, 0x4f, 0xd2, 0x6f, 0xb5, 0x59, 0xf7, 0x5b]);
  });

  it("gives back what it was given", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
        expect([...decodeZ85(encodeZ85(bytes))].slice(0, bytes.length)).toEqual([...bytes]);
      }),
    );
  });

  it.each(["abc", "abc d", "%%%%%", "#####"])("refuses %j", (text) => {
    expect(() => decodeZ85(text)).toThrow("base 85");
  });
});

describe("RoaringBitmapArray", () => {
  it("is written in the forms that the format describes", () => {
    const hex = (rows: number[]) => Buffer.from(formatRows(Float64Array.from(rows))).toString("hex");
    expect(hex([])).toBe("d1d33964" + "0000000000000000");
    // One container of key 0 with the values 1 and 3 as an array, at offset 16.
    expect(hex([1, 3])).toBe(
      "d1d33964" + "0100000000000000" + "00000000" + "3a300000" + "01000000" + "00000100" + "10000000" + "01000300",
    );
    // One container with the run 5..104, of the second bitmap.
    expect(hex(Array.from({ length: 100 }, (_, i) => 2 ** 32 + 5 + i))).toBe(
      "d1d33964" + "0100000000000000" + "01000000" + "3b300000" + "01" + "00006300" + "0100" + "05006300",
    );
  });

  it("gives back every set, whatever its containers", () => {
    const rows = fc
      .array(
        fc.record({
          start: fc.nat({ max: 400_000 }),
          length: fc.integer({ min: 1, max: 9000 }),
          step: fc.integer({ min: 1, max: 5 }),
          high: fc.constantFrom(0, 0, 2 ** 32, 3 * 2 ** 32),
        }),
        { maxLength: 6 },
      )
      .map((runs) => [
        ...new Set(
          runs.flatMap(({ start, length, step, high }) => Array.from({ length }, (_, i) => high + start + i * step)),
        ),
      ]);
    fc.assert(
      fc.property(rows, (unsorted) => {
        const sorted = Float64Array.from(unsorted).sort();
        expect(Buffer.from(parseRows(formatRows(sorted)).buffer).equals(Buffer.from(sorted.buffer))).toBe(true);
      }),
      { numRuns: 60 },
    );
  });

  it("refuses other bytes, the native format by its name", () => {
    expect(() => parseRows(Uint8Array.from([0xd0, 0xd3, 0x39, 0x64]))).toThrow("native format");
    expect(() => parseRows(new Uint8Array(12))).toThrow("begins with 0");
    expect(() => parseRows(formatRows(Float64Array.of(1, 2, 9)).subarray(0, 30))).toThrow(RangeError);
  });
});

describe("readDeletionVectors", () => {
  const masked = (deletionVector: DeletionVector) => ({ path: "part.parquet", deletionVector });

  it("reads an inline vector", async () => {
    const [rows] = await readDeletionVectors(localStore, { table: "/nowhere" }, [masked(inline(KERNEL, 44, 6n))]);
    expect([...(rows ?? [])]).toEqual([3, 4, 7, 11, 18, 29]);
  });

  it("reads the shorter last group of delta-kernel-rs (its table cdf-table-with-dv takes row 3 away)", async () => {
    const text = "^Bg9^0rr910000000000iXQKl0rr91000005c8Xg##093";
    const [rows] = await readDeletionVectors(localStore, { table: "/nowhere" }, [masked(inline(text, 34, 1n))]);
    expect([...(rows ?? [])]).toEqual([3]);
  });

  it("finds the file of a UUID, with and without a folder, and an absolute one", () => {
    const path = (storageType: string, pathOrInlineDv: string) =>
      vectorPath("/t", { ...inline("", 1, 1n), storageType, pathOrInlineDv });
    // From the protocol, "Deletion Vector Descriptor Schema".
    expect(path("u", "ab^-aqEH.-t@S}K{vb[*k^")).toBe("/t/ab/deletion_vector_d2c639aa-8816-431a-aaf6-d3fe2512ff61.bin");
    expect(path("u", "^-aqEH.-t@S}K{vb[*k^")).toBe("/t/deletion_vector_d2c639aa-8816-431a-aaf6-d3fe2512ff61.bin");
    const slashed = vectorPath("s3://b/t/", { ...inline("^-aqEH.-t@S}K{vb[*k^", 1, 1n), storageType: "u" });
    expect(slashed).toBe("s3://b/t/deletion_vector_d2c639aa-8816-431a-aaf6-d3fe2512ff61.bin");
    expect(path("p", "file:/mytable/a%20b.bin")).toBe("/mytable/a b.bin");
  });

  /** A file with two vectors, as the protocol lays it out. */
  async function vectorFile() {
    const path = `${await temporaryFolder()}/v.bin`;
    const chunks: Buffer[] = [Buffer.of(1)];
    const vectors = [Float64Array.of(1, 2), Float64Array.of(70_000)].map((rows): DeletionVector => {
      const bytes = formatRows(rows);
      const offset = Buffer.concat(chunks).length;
      const [size, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
      size.writeUInt32BE(bytes.length);
      checksum.writeUInt32BE(crc32(bytes));
      chunks.push(size, Buffer.from(bytes), checksum);
      return {
        storageType: "p",
        pathOrInlineDv: path,
        offset,
        sizeInBytes: bytes.length,
        cardinality: BigInt(rows.length),
      };
    });
    const content = Buffer.concat(chunks);
    await writeFile(path, content);
    return { path, vectors, content };
  }

  it("reads the vectors of a file, and the file once", async () => {
    const { vectors } = await vectorFile();
    let reads = 0;
    const store = {
      ...localStore,
      read: (path: string) => {
        reads += 1;
        return localStore.read(path);
      },
    };
    const sets = await readDeletionVectors(store, { table: "/t" }, [...vectors.map(masked), { path: "plain" }]);
    expect(sets.map((rows) => rows && [...rows])).toEqual([[1, 2], [70_000], undefined]);
    expect(reads).toBe(1);
  });

  it("refuses damage with the path of the file", async () => {
    const { path, vectors, content } = await vectorFile();
    const [vector] = vectors;
    if (vector === undefined) return expect.fail();
    const refused = async (changed: DeletionVector, message: string) =>
      expect(readDeletionVectors(localStore, { table: "/t" }, [masked(changed)])).rejects.toMatchObject({
        code: "DELTA_TABLE_UNREADABLE",
        path: changed.pathOrInlineDv,
        message: expect.stringContaining(message),
      });
    await refused({ ...vector, sizeInBytes: 7 }, "and the log 7");
    await refused({ ...vector, cardinality: 3n }, "the log states 3");
    await refused({ ...vector, pathOrInlineDv: `${path}.gone` }, "ENOENT");
    content[20] = (content[20] ?? 0) ^ 1;
    await writeFile(path, content);
    await refused(vector, "checksum");
    await writeFile(path, content.subarray(0, 10));
    await refused(vector, "cannot be read");
  });

  /** A bitmap with one container of such values, in the order that is given; there is no checksum in the log. */
  function inlineArray(values: readonly number[]): DeletionVector {
    const bytes = Buffer.from("d1d33964010000000000000000000000" + "3a30000001000000" + "0000000010000000", "hex");
    bytes.writeUInt16LE(values.length - 1, 26);
    const rows = Buffer.concat(values.map((value) => Buffer.of(value & 255, value >> 8)));
    const all = Buffer.concat([bytes, rows]);
    return inline(encodeZ85(all), all.length, BigInt(values.length));
  }

  it.each([
    ["out of order", [7, 3, 5]],
    ["told twice", [3, 3, 5]],
  ])("refuses rows that are %s", async (_, values) => {
    const [right] = await readDeletionVectors(localStore, { table: "/t" }, [masked(inlineArray([3, 5, 7]))]);
    expect([...(right ?? [])]).toEqual([3, 5, 7]);
    await expect(readDeletionVectors(localStore, { table: "/t" }, [masked(inlineArray(values))])).rejects.toMatchObject(
      {
        code: "DELTA_TABLE_UNREADABLE",
        message: expect.stringContaining("stands behind row"),
      },
    );
  });

  it("makes no room for more rows than the log states", async () => {
    const whole = Float64Array.from({ length: 65_536 }, (_, row) => row);
    const bytes = formatRows(whole);
    const bomb = inline(encodeZ85(bytes), bytes.length, 1n);
    await expect(readDeletionVectors(localStore, { table: "/t" }, [masked(bomb)])).rejects.toThrow(
      "states 65536 rows, and no more than 1 are left",
    );
  });

  it("refuses rows beyond those of the data file, and a count of more before the vector is read", async () => {
    const file = (vector: DeletionVector, rows: number) => ({ ...masked(vector), stats: `{"numRecords":${rows}}` });
    const vector = inlineArray([3, 5, 7]);
    expect(await readDeletionVectors(localStore, { table: "/t" }, [file(vector, 8)])).toHaveLength(1);
    const refused = async (rows: number, cardinality: bigint, message: string) =>
      expect(
        readDeletionVectors(localStore, { table: "/t" }, [file({ ...vector, cardinality }, rows)]),
      ).rejects.toMatchObject({
        code: "DELTA_TABLE_UNREADABLE",
        path: "part.parquet",
        message: expect.stringContaining(message),
      });
    await refused(7, 3n, "it names row 7, and the data file holds 7 rows");
    await refused(100, 2n ** 40n, "states 1099511627776 rows, and the data file holds 100");
  });

  it("makes no room for more containers than a bitmap can have", () => {
    const bytes = Buffer.from("d1d33964010000000000000000000000" + "3a300000" + "ffffffff", "hex");
    expect(() => parseRows(bytes)).toThrow("states 4294967295 containers");
  });
});
