import type { PathName } from '../navigation/paths.ts'

/** The pages that have a screen; told by the table of screens, for screens that cannot ask it themselves. */
const offered = new Set<PathName>()

export function setAvailablePages(names: Iterable<PathName>): void {
  for (const name of names) offered.add(name)
}

export const isAvailablePage = (name: PathName): boolean => offered.has(name)
