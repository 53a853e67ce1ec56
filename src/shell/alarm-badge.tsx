import { useQuery } from '@tanstack/react-query'
import { attentionQuery, useCurrentHome } from '../data/homes.ts'
import { useT } from '../lib/i18n/i18n.ts'
import { useConnection } from '../live/channel.ts'

/** Number of active alarms in the current home that are neither acknowledged nor shelved; a dash while it is unknown. */
export default function AlarmBadge() {
  const t = useT()
  const HomeID = useCurrentHome()?.HomeID
  const isLive = useConnection() === 'connected'
  // Shares the cached response of the start page, which covers all homes.
  const items = useQuery({ ...attentionQuery, enabled: HomeID !== undefined }).data?.Items
  const open = items?.filter(
    (item) => item.HomeID === HomeID && item.AlarmID !== null && !item.Acknowledged && !item.Shelved,
  )
  const count = isLive ? open?.length : undefined
  return (
    <span className="entry-count" data-alarm={count !== undefined && count > 0}>
      <span aria-hidden="true">{count ?? '–'}</span>
      <span className="visually-hidden">
        {count === undefined ? t('shell:menu.alarmsUnknown') : t('shell:menu.alarms', { count })}
      </span>
    </span>
  )
}
