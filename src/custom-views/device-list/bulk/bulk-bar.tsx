import { EditOutlined, PoweroffOutlined, SwapOutlined } from '@ant-design/icons'
import { App, Button } from 'antd'
import { useState, type FC } from 'react'
import type { Room } from '../../../../contract/resources/room.ts'
import { useT } from '../../../providers/i18n.ts'
import { useMay } from '../../../providers/session.ts'
import type { DeviceRow } from '../device-rows.ts'
import { moving, renaming, switching, type BulkAction, type DeviceItem } from './actions.ts'
import styles from './bulk.module.css'
import { MoveDialog } from './move-dialog.tsx'
import { RenameDialog } from './rename-dialog.tsx'
import { ResultsDialog } from './results-dialog.tsx'
import { mayMoveMachines } from './switch-plan.ts'

/** Names that a question lists before it says how many more there are. */
const NAMED = 5

interface Props {
  /** The chosen lines, in the order of the list. */
  rows: readonly DeviceRow[]
  rooms: readonly Room[]
  clear: () => void
}

/** What can be done with the chosen devices. Ends with how each one fared, and then nothing is chosen any more. */
const BulkBar: FC<Props> = ({ rows, rooms, clear }) => {
  const t = useT()
  const { modal } = App.useApp()
  const mayUpdate = useMay('device', 'Update')
  const mayControl = useMay('device_control', 'Control')
  const [asking, setAsking] = useState<'move' | 'rename'>()
  const [running, setRunning] = useState<{ action: BulkAction; items: readonly DeviceItem[] }>()
  const items = rows.flatMap(({ id, name, device }) => (device ? [{ id, name, device }] : []))

  // The list may change under a dialog: what was chosen when the action began is what it is done to.
  const run = (action: BulkAction) => {
    setAsking(undefined)
    setRunning({ action, items })
  }
  const turn = (on: boolean) => {
    const risky = items.filter(({ device }) => mayMoveMachines(device))
    if (risky.length === 0) return run(switching(on))
    const more = risky.length - NAMED
    void modal.confirm({
      title: t(on ? 'lists:ask.on' : 'lists:ask.off'),
      content: (
        <>
          <p>{t('lists:ask.why')}</p>
          <ul>
            {risky.slice(0, NAMED).map(({ id, name }) => (
              <li key={id}>{name}</li>
            ))}
            {more > 0 && <li>{t('lists:ask.more', { count: more })}</li>}
          </ul>
        </>
      ),
      okText: t(on ? 'lists:bulk.on' : 'lists:bulk.off'),
      okButtonProps: { danger: true },
      cancelText: t('screens:cancel'),
      autoFocusButton: 'cancel',
      onOk: () => run(switching(on)),
    })
  }

  return (
    <>
      <div role="toolbar" aria-label={t('lists:bulk.label')} className={styles.bar}>
        <strong role="status">{t('lists:bulk.chosen', { count: items.length })}</strong>
        {mayControl && (
          <>
            <Button icon={<PoweroffOutlined />} onClick={() => turn(true)}>
              {t('lists:bulk.on')}
            </Button>
            <Button icon={<PoweroffOutlined />} onClick={() => turn(false)}>
              {t('lists:bulk.off')}
            </Button>
          </>
        )}
        {mayUpdate && (
          <>
            <Button icon={<SwapOutlined />} onClick={() => setAsking('move')}>
              {t('lists:bulk.move')}
            </Button>
            <Button icon={<EditOutlined />} onClick={() => setAsking('rename')}>
              {t('lists:bulk.rename')}
            </Button>
          </>
        )}
        <Button type="text" onClick={clear}>
          {t('lists:bulk.clear')}
        </Button>
      </div>
      {asking === 'move' && (
        <MoveDialog
          count={items.length}
          rooms={rooms}
          move={(RoomID, room) => run(moving(RoomID, room))}
          close={() => setAsking(undefined)}
        />
      )}
      {asking === 'rename' && (
        <RenameDialog
          items={items}
          rename={(names) => run(renaming(names))}
          close={() => setAsking(undefined)}
        />
      )}
      {running && (
        <ResultsDialog
          {...running}
          close={() => {
            setRunning(undefined)
            clear()
          }}
        />
      )}
    </>
  )
}
export default BulkBar
