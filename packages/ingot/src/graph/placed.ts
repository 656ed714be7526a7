import { IngotError, withPlace } from "../model/error.js";
import type { Position } from "../model/position.js";

/** Errors of reading a table stand where the definitions name it. */
export async function placed<T>(at: Position, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw error instanceof IngotError ? withPlace(error, at) : error;
  }
}
