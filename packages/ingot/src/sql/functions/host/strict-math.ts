/**
 * Functions of Java's StrictMath whose last bit JavaScript's own have differently. They follow fdlibm 5.3 (Sun
 * Microsystems, 1993: "Permission to use, copy, modify, and distribute this software is freely granted, provided that this
 * notice is preserved"), which StrictMath prescribes: the same operations in the same order.
 */

const view = new DataView(new ArrayBuffer(8));

function highWord(x: number): number {
  view.setFloat64(0, x);
  return view.getInt32(0);
}
function lowWord(x: number): number {
  view.setFloat64(0, x);
  return view.getInt32(4);
}
/** The number of these two words; a missing one is kept. */
function withWords(x: number, high: number | undefined, low: number | undefined): number {
  view.setFloat64(0, x);
  if (high !== undefined) view.setInt32(0, high);
  if (low !== undefined) view.setInt32(4, low);
  return view.getFloat64(0);
}
const truncated = (x: number) => withWords(x, undefined, 0);

/** `StrictMath.cbrt` */
export function cbrt(x: number): number {
  if (x === 0 || !Number.isFinite(x)) return x;
  const sign = highWord(x) & 0x80000000;
  const a = Math.abs(x);
  const high = highWord(a);
  let t: number;
  if (high < 0x00100000) {
    t = 2 ** 54 * a;
    t = withWords(t, Math.trunc(highWord(t) / 3) + 696219795, undefined);
  } else t = withWords(0, Math.trunc(high / 3) + 715094163, undefined);
  let r = (t * t) / a;
  const s = 0.5428571428571428 + r * t;
  t *= 0.35714285714285715 + 1.6071428571428572 / (s + 1.4142857142857144 + -0.7053061224489796 / s);
  t = withWords(t, highWord(t) + 1, 0);
  const q = t * t;
  r = a / q;
  const w = t + t;
  r = (r - t) / (w + r);
  t = t + t * r;
  return withWords(t, highWord(t) | sign, undefined);
}

/** `StrictMath.hypot` */
export function hypot(x: number, y: number): number {
  let a = Math.abs(x);
  let b = Math.abs(y);
  if (!(Number.isFinite(a) && Number.isFinite(b)))
    return a === Number.POSITIVE_INFINITY || b === Number.POSITIVE_INFINITY ? Number.POSITIVE_INFINITY : a + b;
  if (b > a) [a, b] = [b, a];
  let ha = highWord(a);
  let hb = highWord(b);
  if (ha - hb > 0x3c00000) return a + b;
  let k = 0;
  if (a > withWords(0, 0x5f300000, 0)) {
    ha -= 0x25800000;
    hb -= 0x25800000;
    k += 600;
    a *= 2 ** -600;
    b *= 2 ** -600;
  }
  if (b < withWords(0, 0x20b00000, 0)) {
    if (b < 2 ** -1022) {
      if (b === 0) return a;
      const t = 2 ** 1022;
      b *= t;
      a *= t;
      k -= 1022;
      ha = highWord(a);
      hb = highWord(b);
    } else {
      ha += 0x25800000;
      hb += 0x25800000;
      k -= 600;
      a *= 2 ** 600;
      b *= 2 ** 600;
    }
  }
  const w = a - b;
  let root: number;
  if (w > b) {
    const t1 = withWords(0, ha, 0);
    const t2 = a - t1;
    root = Math.sqrt(t1 * t1 - (b * -b - t2 * (a + t1)));
  } else {
    const twice = a + a;
    const y1 = withWords(0, hb, 0);
    const y2 = b - y1;
    const t1 = withWords(0, ha + 0x00100000, 0);
    const t2 = twice - t1;
    root = Math.sqrt(t1 * y1 - (w * -w - (t1 * y2 + t2 * b)));
  }
  return k === 0 ? root : 2 ** k * root;
}

/** `StrictMath.pow` */
export function pow(x: number, y: number): number {
  if (y === 0) return 1;
  if (Number.isNaN(x) || Number.isNaN(y)) return Number.NaN;
  if (y === Number.POSITIVE_INFINITY || y === Number.NEGATIVE_INFINITY || x === 0 || !Number.isFinite(x))
    return Math.abs(x) === 1 ? Number.NaN : x ** y;
  if (y === 1) return x;
  if (y === 2) return x * x;
  if (y === 0.5 && x >= 0) return Math.sqrt(x);
  if (y === -1) return 1 / x;
  const a = Math.abs(x);
  if (a === 1) return x < 0 ? (Number.isInteger(y) ? (y % 2 === 0 ? 1 : -1) : Number.NaN) : 1;
  if (x < 0 && !Number.isInteger(y)) return Number.NaN;
  const sign = x < 0 && y % 2 !== 0 ? -1 : 1;
  const log = Math.abs(y) > 2 ** 31 ? logOfNearOne(a, y) : logOf(a);
  if (typeof log === "number") return sign * log;
  // y * log2(x) in two parts.
  const y1 = truncated(y);
  const low = (y - y1) * log.high + y * log.low;
  const high = y1 * log.high;
  return sign * exp2(high, low);
}

/** Where y is huge: x ** y itself where it overflows or vanishes, else log2(x) by its series at 1. */
function logOfNearOne(a: number, y: number) {
  const high = highWord(a);
  const grows = a > 1 === y > 0;
  if (Math.abs(y) > 2 ** 64 && high <= 0x3fefffff) return y < 0 ? Number.POSITIVE_INFINITY : 0;
  if (Math.abs(y) > 2 ** 64 && high >= 0x3ff00000) return y > 0 ? Number.POSITIVE_INFINITY : 0;
  if (high < 0x3fefffff || high > 0x3ff00000) return grows ? Number.POSITIVE_INFINITY : 0;
  const t = a - 1;
  const w = t * t * (0.5 - t * (0.3333333333333333 - t * 0.25));
  const u = 1.4426950216293335 * t;
  const v = t * 1.9259629911266175e-8 - w * Math.LOG2E;
  const sum = truncated(u + v);
  return { high: sum, low: v - (sum - u) };
}

/** log2 of a positive number in two parts. */
function logOf(positive: number) {
  let a = positive;
  let n = 0;
  let high = highWord(a);
  if (high < 0x00100000) {
    a *= 2 ** 53;
    n -= 53;
    high = highWord(a);
  }
  n += (high >> 20) - 0x3ff;
  const fraction = high & 0x000fffff;
  high = fraction | 0x3ff00000;
  let k: 0 | 1 = 0;
  if (fraction > 0x3988e) {
    if (fraction < 0xbb67a) k = 1;
    else {
      n += 1;
      high -= 0x00100000;
    }
  }
  a = withWords(a, high, undefined);
  const base = k === 0 ? 1 : 1.5;
  let u = a - base;
  let v = 1 / (a + base);
  const ss = u * v;
  const sh = truncated(ss);
  let th = withWords(0, ((high >> 1) | 0x20000000) + 0x00080000 + (k << 18), 0);
  let tl = a - (th - base);
  const sl = v * (u - sh * th - sh * tl);
  let s2 = ss * ss;
  let r =
    s2 *
    s2 *
    (0.5999999999999946 +
      s2 *
        (0.4285714285785502 +
          s2 *
            (0.33333332981837743 + s2 * (0.272728123808534 + s2 * (0.23066074577556175 + s2 * 0.20697501780033842)))));
  r += sl * (sh + ss);
  s2 = sh * sh;
  th = truncated(3 + s2 + r);
  tl = r - (th - 3 - s2);
  u = sh * th;
  v = sl * th + tl * ss;
  const ph = truncated(u + v);
  const pl = v - (ph - u);
  const zh = 0.9617967009544373 * ph;
  const zl = -7.028461650952758e-9 * ph + pl * 0.9617966939259756 + (k === 0 ? 0 : 1.350039202129749e-8);
  const dh = k === 0 ? 0 : 0.5849624872207642;
  const sum = truncated(zh + zl + dh + n);
  return { high: sum, low: zl - (sum - n - dh - zh) };
}

/** 2 ** (high + low) */
function exp2(highPart: number, low: number): number {
  let high = highPart;
  const z = low + high;
  const j = highWord(z);
  const i = lowWord(z);
  if (j >= 0x40900000) {
    if (((j - 0x40900000) | i) !== 0 || low + 8.008566259537294e-17 > z - high) return Number.POSITIVE_INFINITY;
  } else if ((j & 0x7fffffff) >= 0x4090cc00) {
    if (((j - (0xc090cc00 | 0)) | i) !== 0 || low <= z - high) return 0;
  }
  const exponent = (j & 0x7fffffff) >> 20;
  let n = 0;
  if ((j & 0x7fffffff) > 0x3fe00000) {
    n = j + (0x00100000 >> (exponent - 0x3ff + 1));
    const k = ((n & 0x7fffffff) >> 20) - 0x3ff;
    const t = withWords(0, n & ~(0x000fffff >> k), 0);
    n = ((n & 0x000fffff) | 0x00100000) >> (20 - k);
    if (j < 0) n = -n;
    high -= t;
  }
  const t = truncated(low + high);
  const u = t * 0.6931471824645996;
  const v = (low - (t - high)) * Math.LN2 + t * -1.904654299957768e-9;
  const sum = u + v;
  const w = v - (sum - u);
  const square = sum * sum;
  const t1 =
    sum -
    square *
      (0.16666666666666602 +
        square *
          (-0.0027777777777015593 +
            square * (0.00006613756321437934 + square * (-0.0000016533902205465252 + square * 4.1381367970572385e-8))));
  const r = (sum * t1) / (t1 - 2) - (w + sum * w);
  const result = 1 - (r - sum);
  const scaled = highWord(result) + (n << 20);
  return scaled >> 20 <= 0 ? result * 2 ** (n + 54) * 2 ** -54 : withWords(result, scaled, undefined);
}
