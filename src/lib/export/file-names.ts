/** Characters that some file system refuses, and those that no eye sees; joiners (U+200C, U+200D) are part of words and emoji. */
// oxlint-disable-next-line no-control-regex -- control characters are what is to be found
const UNSAFE = /[\u0000-\u001f\u007f\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff<>:"/\\|?*]/g
/** Names that Windows keeps for its devices, whatever follows the dot. */
const RESERVED = /^(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[\d¹²³]) *(\.|$)/i
/** Nothing of it is to be seen. */
const UNSEEN = /^[.\s\u200c\u200d]*$/
/** UTF-8 bytes of a file name without its ending, which every file system takes. */
const LONGEST = 120

/** A name that every file system takes, as near to the given one as can be: the name of a device becomes that of a file. */
export function safeFileName(name: string): string {
  const plain = name
    .normalize('NFC')
    .replace(UNSAFE, '_')
    .replace(/\s+/g, ' ')
    .replace(/[. ]+$/, '')
    .trim()
  const short = shorten(plain, LONGEST)
  if (UNSEEN.test(short)) return '_'
  return RESERVED.test(short) ? `_${short}` : short
}

/** Cuts a text to so many UTF-8 bytes, never within a character. */
function shorten(text: string, bytes: number): string {
  const encoder = new TextEncoder()
  let length = 0
  let kept = ''
  for (const character of text) {
    length += encoder.encode(character).length
    if (length > bytes) break
    kept += character
  }
  return kept.trim()
}

/** The same names, the second of a name and those after it numbered: "A", "A (2)". Letter case does not tell names apart. */
export function withNumber(names: readonly string[]): string[] {
  const taken = new Set<string>()
  return names.map((name) => {
    let unique = name
    for (let count = 2; taken.has(unique.toLowerCase()); count++) unique = `${name} (${count})`
    taken.add(unique.toLowerCase())
    return unique
  })
}

/** What Excel lets a sheet be called: at most 31 characters. */
export const SHEET_NAME = 31
/** Characters of any script that fit into the name of a file. */
export const FILE_NAME = LONGEST / 3

/**
 * The names of meters, those of one name with their ids: a file or a sheet must say which of them it is of.
 *
 * most  characters; for an id that leaves no room the name stays as it is
 */
export function disambiguateNames(
  meters: readonly { PeripheralUID: string; PeripheralName: string }[],
  most: number,
): string[] {
  const keys = meters.map(({ PeripheralName }) => safeFileName(PeripheralName).toLowerCase())
  return meters.map(({ PeripheralUID, PeripheralName }, index) => {
    const room = most - PeripheralUID.length - 3
    const isOnly = keys.indexOf(keys[index] as string) === keys.lastIndexOf(keys[index] as string)
    return isOnly || room < 1 ? PeripheralName : `${cut(PeripheralName, room)} (${PeripheralUID})`
  })
}

/** As many whole characters as fit into so many UTF-16 units. */
function cut(text: string, most: number): string {
  let kept = ''
  for (const character of text) {
    if (kept.length + character.length > most) break
    kept += character
  }
  return kept.trim()
}

/** Names for the sheets of one workbook, numbered where two would be the same. */
export function sheetNames(names: readonly string[]): string[] {
  const taken = new Set<string>(['history'])
  return names.map((name) => {
    const plain = safeFileName(name).replace(/[[\]]/g, '_')
    let unique = sheetName(plain, '')
    for (let count = 2; taken.has(unique.toLowerCase()); count++) unique = sheetName(plain, ` (${count})`)
    taken.add(unique.toLowerCase())
    return unique
  })
}

/** As much of a name as fits before its ending, whole characters and no apostrophe at an end, which Excel refuses. */
function sheetName(plain: string, ending: string): string {
  const kept = cut(plain.replace(/^'+/, ''), SHEET_NAME - ending.length)
  return (kept.replace(/'+$/, '') || '_') + ending
}
