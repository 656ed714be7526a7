const DAY_MICROS = 86_400_000_000n;

/** Bytes as Spark shows them: `[CA FE]`. */
export function formatBinary(bytes: Uint8Array): string {
  return `[${[...bytes].map((b) => b.toString(16).toUpperCase().padStart(2, "0")).join(" ")}]`;
}

/** Days since 1970-01-01 as a date of the proleptic Gregorian calendar; years beyond 9999 get a sign, as in Spark. */
export function formatDate(days: number): string {
  const date = new Date(days * 86_400_000);
  const year = date.getUTCFullYear();
  const yyyy =
    year > 9999 ? `+${year}` : year < 0 ? `-${String(-year).padStart(4, "0")}` : String(year).padStart(4, "0");
  return `${yyyy}-${two(date.getUTCMonth() + 1)}-${two(date.getUTCDate())}`;
}

/** Microseconds since the epoch; the fraction without its trailing zeros, as Spark prints it. */
export function formatMicros(micros: bigint): string {
  const inDay = ((micros % DAY_MICROS) + DAY_MICROS) % DAY_MICROS;
  const days = Number((micros - inDay) / DAY_MICROS);
  const seconds = Number(inDay / 1_000_000n);
  const fraction = String(inDay % 1_000_000n)
    .padStart(6, "0")
    .replace(/0+$/, "");
  const time = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60].map(two).join(":");
  return `${formatDate(days)} ${time}${fraction === "" ? "" : `.${fraction}`}`;
}

function two(n: number): string {
  return String(n).padStart(2, "0");
}
