/** §3: longest name of a device. */
const LONGEST_NAME = 64

export type RenameFault = 'empty' | 'noNumber' | 'tooLong'

/**
 * New names from a pattern: `{n}` is the number, with as many digits as the last one has, `{name}` the present name.
 *
 * names   present names, in the order in which they are numbered
 * start   number of the first one
 */
export function newNames(pattern: string, names: readonly string[], start: number): string[] {
  const digits = String(start + names.length - 1).length
  return names.map((name, i) =>
    pattern
      .replace(/\{(n|name)\}/g, (_, word) => (word === 'n' ? String(start + i).padStart(digits, '0') : name))
      .trim(),
  )
}

/** What keeps a pattern from being used; undefined when nothing does. */
export function renameFault(
  pattern: string,
  names: readonly string[],
  start: number,
): RenameFault | undefined {
  if (!pattern.trim()) return 'empty'
  if (names.length > 1 && !/\{(n|name)\}/.test(pattern)) return 'noNumber'
  const made = newNames(pattern, names, start)
  if (made.some((name) => name.length > LONGEST_NAME)) return 'tooLong'
  return made.some((name) => !name) ? 'empty' : undefined
}
