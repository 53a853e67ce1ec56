import type { HomeTariff } from '../../../contract/tariffs/home-tariff-calls.ts'
import { formatDay, parseDay } from '../../../contract/time/periods.ts'

const before = (date: string): string => formatDay(parseDay(date) - 1)
const after = (date: string): string => formatDay(parseDay(date) + 1)

/**
 * A history with one more tariff: what held in its days makes room, so that no day has two. One that is put into the middle
 * of another divides it.
 */
export function withTariff(history: readonly HomeTariff[], added: HomeTariff): HomeTariff[] {
  const { ValidFrom: from, ValidThrough: through } = added
  const kept = history.flatMap((one) => {
    const parts: HomeTariff[] = []
    if (one.ValidFrom < from) {
      const ends = one.ValidThrough !== null && one.ValidThrough < from ? one.ValidThrough : before(from)
      parts.push({ ...one, ValidThrough: ends })
    }
    if (through !== null && (one.ValidThrough === null || one.ValidThrough > through))
      parts.push({ ...one, ValidFrom: one.ValidFrom > through ? one.ValidFrom : after(through) })
    return parts
  })
  return [...kept, added].toSorted((a, b) => (a.ValidFrom < b.ValidFrom ? -1 : 1))
}

/** Those of a history of which no day is left when another is added. */
export const replacedBy = (
  history: readonly HomeTariff[],
  { ValidFrom: from, ValidThrough: through }: HomeTariff,
): HomeTariff[] =>
  history.filter(
    (one) =>
      one.ValidFrom >= from &&
      (through === null || (one.ValidThrough !== null && one.ValidThrough <= through)),
  )

/** Which of a history holds on a date. */
export const tariffOn = (history: readonly HomeTariff[], date: string): HomeTariff | undefined =>
  history.find(
    ({ ValidFrom, ValidThrough }) => ValidFrom <= date && (ValidThrough === null || date <= ValidThrough),
  )
