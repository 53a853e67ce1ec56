/** Characters that some file system rejects, and invisible ones; joiners (U+200C, U+200D) are part of words and emoji. */
// oxlint-disable-next-line no-control-regex -- matches control characters on purpose
const UNSAFE = /[\u0000-\u001f\u007f\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff<>:"/\\|?*]/g
/** Device names reserved by Windows, with any extension. */
const RESERVED = /^(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[\d¹²³]) *(\.|$)/i
/** Names without a visible character. */
const INVISIBLE_NAME = /^[.\s\u200c\u200d]*$/
/** Maximum length of a file name without its extension in UTF-8 bytes, accepted by every file system. */
const MAX_FILE_NAME_BYTES = 120

/** Closest name that every file system accepts; reserved device names get a prefix. */
export function safeFileName(name: string): string {
  const sanitized = name
    .normalize('NFC')
    .replace(UNSAFE, '_')
    .replace(/\s+/g, ' ')
    .replace(/[. ]+$/, '')
    .trim()
  const shortName = shorten(sanitized, MAX_FILE_NAME_BYTES)
  if (INVISIBLE_NAME.test(shortName)) return '_'
  return RESERVED.test(shortName) ? `_${shortName}` : shortName
}

/** Truncates a text to `bytes` UTF-8 bytes, never within a character. */
function shorten(text: string, bytes: number): string {
  const encoder = new TextEncoder()
  let length = 0
  let result = ''
  for (const character of text) {
    length += encoder.encode(character).length
    if (length > bytes) break
    result += character
  }
  return result.trim()
}

/** Names made unique by numbers: "A", "A (2)". Case-insensitive. */
export function withNumber(names: readonly string[]): string[] {
  const usedNames = new Set<string>()
  return names.map((name) => {
    let unique = name
    for (let count = 2; usedNames.has(unique.toLowerCase()); count++) unique = `${name} (${count})`
    usedNames.add(unique.toLowerCase())
    return unique
  })
}

/** Maximum length of an Excel sheet name, in characters. */
export const SHEET_NAME = 31
/** Number of characters of any script that fit into a file name. */
export const FILE_NAME = MAX_FILE_NAME_BYTES / 3

/**
 * Names of meters; equal names are followed by the meter's id, so that files and sheets can be distinguished.
 *
 * maxLength  maximum length in characters; without space for the id, the name stays unchanged
 */
export function disambiguateNames(
  meters: readonly { PeripheralUID: string; PeripheralName: string }[],
  maxLength: number,
): string[] {
  const keys = meters.map(({ PeripheralName }) => safeFileName(PeripheralName).toLowerCase())
  return meters.map(({ PeripheralUID, PeripheralName }, index) => {
    const availableLength = maxLength - PeripheralUID.length - 3
    const isOnly = keys.indexOf(keys[index] as string) === keys.lastIndexOf(keys[index] as string)
    return isOnly || availableLength < 1
      ? PeripheralName
      : `${cut(PeripheralName, availableLength)} (${PeripheralUID})`
  })
}

/** Truncates a text to `maxLength` UTF-16 units, never within a character. */
function cut(text: string, maxLength: number): string {
  let result = ''
  for (const character of text) {
    if (result.length + character.length > maxLength) break
    result += character
  }
  return result.trim()
}

/** Sheet names of one workbook, numbered if two would be equal. */
export function sheetNames(names: readonly string[]): string[] {
  const usedNames = new Set<string>(['history'])
  return names.map((name) => {
    const sanitized = safeFileName(name).replace(/[[\]]/g, '_')
    let unique = sheetName(sanitized, '')
    for (let count = 2; usedNames.has(unique.toLowerCase()); count++)
      unique = sheetName(sanitized, ` (${count})`)
    usedNames.add(unique.toLowerCase())
    return unique
  })
}

/** Name truncated to leave space for its ending; without an apostrophe at either end, which Excel rejects. */
function sheetName(name: string, ending: string): string {
  const stem = cut(name.replace(/^'+/, ''), SHEET_NAME - ending.length)
  return (stem.replace(/'+$/, '') || '_') + ending
}
