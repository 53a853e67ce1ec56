import { useMemo } from 'react'
import { useLanguage } from '../../lib/i18n/i18n.ts'
import { useZone } from './use-zone.ts'

/** Writes moments and spans on the lists' clock in the person's language: "2026/3/5 14:30", a span of one day with its day once. */
export function useFormatWhen(): {
  when: (at: number) => string
  span: (from: number, until: number) => string
} {
  const language = useLanguage()
  const timeZone = useZone()
  return useMemo(() => {
    const format = new Intl.DateTimeFormat(language, {
      timeZone,
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    })
    return { when: (at) => format.format(at), span: (from, until) => format.formatRange(from, until) }
  }, [language, timeZone])
}
