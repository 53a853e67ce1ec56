import { Room, type RoomWithContents } from '../../../contract/homes/room.ts'
import { columnsOf } from '../../store/columns.ts'
import { type Db, empty, sql } from '../../kernel/db.ts'

/**
 * Rooms with their contents, by home, default room first.
 *
 * homeId       one home, or all of the company's
 * withDevices  false leaves the lists empty, for people without the right to read devices
 */
export const roomsWithContents = (
  db: Db,
  tenant: string,
  options: { homeId?: string | undefined; withDevices: boolean },
): Promise<RoomWithContents[]> => {
  const listOf = (column: 'peripheral_uid' | 'thing_name') =>
    column === 'thing_name'
      ? sql`array(select d.thing_name from things d where d.tenant = r.tenant and d.home_id = r.home_id
              and d.room_id = r.room_id and ${options.withDevices} order by 1)`
      : sql`array(select d.peripheral_uid from peripherals d where d.tenant = r.tenant and d.home_id = r.home_id
              and d.room_id = r.room_id and ${options.withDevices} order by 1)`
  return db.query<RoomWithContents>(sql`
    select ${columnsOf(Room, 'r')}, ${listOf('peripheral_uid')} as "PeripheralList", ${listOf('thing_name')} as "ThingNameList"
    from rooms r
    where r.tenant = ${tenant} ${options.homeId === undefined ? empty : sql`and r.home_id = ${options.homeId}`}
    order by r.home_id, r.room_id <> 0, lower(r.room_name)`)
}
