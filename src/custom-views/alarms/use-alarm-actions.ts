import { alarms, type Alarm } from '../../../contract/alarms/calls.ts'
import { useAction } from '../../data/use-action.ts'
import { t } from '../../lib/i18n/i18n.ts'
import { nameOfAlarm } from './use-alarm-words.ts'

const keyOf = ({ HomeID, AlarmID }: Alarm) => ({ HomeID, AlarmID })

/** Actions on one alarm, each with a notice when done. */
export function useAlarmActions(alarm: Alarm) {
  const acknowledging = useAction(alarms.acknowledgeAlarm)
  const unshelving = useAction(alarms.unshelveAlarm)
  const commenting = useAction(alarms.commentAlarm)
  const shelving = useAction(alarms.shelveAlarm, { shows: 'failure' })
  const name = nameOfAlarm(alarm)
  const key = keyOf(alarm)
  return {
    name,
    busy: { acknowledge: acknowledging.busy, unshelve: unshelving.busy, comment: commenting.busy },
    shelving,
    acknowledge: (Comment = '') =>
      acknowledging.run({ ...key, ...(Comment !== '' && { Comment }) }, () =>
        t('alarms:acts.acknowledged', { name }),
      ),
    unshelve: () => unshelving.run(key, () => t('alarms:acts.unshelved', { name })),
    comment: (Text: string) => commenting.run({ ...key, Text }, () => t('alarms:acts.commented')),
    shelve: (asked: { Until: number; Reason: string }) =>
      shelving.run({ ...key, ...asked }, () => t('alarms:acts.shelved', { name })),
  }
}

export function alarmActionsOf(
  alarm: Pick<Alarm, 'Acknowledged' | 'Shelved' | 'Cleared' | 'SourceLost'>,
  now: number,
): { acknowledge: boolean; shelve: boolean; unshelve: boolean; clear: boolean } {
  const { Acknowledged, Shelved, Cleared, SourceLost } = alarm
  const isOpen = Cleared === null
  const isShelved = Shelved !== null && Shelved.Until > now
  return {
    acknowledge: isOpen && Acknowledged === null,
    shelve: isOpen && !isShelved,
    unshelve: isOpen && isShelved,
    clear: isOpen && SourceLost,
  }
}
