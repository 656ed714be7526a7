import { BinaryReader, type WireType } from "@bufbuild/protobuf/wire";

/** `google.rpc.ErrorInfo`, in which Spark says what went wrong: three fields, not worth a dependency. */
export interface ErrorInfo {
  /** Class of the exception. */
  readonly reason: string;
  /** `errorClass`, `sqlState`, `errorId`, … */
  readonly metadata: Readonly<Record<string, string>>;
}

export const ERROR_INFO = "google.rpc.ErrorInfo";

export function readErrorInfo(bytes: Uint8Array): ErrorInfo {
  let reason = "";
  const metadata: Record<string, string> = {};
  readFields(new BinaryReader(bytes), (reader, field) => {
    if (field === 1) reason = reader.string();
    else if (field === 3) {
      let [key, value] = ["", ""];
      readFields(new BinaryReader(reader.bytes()), (entry, part) => {
        if (part === 1) key = entry.string();
        else if (part === 2) value = entry.string();
        else return false;
        return true;
      });
      metadata[key] = value;
    } else return false;
    return true;
  });
  return { reason, metadata };
}

/** @param read says whether it took the field */
function readFields(reader: BinaryReader, read: (reader: BinaryReader, field: number) => boolean): void {
  while (reader.pos < reader.len) {
    const [field, wire]: [number, WireType] = reader.tag();
    if (!read(reader, field)) reader.skip(wire);
  }
}
