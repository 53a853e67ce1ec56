import { useQuery } from '@tanstack/react-query'
import { alarms } from '../../contract/procedures/alarms.ts'
import { callQuery } from '../data/api.ts'
import { useCurrentHome } from '../data/homes.ts'
import { useT } from '../lib/i18n/i18n.ts'
import { useConnection } from '../live/live.ts'

/** How many alarms of the current home are on and nobody has acknowledged: a dash while that is not known. */
export default function AlarmBadge() {
  const t = useT()
  const HomeID = useCurrentHome()?.HomeID
  const isLive = useConnection() === 'connected'
  const counts = useQuery({
    ...callQuery(alarms.listAlarm, { HomeID, State: 'open', Limit: 1 }),
    enabled: HomeID !== undefined,
  }).data?.Counts
  const count = isLive ? counts?.unacknowledged : undefined
  return (
    <span className="entry-count" data-alarm={count !== undefined && count > 0}>
      <span aria-hidden="true">{count ?? '–'}</span>
      <span className="visually-hidden">
        {count === undefined ? t('shell:menu.alarmsUnknown') : t('shell:menu.alarms', { count })}
      </span>
    </span>
  )
}
