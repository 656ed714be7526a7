/** Base 85 of ZeroMQ (RFC 32/Z85): five characters for four bytes. */
const ALPHABET = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?&<>()[]{}@%$#";
const DIGITS = new Map([...ALPHABET].map((character, value) => [character, value]));

/**
 * Beside the standard, whose texts come in groups of five, it knows the shorter last group of Rust's crate z85, which
 * delta-kernel-rs writes: `#` stands for each byte that is not there. No other group can begin with `#`.
 *
 * Throws a plain Error for text that is not base 85.
 */
export function decodeZ85(text: string): Uint8Array {
  if (text.length % 5 !== 0) throw new Error(`the base 85 text has ${text.length} characters, no multiple of 5`);
  const missing = /^#{1,3}/.exec(text.slice(-5))?.[0].length ?? 0;
  const bytes = new Uint8Array((text.length / 5) * 4 - missing);
  for (let at = 0, end = 0; at < text.length; at += 5) {
    const group = at + 5 === text.length ? text.slice(at + missing) : text.slice(at, at + 5);
    let word = 0;
    for (const character of group) {
      const digit = DIGITS.get(character);
      if (digit === undefined) throw new Error(`the base 85 text holds the character ${JSON.stringify(character)}`);
      word = word * 85 + digit;
    }
    end += group.length - 1;
    for (let i = end - 1; i > end - group.length; i -= 1) {
      bytes[i] = word % 256;
      word = Math.floor(word / 256);
    }
    if (word > 0) throw new Error(`the base 85 text holds ${group}, more than ${group.length - 1} bytes`);
  }
  return bytes;
}

/** Bytes are filled up with zeros to a multiple of four. */
export function encodeZ85(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += 4) {
    let word = 0;
    for (let i = 0; i < 4; i += 1) word = word * 256 + (bytes[at + i] ?? 0);
    let group = "";
    for (let i = 0; i < 5; i += 1) {
      group = `${ALPHABET[word % 85]}${group}`;
      word = Math.floor(word / 85);
    }
    text += group;
  }
  return text;
}
