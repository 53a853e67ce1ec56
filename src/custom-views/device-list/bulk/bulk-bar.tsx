import { EditOutlined, PoweroffOutlined, SwapOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useState, type FC } from 'react'
import type { Room } from '../../../../contract/homes/room.ts'
import { useT } from '../../../lib/i18n/i18n.ts'
import { useMay } from '../../../data/session.ts'
import { useNoControl } from '../../../ui/inputs/no-control.ts'
import { SelectionBar } from '../../../record-kit/bulk/selection-bar.tsx'
import { ChooseDialog } from '../../../record-kit/bulk/choose-dialog.tsx'
import type { DeviceRow } from '../../../domain/devices/device-rows.ts'
import { moving, renaming, switchAll } from './actions.ts'
import { RenameDialog } from './rename-dialog.tsx'

export interface Props {
  /** The selected rows, in list order. */
  rows: readonly DeviceRow[]
  rooms: readonly Room[]
  clear: () => void
}

const DeviceBulkBar: FC<Props> = ({ rows, rooms, clear }) => {
  const t = useT()
  const mayUpdate = useMay('device', 'Update')
  const mayControl = useMay('device_control', 'Control')
  const reason = useNoControl()
  const [dialog, setDialog] = useState<'move' | 'rename'>()
  const items = rows.flatMap(({ id, name, device }) => (device ? [{ id, name, device }] : []))

  const close = () => setDialog(undefined)

  return (
    <SelectionBar words={t('lists:bulk.chosen', { count: items.length })} items={items} clear={clear}>
      {(run) => (
        <>
          {mayControl && (
            <>
              <Button
                icon={<PoweroffOutlined />}
                disabled={reason !== undefined}
                title={reason}
                onClick={() => switchAll(items, true, run)}
              >
                {t('lists:bulk.on')}
              </Button>
              <Button
                icon={<PoweroffOutlined />}
                disabled={reason !== undefined}
                title={reason}
                onClick={() => switchAll(items, false, run)}
              >
                {t('lists:bulk.off')}
              </Button>
            </>
          )}
          {mayUpdate && (
            <>
              <Button icon={<SwapOutlined />} onClick={() => setDialog('move')}>
                {t('lists:bulk.move')}
              </Button>
              <Button icon={<EditOutlined />} onClick={() => setDialog('rename')}>
                {t('lists:bulk.rename')}
              </Button>
            </>
          )}
          {dialog === 'move' && (
            <ChooseDialog
              title={t('lists:moveTo.title', { count: items.length })}
              label={t('lists:moveTo.room')}
              ok={t('lists:moveTo.ok')}
              options={rooms.map(({ RoomID, RoomName }) => ({ value: RoomID, label: RoomName }))}
              choose={(RoomID, room) => {
                close()
                run(moving(RoomID, room))
              }}
              close={close}
            />
          )}
          {dialog === 'rename' && (
            <RenameDialog
              items={items}
              rename={(names) => {
                close()
                run(renaming(names))
              }}
              close={close}
            />
          )}
        </>
      )}
    </SelectionBar>
  )
}
export default DeviceBulkBar
