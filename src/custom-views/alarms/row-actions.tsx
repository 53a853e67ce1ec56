import { CheckOutlined, PauseOutlined, RollbackOutlined, UndoOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useState, type FC, type ReactNode } from 'react'
import { type Alarm, alarms } from '../../../contract/alarms/calls.ts'
import { useT, t } from '../../lib/i18n/i18n.ts'
import { IconButton } from '../../ui/page/icon-button.tsx'
import { useBriefly } from '../../ui/page/use-briefly.ts'
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
  const [canUndo, setCanUndo] = useBriefly(UNDO_MS)
  const { name, busy, acknowledge, unacknowledge } = useAlarmActions(alarm)
  const may = alarmActionsOf(alarm, now)
  if (canUndo && may.unacknowledge)
    return (
      <RowButton
        label={t('alarms:acts.unacknowledgeOf', { name })}
        text={t('alarms:acts.undo')}
        icon={<UndoOutlined />}
        isBusy={busy.unacknowledge}
        press={() => void unacknowledge()}
      />
    )
  if (!may.acknowledge) return null
  return (
    <RowButton
      label={t('alarms:acts.acknowledgeOf', { name })}
      text={t('alarms:acts.acknowledge')}
      icon={<CheckOutlined />}
      isBusy={busy.acknowledge}
      press={() => void acknowledge().then((isDone) => isDone && setCanUndo(true))}
    />
  )
}

interface RowButtonProps {
  label: string
  text: string
  icon: ReactNode
  isBusy: boolean
  press: () => void
}

/** Button of a row: its text, or only its icon on a phone, where the text would cut off the alarm's name. */
function RowButton({ label, text, icon, isBusy, press }: RowButtonProps) {
  const isPhone = usePhone()
  return (
    <Button
      loading={isBusy}
      aria-label={label}
      icon={isPhone && icon}
      onClick={(event) => {
        event.stopPropagation()
        press()
      }}
    >
      {!isPhone && text}
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
