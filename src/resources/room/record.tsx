import { LazyUsersWarning } from '../../domain/automation/parts/lazy-users-warning.tsx'
import { t } from '../../lib/i18n/i18n.ts'
import { pathTo } from '../../navigation/paths.ts'
import { defineRecord } from '../../record-kit/define-record.tsx'

/** Rooms of a home. The default room cannot be deleted; the devices of a deleted room move to it (§3). */
export default defineRecord({
  resource: 'room',
  drawing: 'site',
  columns: [
    'RoomName',
    { key: 'devices', text: (row) => row.PeripheralList.length },
    { key: 'hubs', text: (row) => row.ThingNameList.length },
  ],
  form: { presentation: 'modal', fields: ['RoomName'] },
  open: (row) => pathTo('RoomDevice', { HomeID: row.HomeID, RoomID: row.RoomID }),
  remove: {
    when: (row) => row.RoomID !== 0,
    consequence: ({ PeripheralList: { length: devices }, ThingNameList: { length: hubs } }) =>
      hubs > 0
        ? t('resources:room.consequenceWithHubs', { devices, hubs })
        : t('resources:room.consequence', { count: devices }),
    breaks: (rooms) => (
      <LazyUsersWarning
        kind="room"
        of={rooms.map(({ HomeID, RoomID }) => ({ HomeID, Subject: 'room', ID: RoomID }))}
      />
    ),
  },
})
