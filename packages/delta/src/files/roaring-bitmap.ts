/**
 * Sets of row numbers as RoaringBitmapArray: one Roaring bitmap for each value of the upper 32 bits, in the portable
 * format. Sources: the Delta protocol, "Deletion Vector Format"; the Roaring format specification.
 */

/** Row numbers of a file, ascending, none twice; each below 2^53. */
export type Rows = Float64Array;

const MAGIC = 1681511377;
/** The format that Delta's first test tables had; nothing that was released writes it. */
const NATIVE_MAGIC = 1681511376;
const COOKIE = 12347;
const COOKIE_WITHOUT_RUNS = 12346;
/** A set of more values is kept as bits. */
const MAX_ARRAY = 4096;
const BITSET_BYTES = 8192;
/** Rows that a container may hold: those with the same upper bits but 16. */
const CONTAINER = 65_536;
/** In a bitmap: as many as the upper 16 of 32 bits have values. */
const MAX_CONTAINERS = 65_536;
/** With fewer containers a bitmap with runs has no offsets. */
const OFFSET_THRESHOLD = 4;
const HIGH = 2 ** 32;

/**
 * Throws a plain Error when the bytes are no such set, RangeError when they end too early.
 *
 * @param expected how many rows there must be: bytes that tell of more are refused before room is made for them
 */
export function parseRows(bytes: Uint8Array, expected = Number.POSITIVE_INFINITY): Rows {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const magic = view.getUint32(0, true);
  if (magic === NATIVE_MAGIC) throw new Error("it has the native format; readers know the portable one only");
  if (magic !== MAGIC) throw new Error(`it begins with ${magic} instead of ${MAGIC}`);
  const bitmaps = Number(view.getBigUint64(4, true));
  const parts: Rows[] = [];
  let at = 12;
  let left = expected;
  for (let i = 0; i < bitmaps; i += 1) {
    const bitmap = parseBitmap(view, at + 4, view.getUint32(at, true) * HIGH, left);
    parts.push(bitmap.rows);
    at = bitmap.end;
    left -= bitmap.rows.length;
  }
  const rows = concatenate(parts);
  assertAscending(rows);
  return rows;
}

/** Readers go through rows and positions side by side: one that is out of order would stay. */
function assertAscending(rows: Rows): void {
  let last = -1;
  for (const row of rows) {
    if (row <= last) throw new Error(`row ${row} stands behind row ${last}`);
    last = row;
  }
}

function parseBitmap(view: DataView, start: number, high: number, limit: number): { rows: Rows; end: number } {
  let at = start;
  const uint16 = (): number => {
    at += 2;
    return view.getUint16(at - 2, true);
  };
  const cookie = view.getUint32(at, true);
  at += 4;
  const hasRuns = (cookie & 0xffff) === COOKIE;
  if (!hasRuns && cookie !== COOKIE_WITHOUT_RUNS) throw new Error(`a bitmap begins with the unknown cookie ${cookie}`);
  const count = hasRuns ? (cookie >>> 16) + 1 : view.getUint32(at, true);
  if (count > MAX_CONTAINERS) throw new Error(`a bitmap states ${count} containers`);
  const runFlags = at;
  at += hasRuns ? (count + 7) >> 3 : 4;
  const containers = Array.from({ length: count }, () => ({ base: high + uint16() * CONTAINER, size: uint16() + 1 }));
  if (!hasRuns || count >= OFFSET_THRESHOLD) at += 4 * count;

  const total = containers.reduce((sum, { size }) => sum + size, 0);
  if (total > limit) throw new Error(`a bitmap states ${total} rows, and no more than ${limit} are left`);
  const rows = new Float64Array(total);
  let filled = 0;
  for (const [index, { base, size }] of containers.entries()) {
    const end = filled + size;
    if (hasRuns && ((view.getUint8(runFlags + (index >> 3)) >> (index & 7)) & 1) === 1) {
      for (let run = uint16(); run > 0; run -= 1) {
        const first = base + uint16();
        const last = first + uint16();
        for (let row = first; row <= last; row += 1) rows[filled++] = row;
      }
    } else if (size <= MAX_ARRAY) {
      while (filled < end) rows[filled++] = base + uint16();
    } else {
      for (let word = 0; word < BITSET_BYTES / 4; word += 1, at += 4) {
        let bits = view.getUint32(at, true);
        for (; bits !== 0; bits &= bits - 1) rows[filled++] = base + word * 32 + 31 - Math.clz32(bits & -bits);
      }
    }
    if (filled !== end) throw new Error(`a container holds ${size + filled - end} rows and states ${size}`);
  }
  return { rows, end: at };
}

function concatenate(parts: readonly Rows[]): Rows {
  const [first] = parts;
  if (first !== undefined && parts.length === 1) return first;
  const rows = new Float64Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    rows.set(part, at);
    at += part.length;
  }
  return rows;
}

/** The bytes of a set, the same that Spark writes: each container in the shortest of its forms. */
export function formatRows(rows: Rows): Uint8Array {
  const bitmaps = split(rows, HIGH).map(({ key, rows: own }) => ({ key, bytes: formatBitmap(own) }));
  const bytes = new Uint8Array(bitmaps.reduce((sum, bitmap) => sum + 4 + bitmap.bytes.length, 12));
  const view = new DataView(bytes.buffer);
  view.setUint32(0, MAGIC, true);
  view.setBigUint64(4, BigInt(bitmaps.length), true);
  let at = 12;
  for (const bitmap of bitmaps) {
    view.setUint32(at, bitmap.key, true);
    bytes.set(bitmap.bytes, at + 4);
    at += 4 + bitmap.bytes.length;
  }
  return bytes;
}

/** Rows by the quotient of `size`. */
function split(rows: Rows, size: number): { key: number; rows: Rows }[] {
  const parts: { key: number; rows: Rows }[] = [];
  for (let start = 0; start < rows.length; ) {
    const key = Math.floor((rows[start] ?? 0) / size);
    const end = firstFrom(rows, (key + 1) * size, start);
    parts.push({ key, rows: rows.subarray(start, end) });
    start = end;
  }
  return parts;
}

/** Where the rows begin that are no less than `bound`. */
function firstFrom(rows: Rows, bound: number, start: number): number {
  let [low, high] = [start, rows.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((rows[middle] ?? bound) < bound) low = middle + 1;
    else high = middle;
  }
  return low;
}

interface Container {
  /** Its rows by the quotient of CONTAINER. */
  readonly key: number;
  readonly rows: Rows;
  /** How many runs the rows are; undefined when another form is shorter. */
  readonly runs: number | undefined;
  readonly bytes: number;
}

function toContainer({ key, rows }: { key: number; rows: Rows }): Container {
  const plain = rows.length <= MAX_ARRAY ? 2 * rows.length : BITSET_BYTES;
  const runs = countRuns(rows);
  const asRuns = 2 + 4 * runs;
  return asRuns < plain ? { key, rows, runs, bytes: asRuns } : { key, rows, runs: undefined, bytes: plain };
}

function countRuns(rows: Rows): number {
  let runs = 0;
  let next = -1;
  for (const row of rows) {
    if (row !== next) runs += 1;
    next = row + 1;
  }
  return runs;
}

/** @param rows with the same upper 32 bits */
function formatBitmap(rows: Rows): Uint8Array {
  const containers = split(rows, CONTAINER).map(toContainer);
  const count = containers.length;
  const hasRuns = containers.some(({ runs }) => runs !== undefined);
  const hasOffsets = !hasRuns || count >= OFFSET_THRESHOLD;
  const header = (hasRuns ? 4 + ((count + 7) >> 3) : 8) + 4 * count + (hasOffsets ? 4 * count : 0);
  const bytes = new Uint8Array(containers.reduce((sum, container) => sum + container.bytes, header));
  const view = new DataView(bytes.buffer);
  let at = 0;
  const uint16 = (value: number): void => {
    view.setUint16(at, value, true);
    at += 2;
  };
  const uint32 = (value: number): void => {
    view.setUint32(at, value, true);
    at += 4;
  };

  if (hasRuns) {
    uint32((COOKIE | ((count - 1) << 16)) >>> 0);
    for (const [i, { runs }] of containers.entries())
      if (runs !== undefined) view.setUint8(at + (i >> 3), view.getUint8(at + (i >> 3)) | (1 << (i & 7)));
    at += (count + 7) >> 3;
  } else {
    uint32(COOKIE_WITHOUT_RUNS);
    uint32(count);
  }
  for (const container of containers) {
    uint16(container.key % MAX_CONTAINERS);
    uint16(container.rows.length - 1);
  }
  let offset = header;
  for (const container of hasOffsets ? containers : []) {
    uint32(offset);
    offset += container.bytes;
  }
  for (const { key, rows: own, runs } of containers) {
    const base = key * CONTAINER;
    if (runs !== undefined) {
      uint16(runs);
      for (let start = 0, end = 0; start < own.length; start = end) {
        const first = own[start] ?? 0;
        for (end = start + 1; own[end] === first + end - start; ) end += 1;
        uint16(first - base);
        uint16(end - start - 1);
      }
    } else if (own.length <= MAX_ARRAY) for (const row of own) uint16(row - base);
    else {
      for (const row of own) {
        const low = row - base;
        bytes[at + (low >> 3)] = (bytes[at + (low >> 3)] ?? 0) | (1 << (low & 7));
      }
      at += BITSET_BYTES;
    }
  }
  return bytes;
}
