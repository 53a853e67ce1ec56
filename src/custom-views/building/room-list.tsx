import { memo } from 'react'
import type { RoomWithContents } from '../../../contract/homes/room.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import page from '../../ui/page/page.module.css'
import styles from './building.module.css'
import { type RoomStore, useAttention, useByAttention } from './room-store.ts'
import { RoomState } from './room-wall.tsx'

interface RowProps {
  store: RoomStore
  RoomID: number
  name: string
  open: (RoomID: number) => void
}

/** A room and its state. Renders only when the state changes: the plan next to it shows the values. */
const RoomRow = memo(function RoomRow({ store, RoomID, name, open }: RowProps) {
  const t = useT()
  const { state, attentionCount } = useAttention(store, RoomID)
  const words = t(`building:states.${state}`)
  return (
    <button
      type="button"
      className={`${page.spread} ${page.fill} ${styles.row}`}
      data-state={state}
      onClick={() => open(RoomID)}
    >
      <span className={page.ellipsis}>{name}</span>
      <RoomState
        state={state}
        words={attentionCount > 0 ? t('building:needs', { state: words, number: attentionCount }) : words}
      />
    </button>
  )
})

interface Props extends Pick<RowProps, 'store' | 'open'> {
  title: string
  rooms: readonly RoomWithContents[]
}

/** Rooms with their states, the most urgent first. */
export function RoomList({ title, rooms, ...shared }: Props) {
  const sortedRooms = useByAttention(shared.store, rooms)
  if (rooms.length === 0) return null
  return (
    <section aria-label={title}>
      <h2 className={page.hint}>{title}</h2>
      <ul>
        {sortedRooms.map(({ RoomID, RoomName }) => (
          <li key={RoomID}>
            <RoomRow {...shared} RoomID={RoomID} name={RoomName} />
          </li>
        ))}
      </ul>
    </section>
  )
}
