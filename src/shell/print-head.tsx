import { displayName } from '../../contract/kernel/text.ts'
import { useCurrentHome } from '../data/homes.ts'
import { useCompany } from '../data/personal.ts'
import { useMe } from '../data/session.ts'
import { formatWhen } from '../../contract/time/format-time.ts'
import { gatewayNow } from '../lib/gateway-clock.ts'
import { useLanguage, useT } from '../lib/i18n/i18n.ts'
import { usePrinting, usePrintPeriod } from '../ui/page/printing.ts'

/** Header of printed pages: company, site and period, user and time. */
export function PrintHead() {
  const t = useT()
  const language = useLanguage()
  const company = useCompany()
  const home = useCurrentHome()
  const me = useMe()
  const period = usePrintPeriod()
  if (!usePrinting() || !me) return null
  return (
    <header className="print-head">
      <strong>{company?.LogoName || company?.CompanyName || t('shell:product')}</strong>
      {home && <span>{home.HomeName}</span>}
      {period !== undefined && <span>{period}</span>}
      <span>
        {t('shell:print.by', {
          who: displayName(me),
          when: formatWhen(gatewayNow(), language, home?.TimeZone),
        })}
      </span>
    </header>
  )
}
