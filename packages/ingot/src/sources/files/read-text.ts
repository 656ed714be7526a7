import { type FileHandle, open } from "node:fs/promises";
import type { BatchFile } from "../../model/batch.js";
import { IngotError } from "../../model/error.js";
import { LineCounter } from "./count-lines.js";
import { decompress } from "./decompress.js";
import { type Decoder, decoderOf } from "./text-decoder.js";

const CHUNK_BYTES = 1 << 20;

/** How the bytes of a file stand for text. */
export interface TextForm {
  /** As `findEncoding` gives it. UTF-16 without a byte order: its mark tells it; without a mark the high byte comes first. */
  readonly encoding: string;
  readonly compression?: BatchFile["compression"];
}

/**
 * The text of a file as chunks of UTF-8, whole characters each, without the byte order mark; bounded memory. A chunk is
 * valid until the next one is asked for.
 *
 * @param onBytes is given the file's own bytes, in order
 * @throws FILE_BAD_ENCODING with the place, FILE_CORRUPT
 */
export async function* readText(
  path: string,
  file: FileHandle,
  form: TextForm,
  onBytes: (bytes: Buffer) => void = () => undefined,
): AsyncGenerator<Buffer> {
  try {
    yield* decode(path, content(path, file, form, onBytes), form.encoding);
  } catch (error) {
    throw error instanceof BadByte ? await badEncoding(path, form, error) : error;
  }
}

class BadByte extends Error {
  /** In the decompressed content. */
  readonly offset: number;
  readonly byte: number;

  constructor(offset: number, byte: number) {
    super();
    this.offset = offset;
    this.byte = byte;
  }
}

/** @throws BadByte after the text before it */
async function* decode(path: string, content: AsyncIterable<Buffer>, encoding: string): AsyncGenerator<Buffer> {
  let decoder: Decoder | undefined;
  let offset = 0;
  let carried: Buffer = Buffer.alloc(0);
  for await (const { bytes, isLast } of withLast(content)) {
    let given = carried.length === 0 ? bytes : Buffer.concat([carried, bytes]);
    if (decoder === undefined && given.length < MARK_BYTES && !isLast) {
      carried = Buffer.from(given);
      continue;
    }
    if (decoder === undefined) {
      const start = decoderAt(path, given, encoding);
      decoder = start.decoder;
      offset = start.mark;
      given = given.subarray(offset);
    }
    const whole = isLast ? given : given.subarray(0, given.length - decoder.unfinished(given));
    const text = decoder.toUtf8(whole);
    if (text === undefined) {
      const bad = decoder.firstBad(whole);
      yield decoder.toUtf8(whole.subarray(0, bad)) ?? Buffer.alloc(0);
      throw new BadByte(offset + bad, whole[bad] ?? 0);
    }
    if (text.length > 0) yield text;
    offset += whole.length;
    carried = Buffer.from(given.subarray(whole.length));
  }
}

async function* withLast(chunks: AsyncIterable<Buffer>): AsyncGenerator<{ bytes: Buffer; isLast: boolean }> {
  for await (const bytes of chunks) yield { bytes, isLast: false };
  yield { bytes: Buffer.alloc(0), isLast: true };
}

function content(
  path: string,
  file: FileHandle,
  { compression }: TextForm,
  onBytes: (bytes: Buffer) => void = () => undefined,
): AsyncIterable<Buffer> {
  const raw = tell(readBytes(file), onBytes);
  return compression === undefined ? raw : decompress(path, raw, compression);
}

async function* tell(chunks: AsyncIterable<Buffer>, onBytes: (bytes: Buffer) => void): AsyncGenerator<Buffer> {
  for await (const bytes of chunks) {
    onBytes(bytes);
    yield bytes;
  }
}

/** @throws FILE_NOT_READABLE */
export async function openFile(path: string): Promise<FileHandle> {
  try {
    return await open(path);
  } catch (cause) {
    throw new IngotError("FILE_NOT_READABLE", `${path} cannot be opened (${(cause as NodeJS.ErrnoException).code}).`, {
      hint: "Give the user that runs the pipeline the right to read it; a file that has gone is no longer offered in the next run.",
      object: path,
      cause,
    });
  }
}

/** The bytes of a file from its start; a piece is valid until the next one is asked for. */
export async function* readBytes(file: FileHandle): AsyncGenerator<Buffer> {
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  for (let position = 0; ; ) {
    const { bytesRead } = await file.read(buffer, 0, CHUNK_BYTES, position);
    if (bytesRead === 0) return;
    position += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

const MARKS: readonly (readonly [encoding: string, bytes: readonly number[]])[] = [
  ["UTF-8", [0xef, 0xbb, 0xbf]],
  ["UTF-16LE", [0xff, 0xfe]],
  ["UTF-16BE", [0xfe, 0xff]],
];
const MARK_BYTES = 3;

/** The decoder of a file that begins with these bytes, and the length of its mark. */
function decoderAt(path: string, start: Buffer, encoding: string): { decoder: Decoder; mark: number } {
  const mark = MARKS.find(([, bytes]) => bytes.every((byte, i) => start[i] === byte));
  if (mark === undefined) return { decoder: decoderOf(encoding === "UTF-16" ? "UTF-16BE" : encoding), mark: 0 };
  const [marked, bytes] = mark;
  // The bytes of a mark are characters in the sets of one byte; such a file is far more often one that was mislabelled.
  if (marked !== encoding && !(encoding === "UTF-16" && marked !== "UTF-8")) {
    throw new IngotError("FILE_BAD_ENCODING", `${path} begins with the mark of ${marked}, not ${encoding}.`, {
      hint: `Set encoding => '${marked}', for these files alone if others differ.`,
      object: path,
      at: { file: path, line: 1, column: 1 },
    });
  }
  return { decoder: decoderOf(marked), mark: bytes.length };
}

async function badEncoding(path: string, form: TextForm, bad: BadByte): Promise<IngotError> {
  const { line, column } = await placeOf(path, form);
  const hex = bad.byte.toString(16).toUpperCase().padStart(2, "0");
  return new IngotError(
    "FILE_BAD_ENCODING",
    `${path} is not ${form.encoding}: line ${line}, column ${column}, byte offset ${bad.offset} holds 0x${hex}.`,
    {
      hint: "Set encoding to the one that the file has, or convert the file and deliver it again.",
      object: path,
      at: { file: path, line, column },
    },
  );
}

/** Reads the good text once more, to tell people where it ends. */
async function placeOf(path: string, form: TextForm): Promise<{ line: number; column: number }> {
  const file = await openFile(path);
  const lines = new LineCounter();
  let column = 1;
  try {
    for await (const chunk of decode(path, content(path, file, form), form.encoding)) {
      lines.add(chunk);
      const text = chunk.toString();
      const end = Math.max(text.lastIndexOf("\n"), text.lastIndexOf("\r"));
      column = end === -1 ? column + text.length : text.length - end;
    }
  } catch (error) {
    if (!(error instanceof BadByte)) throw error;
  } finally {
    await file.close();
  }
  return { line: lines.lines + 1, column };
}
