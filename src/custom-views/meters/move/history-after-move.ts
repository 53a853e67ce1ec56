import { firstDayOf, formatDay, monthOfDay, parseDay } from '../../../../contract/time/periods.ts'

/** A value and its first day, `2026-03-04`; null if it has always been valid. */
export interface DatedEntry<Value> {
  From: string | null
  Value: Value
}

/** History with one more entry; an entry without a first day replaces all others. */
export function historyAfterMove<Value>(
  history: readonly DatedEntry<Value>[],
  moved: DatedEntry<Value>,
): DatedEntry<Value>[] {
  if (moved.From === null) return [moved]
  const otherEntries = history.filter(({ From }) => From !== moved.From)
  return [...otherEntries, moved].toSorted((a, b) => (a.From ?? '').localeCompare(b.From ?? ''))
}

/** Values valid on the days of a month, in order and without duplicates; none before the first entry. */
export function valuesOfMonth<Value>(history: readonly DatedEntry<Value>[], month: number): Value[] {
  const [first, next] = [firstDayOf(month), firstDayOf(month + 1)].map(formatDay) as [string, string]
  const previousValues = history.flatMap(({ From, Value }, i): Value[] => {
    const end = history[i + 1]?.From ?? null
    const isBefore = From === null || From < next
    return isBefore && (end === null || end > first) ? [Value] : []
  })
  return [...new Set(previousValues)]
}

/** Months in which two histories differ, the newest first, and the month before them. */
export function monthsMoved<Value>(
  previousHistory: readonly DatedEntry<Value>[],
  now: readonly DatedEntry<Value>[],
  { first, last }: { first: number; last: number },
): number[] {
  const months = Array.from({ length: last - first + 1 }, (_, i) => last - i)
  const isDifferent = (month: number) =>
    JSON.stringify(valuesOfMonth(previousHistory, month)) !== JSON.stringify(valuesOfMonth(now, month))
  const changed = months.filter(isDifferent)
  const oldest = changed.at(-1)
  return oldest === undefined || oldest === first ? changed : [...changed, oldest - 1]
}

/** Month of a date, `2026-03-04`. */
export const monthOfDate = (date: string): number => monthOfDay(parseDay(date))
