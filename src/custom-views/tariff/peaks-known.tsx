import { useQuery } from '@tanstack/react-query'
import { meterData } from '../../../contract/procedures/meter-data.ts'
import { monthOfDay, parseDay, startOfMonth } from '../../../contract/rules/energy/periods.ts'
import { totalOf, unmeasuredShare, wholeOf } from '../../domain/energy/totals.ts'
import { formatLack } from '../../domain/energy/use-figures.ts'
import { callQuery } from '../../data/api.ts'
import { useTimeZone } from '../../data/homes.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { isPartly } from '../../ui/chart/partly.ts'
import { useNow } from '../../ui/page/use-now.ts'
import styles from './tariff.module.css'

const MINUTE = 60_000

/** Says of the peaks of a month (`2026-10`) that demand may have been higher where nothing was measured: an estimate is a mean. */
export function PeaksKnown({ homeId, month }: { homeId: string; month: string }) {
  const t = useT()
  const now = useNow()
  const zone = useTimeZone(homeId) ?? 'UTC'
  const number = monthOfDay(parseDay(`${month}-01`))
  const span = { from: startOfMonth(number, zone), to: startOfMonth(number + 1, zone) }
  const { data } = useQuery({
    ...callQuery(meterData.getEnergySeries, {
      HomeID: homeId,
      From: span.from,
      To: span.to,
      Resolution: 'month',
      By: 'home',
    }),
    refetchInterval: 5 * MINUTE,
  })
  const share = unmeasuredShare(totalOf(wholeOf(data?.Series)).Coverage)
  if (!isPartly(share, span, now)) return null
  return (
    <p className={styles.warning}>{t('tariff:demand.mayBeHigher', { month, share: formatLack(share) })}</p>
  )
}
