import { QueryObserver } from '@tanstack/react-query'
import { alarms } from '../../../contract/alarms/calls.ts'
import { callQuery, queryClient } from '../../data/api.ts'

/**
 * Calls `over` once an alarm needs nobody here any more: somebody has acknowledged or shelved it, or it has ended, whoever did it
 * and in whichever tab. Returns how to stop.
 */
export function watchAlarm(AlarmID: string, over: () => void): () => void {
  const since = Date.now()
  const observer = new QueryObserver(queryClient, callQuery(alarms.listAlarm, { AlarmID, Limit: 1 }))
  const stop = observer.subscribe(({ data, dataUpdatedAt }) => {
    // What was kept of it from before it was told may be of its life before.
    if (!data || dataUpdatedAt < since) return
    const alarm = data.Rows[0]
    if (!alarm || alarm.Acknowledged || alarm.Shelved || alarm.Cleared) over()
  })
  void observer.refetch({ cancelRefetch: false })
  return stop
}
