import { CheckOutlined, PauseOutlined, RollbackOutlined, UndoOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useEffect, useState, type FC } from 'react'
import { type Alarm, alarms } from '../../../contract/alarms/calls.ts'
import { useT, t } from '../../lib/i18n/i18n.ts'
import { IconButton } from '../../ui/page/icon-button.tsx'
import { useNow } from '../../ui/page/use-now.ts'
import { usePhone } from '../../ui/page/use-screen.ts'
import { ShelveDialog } from './shelve-dialog.tsx'
import { useAction } from '../../data/use-action.ts'
import { nameOfAlarm } from './use-alarm-words.ts'

const keyOf = ({ HomeID, AlarmID }: Alarm) => ({ HomeID, AlarmID })

/** Actions on one alarm, each with a notice when done. */
export function useAlarmActions(alarm: Alarm) {
  const acknowledging = useAction(alarms.acknowledgeAlarm)
  const unacknowledging = useAction(alarms.unacknowledgeAlarm)
  const unshelving = useAction(alarms.unshelveAlarm)
  const commenting = useAction(alarms.commentAlarm)
  const shelving = useAction(alarms.shelveAlarm, { feedback: 'failure' })
  const name = nameOfAlarm(alarm)
  const key = keyOf(alarm)
  return {
    name,
    busy: {
      acknowledge: acknowledging.busy,
      unacknowledge: unacknowledging.busy,
      unshelve: unshelving.busy,
      comment: commenting.busy,
    },
    shelving,
    acknowledge: (Comment = '') =>
      acknowledging.run({ ...key, ...(Comment !== '' && { Comment }) }, () =>
        t('alarms:acts.acknowledged', { name }),
      ),
    unacknowledge: () => unacknowledging.run(key, () => t('alarms:acts.unacknowledged', { name })),
    unshelve: () => unshelving.run(key, () => t('alarms:acts.unshelved', { name })),
    comment: (Text: string) => commenting.run({ ...key, Text }, () => t('alarms:acts.commented')),
    shelve: (shelvingInput: { Until: number; Reason: string }) =>
      shelving.run({ ...key, ...shelvingInput }, () => t('alarms:acts.shelved', { name })),
  }
}

export function alarmActionsOf(
  alarm: Pick<Alarm, 'Acknowledged' | 'Shelved' | 'Cleared' | 'SourceLost'>,
  now: number,
): Record<'acknowledge' | 'unacknowledge' | 'shelve' | 'unshelve' | 'clear', boolean> {
  const { Acknowledged, Shelved, Cleared, SourceLost } = alarm
  const isOpen = Cleared === null
  const isShelved = Shelved !== null && Shelved.Until > now
  return {
    acknowledge: isOpen && Acknowledged === null,
    unacknowledge: isOpen && Acknowledged !== null,
    shelve: isOpen && !isShelved,
    unshelve: isOpen && isShelved,
    clear: isOpen && SourceLost,
  }
}

/** Time for which an acknowledgement can be undone in its row, ms. */
const UNDO_MS = 10_000

/** Acknowledges an alarm with one click, and undoes it for some seconds; renders nothing if it is acknowledged otherwise, or cleared. */
export const AcknowledgeAlarm: FC<{ alarm: Alarm }> = ({ alarm }) => {
  const t = useT()
  const now = useNow()
  const isPhone = usePhone()
  const [canUndo, setCanUndo] = useState(false)
  useEffect(() => {
    if (!canUndo) return
    const timer = setTimeout(() => setCanUndo(false), UNDO_MS)
    return () => clearTimeout(timer)
  }, [canUndo])
  const { name, busy, acknowledge, unacknowledge } = useAlarmActions(alarm)
  const may = alarmActionsOf(alarm, now)
  if (canUndo && may.unacknowledge)
    return (
      <Button
        loading={busy.unacknowledge}
        aria-label={t('alarms:acts.unacknowledgeOf', { name })}
        icon={isPhone && <UndoOutlined />}
        onClick={(event) => {
          event.stopPropagation()
          void unacknowledge()
        }}
      >
        {!isPhone && t('alarms:acts.undo')}
      </Button>
    )
  if (!may.acknowledge) return null
  return (
    <Button
      loading={busy.acknowledge}
      aria-label={t('alarms:acts.acknowledgeOf', { name })}
      // The text would cut off the alarm's name.
      icon={isPhone && <CheckOutlined />}
      onClick={(event) => {
        event.stopPropagation()
        void acknowledge().then((isDone) => isDone && setCanUndo(true))
      }}
    >
      {!isPhone && t('alarms:acts.acknowledge')}
    </Button>
  )
}

/** Withdraws an acknowledgement. */
export const UnacknowledgeAlarm: FC<{ alarm: Alarm }> = ({ alarm }) => {
  const t = useT()
  const now = useNow()
  const { name, busy, unacknowledge } = useAlarmActions(alarm)
  if (!alarmActionsOf(alarm, now).unacknowledge) return null
  return (
    <IconButton
      icon={<UndoOutlined />}
      label={t('alarms:acts.unacknowledgeOf', { name })}
      loading={busy.unacknowledge}
      onPress={() => void unacknowledge()}
    />
  )
}

/** Shelves an alarm, or returns it to the list. */
export const ShelveAlarm: FC<{ alarm: Alarm }> = ({ alarm }) => {
  const t = useT()
  const now = useNow()
  const acts = useAlarmActions(alarm)
  const [isShelving, setShelving] = useState(false)
  const may = alarmActionsOf(alarm, now)
  const { name } = acts
  return (
    <>
      {may.shelve && (
        <IconButton
          icon={<PauseOutlined />}
          label={t('alarms:acts.shelveOf', { name })}
          onPress={() => setShelving(true)}
        />
      )}
      {may.unshelve && (
        <IconButton
          icon={<RollbackOutlined />}
          label={t('alarms:acts.unshelveOf', { name })}
          loading={acts.busy.unshelve}
          onPress={() => void acts.unshelve()}
        />
      )}
      {isShelving && (
        <ShelveDialog
          HomeID={alarm.HomeID}
          title={t('alarms:acts.shelveTitle', { name })}
          busy={acts.shelving.busy}
          failure={acts.shelving.failure}
          close={() => setShelving(false)}
          shelve={(shelvingInput) =>
            void acts.shelve(shelvingInput).then((isDone) => isDone && setShelving(false))
          }
        />
      )}
    </>
  )
}
