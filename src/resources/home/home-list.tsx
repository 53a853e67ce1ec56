import { home } from '../../../contract/resources/home.ts'
import { pathTo } from '../../paths.ts'
import { t } from '../../lib/i18n/i18n.ts'
import { definePages } from '../../record-kit/define-pages.tsx'
import { TimeZoneSelect } from '../../ui/inputs/time-zone-select.tsx'

/** Homes (sites) of the company. Deleting one takes its rooms, hubs, devices and readings with it. */
export default definePages(home, {
  list: {
    from: home.operations.list,
    columns: [
      'HomeName',
      'TimeZone',
      { key: 'rooms', text: (row) => row.RoomList.length },
      { key: 'hubs', text: (row) => row.RoomList.reduce((sum, room) => sum + room.ThingNameList.length, 0) },
      {
        key: 'devices',
        text: (row) => row.RoomList.reduce((sum, room) => sum + room.PeripheralList.length, 0),
      },
    ],
    open: (row) => pathTo('DeviceList', { HomeID: row.HomeID }),
    consequence: (row) =>
      t('resources:home.consequence', {
        rooms: row.RoomList.length,
        hubs: row.RoomList.reduce((sum, room) => sum + room.ThingNameList.length, 0),
        devices: row.RoomList.reduce((sum, room) => sum + room.PeripheralList.length, 0),
      }),
  },
  form: {
    as: 'modal',
    fields: ['HomeName', { name: 'TimeZone', input: <TimeZoneSelect /> }],
    create: 'CreateHome',
  },
})
