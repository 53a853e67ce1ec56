import { useTimeZone } from '../../../data/homes.ts'
import { formatWhen } from '../../../lib/format-when.ts'
import { gatewayNow } from '../../../lib/gateway-clock.ts'
import { useLanguage, useT } from '../../../lib/i18n/i18n.ts'

const DAY_MS = 86_400_000

/** Formats a timestamp in a home's time zone for use in a sentence, with "today", "yesterday" and "tomorrow". */
export function useMoments(HomeID: string): (timestamp: number) => string {
  const t = useT()
  const language = useLanguage()
  const zone = useTimeZone(HomeID)
  const dayOf = (at: number) => formatWhen(at, language, zone, 'day')
  return (timestamp) => {
    const day = dayOf(timestamp)
    const now = gatewayNow()
    const near =
      day === dayOf(now)
        ? 'today'
        : day === dayOf(now - DAY_MS)
          ? 'yesterday'
          : day === dayOf(now + DAY_MS)
            ? 'tomorrow'
            : undefined
    if (!near) return formatWhen(timestamp, language, zone)
    return t(`automation:why.${near}`, { time: formatWhen(timestamp, language, zone, 'time') })
  }
}
