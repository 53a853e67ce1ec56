import { may } from '../../../contract/features.ts'
import type { homeLists } from '../../../contract/procedures/home-lists.ts'
import { Home } from '../../../contract/resources/home.ts'
import type { RoomWithContents } from '../../../contract/resources/room.ts'
import type { HandlersOf } from '../../context.ts'
import { roomsWithContents } from './room-contents.ts'
import { columnsOf } from '../../store/columns.ts'
import { sql } from '../../store/db.ts'

export const homeListHandlers: HandlersOf<typeof homeLists> = {
  listHome: async (_, { db, actor }) => {
    const homes = await db.query<Home>(
      sql`select ${columnsOf(Home)} from homes where tenant = ${actor.tenant} order by lower(home_name)`,
    )
    const rooms = await roomsWithContents(db, actor.tenant, { withDevices: may(actor, 'device', 'Read') })
    const byHome = new Map<string, RoomWithContents[]>()
    for (const room of rooms) byHome.set(room.HomeID, [...(byHome.get(room.HomeID) ?? []), room])
    // The Thread key opens the home's mesh network; only who may change the home sees it.
    const withKey = may(actor, 'home', 'Update')
    return homes.map((home) => ({
      ...home,
      ThreadNetworkKey: withKey ? home.ThreadNetworkKey : null,
      RoomList: byHome.get(home.HomeID) ?? [],
    }))
  },

  listRoom: (_, { db, actor }) =>
    roomsWithContents(db, actor.tenant, { withDevices: may(actor, 'device', 'Read') }),
}
