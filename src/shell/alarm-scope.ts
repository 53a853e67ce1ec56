import { useQuery } from '@tanstack/react-query'
import { useLocation } from 'react-router'
import { isUnacknowledgedAlarm } from '../../contract/attention/attention-item.ts'
import { attentionQuery, useCurrentHome, useHomes } from '../data/homes.ts'
import { pathOf } from '../navigation/paths.ts'

/** Whether the page is about all homes: the dashboard of a company with several. */
export function useIsOfAllHomes(): boolean {
  const homes = useHomes()
  const { pathname } = useLocation()
  const page = pathOf(pathname)?.name
  return homes !== undefined && homes.length > 1 && (page === 'Dashboard' || page === 'Home')
}

/**
 * Home whose alarms the menu opens: on a page about all homes that of the most urgent unacknowledged alarm, if there is one, else the
 * current home.
 */
export function useAlarmHomeId(): string | undefined {
  const current = useCurrentHome()?.HomeID
  const isOfAll = useIsOfAllHomes()
  const urgent = useQuery({
    ...attentionQuery,
    enabled: isOfAll,
    select: ({ Items }) => Items.find(isUnacknowledgedAlarm)?.HomeID,
  }).data
  return (isOfAll ? urgent : undefined) ?? current
}
