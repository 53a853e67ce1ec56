import { type HomeWithRooms, MOST_ROOMS_AT_ONCE } from '../../../contract/homes/home.ts'
import { t, t as words, useT, type TKey } from '../../lib/i18n/i18n.ts'
import { pathTo, pathOf } from '../../navigation/paths.ts'
import { defineRecord } from '../../record-kit/define-record.tsx'
import { fields } from './fields.tsx'
import { useNavigate, useSearchParams } from 'react-router'
import { useMay } from '../../data/session.ts'
import { readRedirectPath } from '../../lib/redirect-path.ts'
import { DEFAULT_TIME_ZONE } from '../../lib/time-zones.ts'
import { FormCard, RecordPage } from '../../record-kit/record-page.tsx'
import { useRecordForm } from '../../record-kit/use-record-form.ts'
import { Radio, Select } from 'antd'
import { useState, type FC } from 'react'
import page from '../../ui/page/page.module.css'
import { BUILDING_KINDS, PROPOSED, type BuildingKind } from './room-proposals.ts'

interface Props {
  id?: string
  value?: readonly string[]
  onChange?: (rooms: string[]) => void
}

const proposalsFor = (kind: BuildingKind) =>
  Array.from({ length: PROPOSED[kind] }, (_, i) =>
    words(`resources:home.proposals.${kind}.r${i + 1}` as TKey),
  )

/** Rooms of a new home: suggested by the kind of building and editable before creation. */
const RoomsOfBuilding: FC<Props> = ({ id, value = [], onChange }) => {
  const t = useT()
  const [kind, setKind] = useState<BuildingKind>()
  return (
    <div className={page.tightStack}>
      <Radio.Group
        aria-label={t('resources:home.kindOfBuilding')}
        value={kind ?? null}
        onChange={({ target }) => {
          const next = target.value as BuildingKind
          setKind(next)
          onChange?.(proposalsFor(next))
        }}
        options={BUILDING_KINDS.map((each) => ({ value: each, label: t(`resources:home.kinds.${each}`) }))}
      />
      <Select
        mode="tags"
        {...(id !== undefined && { id })}
        value={[...value]}
        maxCount={MOST_ROOMS_AT_ONCE}
        tokenSeparators={[',', '，', '、', '\n']}
        placeholder={t('resources:home.roomsPlaceholder')}
        open={false}
        suffixIcon={null}
        onChange={(next: string[]) => onChange?.(next.map((room) => room.trim()).filter(Boolean))}
      />
    </div>
  )
}

const [name, zone, ...position] = fields
/** The rooms come before the position, which few users know by heart. */
const WITH_ROOMS = [
  ...[name, zone].filter((field) => field !== undefined),
  { name: 'RoomNames', input: <RoomsOfBuilding /> },
  ...position,
]

/** Path after creating a home: the page that required one, with the new HomeID, or else the page that adds its first hub. */
function pathAfter(then: string | undefined, HomeID: string): string {
  const [pathname = '', search = ''] = then?.split('?') ?? []
  const asked = then === undefined ? undefined : pathOf(pathname)
  if (!asked) return pathTo('AddDevices', { HomeID })
  const path = pathTo(asked.name, 'HomeID' in asked.params ? { ...asked.params, HomeID } : asked.params)
  return search ? `${path}?${search}` : path
}

/** Page that adds a home with its rooms, then navigates on. A company without a home starts here (§4). */
function CreateHome() {
  const t = useT()
  const navigate = useNavigate()
  const [params] = useSearchParams()
  const then = readRedirectPath(params.get('then'))
  const mayRooms = useMay('room', 'Create')
  const edited = useRecordForm('home', undefined, {
    toInput: (values) => ({ ...values, DefaultRoomName: words('screens:createHome.defaultRoom') }),
  })
  return (
    <RecordPage title={t('resources:home.create')} small>
      <p style={{ color: 'var(--muted)' }}>
        {t(then === undefined ? 'screens:createHome.note' : 'screens:createHome.first')}
      </p>
      <FormCard
        resource="home"
        formState={edited}
        record={undefined}
        fields={mayRooms ? WITH_ROOMS : fields}
        columns={false}
        initial={{ TimeZone: DEFAULT_TIME_ZONE }}
        submitText={t('resources:home.create')}
        cancelTo={pathTo('HomeList')}
        submit={async (values) => {
          const made = await edited.save(values)
          if (made) void navigate(pathAfter(then, made['HomeID'] as string))
        }}
      />
    </RecordPage>
  )
}

const contentOf = ({ RoomList }: HomeWithRooms) => ({
  rooms: RoomList.length,
  hubs: RoomList.reduce((sum, room) => sum + room.ThingNameList.length, 0),
  devices: RoomList.reduce((sum, room) => sum + room.PeripheralList.length, 0),
})

/** Homes (sites) of the company. Deleting one also deletes its rooms, hubs, devices and readings. */
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
