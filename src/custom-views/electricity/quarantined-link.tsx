import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { meterCorrections } from '../../../contract/meters/correction-calls.ts'
import { pathTo } from '../../navigation/paths.ts'
import { callQuery } from '../../data/api.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import page from '../../ui/page/page.module.css'

/** How many readings of a home do not count until somebody decides, with the way there; nothing while there are none. */
export function QuarantinedLink({ homeId }: { homeId: string }) {
  const t = useT()
  const { data } = useQuery(callQuery(meterCorrections.listQuarantinedReading, { HomeID: homeId, Limit: 1 }))
  if (!data?.Total) return null
  return (
    <span className={page.warning}>
      <Link to={`${pathTo('Meters', { HomeID: homeId })}?tab=quarantined`}>
        {t('energy:quarantined', { count: data.Total })}
      </Link>
    </span>
  )
}
