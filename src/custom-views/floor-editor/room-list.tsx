import { Button, Input } from 'antd'
import { useState } from 'react'
import { useT } from '../../lib/i18n/i18n.ts'
import page from '../../ui/page/page.module.css'
import { DRAGGED } from './editor-canvas.tsx'
import styles from './floor-editor.module.css'
import { foldText } from '../../../contract/kernel/text.ts'

/** Number of rooms from which there is a search field. */
const MIN_ROOMS_FOR_SEARCH = 10

interface Props {
  /** Rooms on no floor. */
  rooms: readonly { RoomID: number; name: string }[]
  selectedRoomId: number | undefined
  choose: (RoomID: number) => void
  /** Places a room in the middle of the plan. */
  add: (RoomID: number) => void
}

/** Rooms on no floor: choose one to draw, drag it onto the plan, or place it by button. */
export function RoomList({ rooms, selectedRoomId, choose, add }: Props) {
  const t = useT()
  const [search, setSearch] = useState('')
  const matchingRooms = rooms.filter(({ name }) => foldText(name).includes(foldText(search.trim())))
  return (
    <section className={`${page.tightStack} ${styles.list}`} aria-labelledby="unplaced">
      <h2 id="unplaced" className={page.hint}>
        {t('floorEditor:unplaced', { count: rooms.length })}
      </h2>
      {rooms.length === 0 && <p className={page.note}>{t('floorEditor:allPlaced')}</p>}
      {rooms.length > MIN_ROOMS_FOR_SEARCH && (
        <Input
          allowClear
          aria-label={t('floorEditor:search')}
          placeholder={t('floorEditor:search')}
          value={search}
          onChange={({ target }) => setSearch(target.value)}
        />
      )}
      <ul>
        {matchingRooms.map(({ RoomID, name }) => (
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- its button does the same
          <li
            key={RoomID}
            draggable
            onDragStart={(event) => event.dataTransfer.setData(DRAGGED, String(RoomID))}
          >
            <button
              type="button"
              className={styles.unplaced}
              aria-pressed={RoomID === selectedRoomId}
              onClick={() => choose(RoomID)}
            >
              {name}
            </button>
            <Button
              size="small"
              onClick={() => add(RoomID)}
              aria-label={t('floorEditor:addOf', { room: name })}
            >
              {t('floorEditor:add')}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}
