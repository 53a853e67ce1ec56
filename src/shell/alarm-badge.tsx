import { useQuery } from '@tanstack/react-query'
import { isUnacknowledgedAlarm } from '../../contract/attention/attention-item.ts'
import { attentionQuery, useCurrentHome } from '../data/homes.ts'
import { useT } from '../lib/i18n/i18n.ts'
import { useConnection } from '../live/channel.ts'

/**
 * Number of active alarms that are neither acknowledged nor shelved, in the current home or, on a page about all homes, in all of them; a
 * dash while it is unknown.
 */
export default function AlarmBadge({ isOfAll }: { isOfAll: boolean }) {
  const t = useT()
  const home = useCurrentHome()
  const HomeID = home?.HomeID
  const isLive = useConnection() === 'connected'
  // Shares the cached response of the start page, which covers all homes.
  const items = useQuery({ ...attentionQuery, enabled: HomeID !== undefined }).data?.Items
  const open = items?.filter((item) => (isOfAll || item.HomeID === HomeID) && isUnacknowledgedAlarm(item))
  const count = isLive ? open?.length : undefined
  const text = count === undefined ? t('shell:menu.alarmsUnknown') : t('shell:menu.alarms', { count })
  return (
    <span
      className="entry-count"
      data-alarm={count === undefined ? undefined : count > 0}
      title={home && t('shell:menu.alarmsOf', { home: isOfAll ? t('shell:home.all') : home.HomeName, text })}
    >
      <span aria-hidden="true">{count ?? '–'}</span>
      <span className="visually-hidden">{text}</span>
    </span>
  )
}
