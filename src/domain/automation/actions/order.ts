/** A list in which one stands in another place. */
export function moveItem<T>(list: readonly T[], from: number, to: number): T[] {
  const one = list[from]
  return one === undefined ? [...list] : list.toSpliced(from, 1).toSpliced(to, 0, one)
}

/** A list with one more at a place, or at its end where it is shorter now. */
export const insertItem = <T>(list: readonly T[], at: number, one: T): T[] => list.toSpliced(at, 0, one)
