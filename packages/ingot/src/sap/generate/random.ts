/**
 * Numbers that look random and are the same on every machine: 32-bit integers, and no function of the platform's
 * floating-point library.
 */
export class Random {
  #a: number;
  #b: number;
  #c: number;
  #counter = 1;

  /** @param key what the numbers are for: other things never change them */
  constructor(key: string) {
    [this.#a, this.#b, this.#c] = hash(key);
    for (let i = 0; i < 12; i++) this.next();
  }

  /** 0 to 2^32 − 1 (the generator sfc32). */
  next(): number {
    const sum = (((this.#a + this.#b) | 0) + this.#counter) | 0;
    this.#counter = (this.#counter + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + sum) | 0;
    return sum >>> 0;
  }

  /** 0 to `limit` − 1. */
  below(limit: number): number {
    return Math.floor((this.next() / 2 ** 32) * limit);
  }

  /** `least` to `most`, both of them too. */
  between(least: number, most: number): number {
    return least + this.below(most - least + 1);
  }

  chance(share: number): boolean {
    return this.next() < share * 2 ** 32;
  }

  pick<T>(list: readonly [T, ...T[]] | readonly T[]): T {
    return list[this.below(list.length)] as T;
  }

  /** One of the values, by weights. */
  weighted<T>(values: readonly (readonly [weight: number, value: T])[]): T {
    let rest = this.below(values.reduce((sum, [weight]) => sum + weight, 0));
    for (const [weight, value] of values) {
      if (rest < weight) return value;
      rest -= weight;
    }
    throw new Error("weights without a value");
  }

  /** 0 and more: how often a chance comes in a row, at most `most` times. */
  geometric(share: number, most: number): number {
    let count = 0;
    while (count < most && this.chance(share)) count++;
    return count;
  }

  /**
   * 0 to `limit` − 1 by Zipf's law with s = 1.1, as steps: each octave of ranks has its share, and its ranks have equal
   * parts of it.
   */
  zipf(limit: number): number {
    let total = 0;
    for (let [first, weight] = [1, 1]; first <= limit; first *= 2, weight *= OCTAVE)
      total += (weight * Math.min(first, limit - first + 1)) / first;
    let rest = (this.next() / 2 ** 32) * total;
    for (let [first, weight] = [1, 1]; ; first *= 2, weight *= OCTAVE) {
      const size = Math.min(first, limit - first + 1);
      const share = (weight * size) / first;
      if (rest < share || first * 2 > limit) return first - 1 + this.below(size);
      rest -= share;
    }
  }

  /** A whole number, log-normal about a median: two of three within a factor of 2.8. */
  logNormal(median: number): number {
    let sum = 0;
    for (let i = 0; i < 12; i++) sum += this.below(4096);
    const sixteenths = Math.floor(((sum - 24570) * 24) / 4096);
    const whole = Math.floor(sixteenths / 16);
    const root = SIXTEENTHS[sixteenths - whole * 16] ?? 1;
    return Math.max(1, Math.round(median * root * 2 ** whole));
  }
}

/** 2^(−1/10): the weight of an octave against the one before it, for s = 1.1. */
const OCTAVE = 0.9330329915368074;

/** 2^(i/16), written out: `Math.pow` may differ between machines. */
const SIXTEENTHS = [
  1,
  1.0442737824274138,
  1.0905077326652577,
  1.1387886347566916,
  1.189207115002721,
  1.241857812073484,
  1.2968395546510096,
  1.3542555469368927,
  Math.SQRT2,
  1.4768261459394993,
  1.5422108254079407,
  1.6104903319492543,
  1.681792830507429,
  1.7562521603732995,
  1.8340080864093424,
  1.915206561397147,
];

/** Three 32-bit numbers of a text (two hashes of the FNV kind, finished as MurmurHash3 finishes). */
function hash(text: string): [number, number, number] {
  let [first, second] = [0x811c9dc5, 0x9e3779b9];
  for (let i = 0; i < text.length; i++) {
    first = Math.imul(first ^ text.charCodeAt(i), 0x01000193);
    second = Math.imul(second ^ text.charCodeAt(i), 0x5bd1e995) ^ (second >>> 15);
  }
  return [finish(first), finish(second), finish(first ^ Math.imul(second, 0x85ebca6b))];
}

function finish(state: number): number {
  let h = Math.imul(state ^ (state >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return h ^ (h >>> 16);
}
