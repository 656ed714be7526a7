/** Time zones as Spark reads them behind a timestamp: `SparkDateTimeUtils.getZoneId`, which asks `java.time.ZoneId`. */

/** A zone: seconds east of UTC, or the name of a region in the time zone database. */
export type Zone = number | string;

/** `java.time.ZoneId.SHORT_IDS`. */
const SHORT_IDS: Readonly<Record<string, Zone>> = {
  ACT: "Australia/Darwin",
  AET: "Australia/Sydney",
  AGT: "America/Argentina/Buenos_Aires",
  ART: "Africa/Cairo",
  AST: "America/Anchorage",
  BET: "America/Sao_Paulo",
  BST: "Asia/Dhaka",
  CAT: "Africa/Harare",
  CNT: "America/St_Johns",
  CST: "America/Chicago",
  CTT: "Asia/Shanghai",
  EAT: "Africa/Addis_Ababa",
  ECT: "Europe/Paris",
  EST: -5 * 3600,
  HST: -10 * 3600,
  IET: "America/Indiana/Indianapolis",
  IST: "Asia/Kolkata",
  JST: "Asia/Tokyo",
  MIT: "Pacific/Apia",
  MST: -7 * 3600,
  NET: "Asia/Yerevan",
  NST: "Pacific/Auckland",
  PLT: "Asia/Karachi",
  PNT: "America/Phoenix",
  PRT: "America/Puerto_Rico",
  PST: "America/Los_Angeles",
  SST: "Pacific/Guadalcanal",
  VST: "Asia/Ho_Chi_Minh",
};

/**
 * @param regions the names of the time zone database, in their own spelling: Java compares with case.
 * @returns undefined where there is no such zone.
 */
export function parseZone(text: string, regions: ReadonlySet<string>): Zone | undefined {
  // Spark also takes +h:mm and +hh:m.
  const id = text.replace(/([+-])([0-9]):/, "$10$2:").replace(/([+-][0-9]{2}:)([0-9])$/, "$10$2");
  const short = Object.hasOwn(SHORT_IDS, id) ? SHORT_IDS[id] : undefined;
  if (short !== undefined) return short;
  if (id === "Z") return 0;
  const [, prefix = "", offset] = /^(UTC|GMT|UT)?([+-].*)?$/s.exec(id) ?? [];
  if (offset !== undefined) return parseOffset(offset);
  if (prefix !== "") return 0;
  return regions.has(id) ? id : undefined;
}

/** `java.time.ZoneOffset.of`: +h, +hh, +hhmm, +hh:mm, +hhmmss, +hh:mm:ss, up to 18 hours. */
function parseOffset(text: string): number | undefined {
  const match = /^([+-])(?:([0-9])|([0-9]{2})(?:(:?)([0-5][0-9])(?:\4([0-5][0-9]))?)?)$/.exec(text);
  if (match === null) return undefined;
  const [, sign, hour, hours, , minutes = "0", seconds = "0"] = match;
  const total = Number(hour ?? hours) * 3600 + Number(minutes) * 60 + Number(seconds);
  return total > 18 * 3600 ? undefined : sign === "-" ? -total : total;
}

const DAY = 86_400;

/**
 * Seconds east of UTC at a local time. A local time that a change of the clocks skips, or gives twice, takes the
 * offset before the change, as `java.time.ZonedDateTime` does.
 *
 * @param local seconds since 1970-01-01 00:00 on the zone's own clocks.
 */
export function zoneOffset(zone: Zone, local: number): number {
  if (typeof zone === "number") return zone;
  const before = regionOffset(zone, local - DAY);
  const after = regionOffset(zone, local + DAY);
  if (before === after || regionOffset(zone, local - before) === before) return before;
  return regionOffset(zone, local - after) === after ? after : before;
}

/** Before this time zones kept the local mean time of a place; seconds since 1970 of the year 1800. */
const FIRST_CHANGE = -5_364_662_400;
/** After it the rules of a zone repeat with the calendar, every 400 years; the year 2400. */
const LAST_CHANGE = 13_569_465_600;
const CALENDAR_CYCLE = 146_097 * DAY;

/** Seconds east of UTC of a region at an instant, in seconds since 1970. */
function regionOffset(region: string, instant: number): number {
  const cycles = Math.max(0, Math.ceil((instant - LAST_CHANGE) / CALENDAR_CYCLE));
  const seconds = Math.floor(Math.max(instant - cycles * CALENDAR_CYCLE, FIRST_CHANGE));
  const part = new Map(
    clockOf(region)
      .formatToParts(seconds * 1000)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const at = (type: Intl.DateTimeFormatPartTypes): number => part.get(type) ?? 0;
  const local = Date.UTC(at("year"), at("month") - 1, at("day"), at("hour"), at("minute"), at("second"));
  return local / 1000 - seconds;
}

const clocks = new Map<string, Intl.DateTimeFormat>();

function clockOf(region: string): Intl.DateTimeFormat {
  let clock = clocks.get(region);
  if (clock === undefined) {
    clock = new Intl.DateTimeFormat("en-US", {
      timeZone: region,
      calendar: "gregory",
      hourCycle: "h23",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      second: "numeric",
    });
    clocks.set(region, clock);
  }
  return clock;
}
