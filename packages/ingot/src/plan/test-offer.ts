import type { BatchFile, HeldFile } from "../model/batch.js";
import type { Offer } from "./plan-flow.js";

/** For tests: files that a source offers. */
export function filesOffer(files: readonly BatchFile[], held: readonly HeldFile[] = []): Offer & { kind: "files" } {
  return { kind: "files", files, held, notices: [], more: false };
}
