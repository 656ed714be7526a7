/**
 * The encodings of text files. Beside UTF-8 and UTF-16: all sets of one byte a character that IANA's and Microsoft's
 * tables define, and the sets of East Asia as the WHATWG Encoding Standard decodes them.
 */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  "UTF-8": ["utf8", "unicode-1-1-utf-8"],
  "UTF-16": ["utf16"],
  "UTF-16LE": ["utf16le"],
  "UTF-16BE": ["utf16be"],
  "US-ASCII": ["ascii", "iso646-us", "us"],
  "ISO-8859-1": ["latin1", "iso8859-1", "iso_8859-1", "l1"],
  "ISO-8859-2": ["latin2", "iso8859-2", "iso_8859-2", "l2"],
  "ISO-8859-3": ["latin3", "iso8859-3", "iso_8859-3", "l3"],
  "ISO-8859-4": ["latin4", "iso8859-4", "iso_8859-4", "l4"],
  "ISO-8859-5": ["cyrillic", "iso8859-5", "iso_8859-5"],
  "ISO-8859-6": ["arabic", "iso8859-6", "iso_8859-6"],
  "ISO-8859-7": ["greek", "iso8859-7", "iso_8859-7"],
  "ISO-8859-8": ["hebrew", "iso8859-8", "iso_8859-8"],
  "ISO-8859-9": ["latin5", "iso8859-9", "iso_8859-9", "l5"],
  "ISO-8859-10": ["latin6", "iso8859-10", "iso_8859-10", "l6"],
  "ISO-8859-11": ["iso8859-11", "iso_8859-11", "tis-620"],
  "ISO-8859-13": ["iso8859-13", "iso_8859-13"],
  "ISO-8859-14": ["iso8859-14", "iso_8859-14"],
  "ISO-8859-15": ["latin9", "iso8859-15", "iso_8859-15", "l9"],
  "windows-1250": ["cp1250"],
  "windows-1251": ["cp1251"],
  "windows-1252": ["cp1252"],
  "windows-1253": ["cp1253"],
  "windows-1254": ["cp1254"],
  "windows-1255": ["cp1255"],
  "windows-1256": ["cp1256"],
  "windows-1257": ["cp1257"],
  "windows-1258": ["cp1258"],
  "windows-874": ["cp874"],
  IBM866: ["cp866", "866"],
  "KOI8-R": ["koi8_r", "koi8"],
  "KOI8-U": ["koi8_u"],
  macintosh: ["mac", "macroman"],
  "windows-31j": ["cp932", "ms932", "ms_kanji"],
  "EUC-JP": ["eucjp", "euc_jp"],
  GBK: ["cp936", "ms936", "gb2312"],
  GB18030: [],
  Big5: ["big5-hkscs"],
  "EUC-KR": ["euc_kr", "cp949", "ms949", "windows-949"],
};

const BY_NAME = new Map(
  Object.entries(NAMES).flatMap(([name, aliases]) => [name, ...aliases].map((alias) => [alias.toLowerCase(), name])),
);

/** Names that `findEncoding` gives. */
export const ENCODINGS: readonly string[] = Object.keys(NAMES);

/** The usual name of an encoding; undefined where none has this name. */
export function findEncoding(name: string): string | undefined {
  return BY_NAME.get(name.trim().toLowerCase());
}
