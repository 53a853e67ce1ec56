import { Modal, Select, type RefSelectProps } from 'antd'
import { useRef, useState, type FC } from 'react'
import type { Room } from '../../../../contract/resources/room.ts'
import { useT } from '../../../providers/i18n.ts'
import styles from './bulk.module.css'

/** Asks for the room that the chosen devices go to. */
export const MoveDialog: FC<{
  count: number
  rooms: readonly Room[]
  move: (roomId: number, room: string) => void
  close: () => void
}> = ({ count, rooms, move, close }) => {
  const t = useT()
  const select = useRef<RefSelectProps>(null)
  const [chosen, setChosen] = useState<number>()
  const room = rooms.find(({ RoomID }) => RoomID === chosen)
  return (
    <Modal
      open
      title={t('lists:moveTo.title', { count })}
      okText={t('lists:moveTo.ok')}
      cancelText={t('screens:cancel')}
      okButtonProps={{ disabled: !room }}
      onOk={() => room && move(room.RoomID, room.RoomName)}
      onCancel={close}
      afterOpenChange={(open) => open && select.current?.focus()}
    >
      <Select
        ref={select}
        showSearch
        optionFilterProp="label"
        className={styles.wide ?? ''}
        value={chosen}
        placeholder={t('lists:moveTo.room')}
        aria-label={t('lists:moveTo.room')}
        onChange={setChosen}
        options={rooms.map(({ RoomID, RoomName }) => ({ value: RoomID, label: RoomName }))}
      />
    </Modal>
  )
}
