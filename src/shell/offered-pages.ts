import type { PathName } from '../navigation/paths.ts'

/** Pages that have a screen; set by the table of screens, for screens that cannot import it. */
const offered = new Set<PathName>()

export function setAvailablePages(names: Iterable<PathName>): void {
  for (const name of names) offered.add(name)
}

export const isAvailablePage = (name: PathName): boolean => offered.has(name)
