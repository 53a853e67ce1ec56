import { useCallback, useMemo } from 'react'
import {
  formatClock,
  formatDate,
  formatPeriod,
  formatSpan,
  formatWhen,
} from '../../../contract/time/format-time.ts'
import { gatewayNow } from '../../lib/gateway-clock.ts'
import { useLanguage } from '../../lib/i18n/i18n.ts'
import { DEFAULT_ZONE } from '../../../contract/time/booking.ts'
import { useCurrentHome } from '../../data/homes.ts'

/** Time zone of the company's lists: that of the current home, Taiwan's if the user sees no home. */
export const useZone = (): string => useCurrentHome()?.TimeZone ?? DEFAULT_ZONE

/** Formats times and spans on the lists' clock in the user's language: "14:30", "3/5（四）14:30"; a span within one day contains its date once. */
export function useFormatWhen(): {
  when: (at: number) => string
  /** With the date and the year: "2026/3/5 14:30", for prints and details. */
  fullWhen: (at: number) => string
  span: (from: number, until: number) => string
} {
  const language = useLanguage()
  const timeZone = useZone()
  return useMemo(
    () => ({
      when: (at) => formatClock(at, gatewayNow(), language, timeZone),
      fullWhen: (at) => formatWhen(at, language, timeZone),
      span: (from, until) => formatSpan(from, until, language, timeZone),
    }),
    [language, timeZone],
  )
}

/** Formats a date of the contract in the user's language: "2026-11-23" as "Nov 23, 2026", "2026-11" and "06-01" likewise. */
export function useFormatDate(): (date: string) => string {
  const language = useLanguage()
  return useCallback((date) => formatDate(date, language), [language])
}

/** Formats the days from one date of the contract to another, both inclusive: "Nov 16–22, 2026". */
export function useFormatPeriod(): (from: string, through: string) => string {
  const language = useLanguage()
  return useCallback((from, through) => formatPeriod(from, through, language), [language])
}
