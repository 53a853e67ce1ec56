import type { RoomWithContents } from '../../../contract/homes/room.ts'
import page from '../../ui/page/page.module.css'
import styles from './building.module.css'
import { RoomTile } from './room-tile.tsx'
import type { RoomBookings } from './use-room-bookings.ts'
import type { ShownRoom } from './use-room-look.ts'

export interface WallProps extends Pick<ShownRoom, 'store' | 'layer' | 'open'> {
  rooms: readonly RoomWithContents[]
  booked: ReadonlyMap<number, RoomBookings>
}

export const RoomWall = ({ rooms, booked, ...shown }: WallProps) => (
  <ul className={styles.wall}>
    {rooms.map(({ RoomID, RoomName }) => (
      <li key={RoomID} className={page.stack}>
        <RoomTile {...shown} RoomID={RoomID} name={RoomName} booked={booked.get(RoomID)} />
      </li>
    ))}
  </ul>
)
