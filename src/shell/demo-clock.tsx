import { useCurrentHome } from '../data/homes.ts'
import { useDemoClockAhead } from '../data/gateway-features.ts'
import { formatWhen } from '../../contract/time/format-time.ts'
import { useLanguage, useT } from '../lib/i18n/i18n.ts'
import { useNow } from '../ui/page/use-now.ts'

/** Day and hour that the demo shows, if these are not the present ones. */
export function DemoClock() {
  const t = useT()
  const language = useLanguage()
  const aheadMs = useDemoClockAhead()
  const now = useNow()
  const zone = useCurrentHome()?.TimeZone
  if (aheadMs === 0 || zone === undefined) return null
  return (
    <p className="demo-clock">{t('shell:demoClock', { time: formatWhen(now, language, zone, 'near') })}</p>
  )
}
