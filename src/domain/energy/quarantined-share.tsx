import { formatLack } from '../../../contract/kernel/numbers.ts'
import { Link } from 'react-router'
import type { Coverage } from '../../../contract/energy/meter-data-calls.ts'
import { useSubject } from '../../data/session.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { mayOpen } from '../../navigation/may-open.ts'
import { pathTo } from '../../navigation/paths.ts'
import page from '../../ui/page/page.module.css'
import { quarantinedShare } from './totals.ts'

/** Share of a figure's period that is missing because of quarantined readings, with a link to them; renders nothing if there are none. */
export function QuarantinedShare({ coverage, homeId }: { coverage: Coverage; homeId?: string | undefined }) {
  const t = useT()
  const subject = useSubject()
  const share = quarantinedShare(coverage)
  if (share === 0) return null
  const words = t('energy:quarantinedShare', { share: formatLack(share) })
  return (
    <span className={page.warning}>
      {homeId !== undefined && mayOpen('Meters', subject) === true ? (
        <Link to={`${pathTo('Meters', { HomeID: homeId })}?tab=quarantined`}>{words}</Link>
      ) : (
        words
      )}
    </span>
  )
}
