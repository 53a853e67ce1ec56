import { CheckOutlined, PauseOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useState } from 'react'
import { alarms, type Alarm } from '../../../contract/alarms/calls.ts'
import { createSend } from '../../data/use-action.ts'
import { t as words, useT } from '../../lib/i18n/i18n.ts'
import { SelectionBar } from '../../record-kit/bulk/selection-bar.tsx'
import { type BulkAction, type BulkItem, callEach } from '../../record-kit/bulk/bulk-run.ts'
import { ShelveDialog } from './shelve-dialog.tsx'
import { nameOfAlarm } from './use-alarm-words.ts'

const send = createSend()

type AlarmItem = BulkItem & Pick<Alarm, 'HomeID' | 'AlarmID'>
const itemOf = (alarm: Alarm): AlarmItem => ({
  id: alarm.AlarmID,
  name: nameOfAlarm(alarm),
  HomeID: alarm.HomeID,
  AlarmID: alarm.AlarmID,
})
const keyOf = ({ HomeID, AlarmID }: AlarmItem) => ({ HomeID, AlarmID })

interface Props {
  HomeID: string
  rows: readonly Alarm[]
  clear: () => void
}

/** Acknowledges or shelves the selected alarms, and shows the outcome of each. */
export function AlarmBulk({ HomeID, rows, clear }: Props) {
  const t = useT()
  const [isShelving, setShelving] = useState(false)
  const items = rows.map(itemOf)
  const count = rows.length
  const acknowledging: BulkAction<AlarmItem> = {
    title: () => words('alarms:acts.acknowledgeMany', { count }),
    start: (all) => callEach(all, (item) => send(alarms.acknowledgeAlarm, keyOf(item))),
  }
  const shelving = (shelvingInput: { Until: number; Reason: string }): BulkAction<AlarmItem> => ({
    title: () => words('alarms:acts.shelveMany', { count }),
    start: (all) => callEach(all, (item) => send(alarms.shelveAlarm, { ...keyOf(item), ...shelvingInput })),
  })
  return (
    <SelectionBar words={t('alarms:bulk.selected', { count })} items={items} clear={clear}>
      {(run) => (
        <>
          <Button
            icon={<CheckOutlined />}
            aria-label={t('alarms:acts.acknowledgeMany', { count })}
            onClick={() => run(acknowledging)}
          >
            {t('alarms:acts.acknowledge')}
          </Button>
          <Button
            icon={<PauseOutlined />}
            aria-label={t('alarms:acts.shelveMany', { count })}
            onClick={() => setShelving(true)}
          >
            {t('alarms:acts.shelve')}
          </Button>
          {isShelving && (
            <ShelveDialog
              HomeID={HomeID}
              title={t('alarms:acts.shelveMany', { count })}
              close={() => setShelving(false)}
              shelve={(shelvingInput) => {
                setShelving(false)
                run(shelving(shelvingInput))
              }}
            />
          )}
        </>
      )}
    </SelectionBar>
  )
}
