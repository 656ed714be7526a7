import { javaText } from "./java-double.js";

/** Jackson copies whole numbers as they are and others as doubles. */
export function copyNumber(text: string): string {
  return /^-?[0-9]+$/.test(text) ? (text === "-0" ? "0" : text) : javaText(Number(text), 53);
}
