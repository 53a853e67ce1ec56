import type { HomeWithRooms } from '../../../contract/homes/home.ts'
import { t } from '../../lib/i18n/i18n.ts'
import { pathTo } from '../../navigation/paths.ts'
import { defineRecord } from '../../record-kit/define-record.tsx'
import { CreateHome } from './create-home.tsx'
import { fields } from './fields.tsx'

const contentOf = ({ RoomList }: HomeWithRooms) => ({
  rooms: RoomList.length,
  hubs: RoomList.reduce((sum, room) => sum + room.ThingNameList.length, 0),
  devices: RoomList.reduce((sum, room) => sum + room.PeripheralList.length, 0),
})

/** Homes (sites) of the company. Deleting one takes its rooms, hubs, devices and readings with it. */
export default defineRecord({
  resource: 'home',
  drawing: 'site',
  columns: [
    'HomeName',
    'TimeZone',
    { key: 'rooms', text: (row) => contentOf(row).rooms },
    { key: 'hubs', text: (row) => contentOf(row).hubs },
    { key: 'devices', text: (row) => contentOf(row).devices },
  ],
  form: { as: 'modal', fields },
  to: { list: () => pathTo('HomeList'), create: () => pathTo('CreateHome') },
  open: (row) => pathTo('DeviceList', { HomeID: row.HomeID }),
  remove: { consequence: (row) => t('resources:home.consequence', contentOf(row)) },
  pages: { Create: CreateHome },
})
