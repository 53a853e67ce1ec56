/** Copy of a list with one item moved to another index. */
export function moveItem<T>(list: readonly T[], from: number, to: number): T[] {
  const item = list[from]
  return item === undefined ? [...list] : list.toSpliced(from, 1).toSpliced(to, 0, item)
}

/** Copy of a list with an item inserted at an index, or at the end if the list is shorter. */
export const insertItem = <T>(list: readonly T[], at: number, item: T): T[] => list.toSpliced(at, 0, item)
