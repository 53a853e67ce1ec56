import { useNavigate, useSearchParams } from 'react-router'
import { Radio, Select, Button, Form } from 'antd'
import { useState, type FC } from 'react'
import { type HomeWithRooms, MOST_ROOMS_AT_ONCE, Home } from '../../../contract/homes/home.ts'
import { t, t as words, useT, type TKey } from '../../lib/i18n/i18n.ts'
import { pathTo, pathOf } from '../../navigation/paths.ts'
import { defineRecord } from '../../record-kit/define-record.tsx'
import { useMay } from '../../data/session.ts'
import { readRedirectPath } from '../../lib/redirect-path.ts'
import { DEFAULT_TIME_ZONE } from '../../lib/time-zones.ts'
import { FormCard, RecordPage } from '../../record-kit/record-page.tsx'
import { useRecordForm } from '../../record-kit/use-record-form.ts'
import page from '../../ui/page/page.module.css'
import type { FormField } from '../../record-kit/record-form.tsx'
import { TimeZoneSelect } from '../../ui/inputs/time-zone-select.tsx'
import { NumberWithUnit } from '../../ui/inputs/number-with-unit.tsx'

/** Rounds to five decimals, about one meter. */
const rounded = (degrees: number) => Math.round(degrees * 1e5) / 1e5

interface PositionInputProps {
  id?: string
  value?: number | null
  onChange?: (value: number | null) => void
}

/** Input for the longitude, with a button that fills in latitude and longitude from the browser's position. */
function PositionInput({ id, value, onChange }: PositionInputProps) {
  const t = useT()
  const form = Form.useFormInstance()
  const [state, setState] = useState<'idle' | 'asking' | 'failed'>('idle')
  const { minValue, maxValue } = Home.shape.Longitude.unwrap()

  function confirmRemoval() {
    setState('asking')
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => {
        setState('idle')
        form.setFieldValue('Latitude', rounded(coords.latitude))
        onChange?.(rounded(coords.longitude))
      },
      () => setState('failed'),
      { timeout: 15_000 },
    )
  }

  return (
    <>
      <NumberWithUnit
        {...(id !== undefined && { id })}
        value={value ?? null}
        onChange={(points) => onChange?.(points)}
        min={minValue ?? undefined}
        max={maxValue ?? undefined}
      />
      <div style={{ marginTop: 8, color: 'var(--muted)' }}>
        {t('resources:home.positionNote')}
        {'geolocation' in navigator && (
          <Button type="link" size="small" disabled={state === 'asking'} onClick={confirmRemoval}>
            {t('resources:home.positionOfDevice')}
          </Button>
        )}
        {state === 'failed' && <div role="alert">{t('resources:home.positionFailed')}</div>}
      </div>
    </>
  )
}

const fields: readonly FormField[] = [
  'HomeName',
  { name: 'TimeZone', input: <TimeZoneSelect /> },
  'Latitude',
  { name: 'Longitude', input: <PositionInput /> },
]

/** Kinds of building in display order. */
const BUILDING_KINDS = ['office', 'factory', 'shop', 'warehouse', 'other'] as const
type BuildingKind = (typeof BUILDING_KINDS)[number]

/** Number of suggested rooms per kind; their names are in the locales, `resources:home.proposals.<kind>.r1` and so on. */
const PROPOSED = { office: 6, factory: 6, shop: 4, warehouse: 4, other: 0 } as const satisfies Record<
  BuildingKind,
  number
>

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
        options={BUILDING_KINDS.map((buildingKind) => ({
          value: buildingKind,
          label: t(`resources:home.kinds.${buildingKind}`),
        }))}
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
  { name: 'RoomNames', input: <RoomsOfBuilding />, isWide: true },
  ...position,
]

/** Path after creating a home: the page that required one, with the new HomeID, or else the page that adds its first hub. */
function pathAfter(then: string | undefined, HomeID: string): string {
  const [pathname = '', search = ''] = then?.split('?') ?? []
  const requestedPath = then === undefined ? undefined : pathOf(pathname)
  if (!requestedPath) return pathTo('AddDevices', { HomeID })
  const path = pathTo(
    requestedPath.name,
    'HomeID' in requestedPath.params ? { ...requestedPath.params, HomeID } : requestedPath.params,
  )
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
    <RecordPage title={t('resources:home.create')}>
      <p className={page.note}>
        {t(then === undefined ? 'screens:createHome.note' : 'screens:createHome.first')}
      </p>
      <FormCard
        resource="home"
        formState={edited}
        record={undefined}
        fields={mayRooms ? WITH_ROOMS : fields}
        initial={{ TimeZone: DEFAULT_TIME_ZONE }}
        submitText={t('resources:home.create')}
        cancelTo={pathTo('HomeList')}
        submit={async (values) => {
          const created = await edited.save(values)
          if (created) void navigate(pathAfter(then, created['HomeID'] as string))
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
  form: { presentation: 'modal', fields },
  to: { list: () => pathTo('HomeList'), create: () => pathTo('CreateHome') },
  open: (row) => pathTo('DeviceList', { HomeID: row.HomeID }),
  remove: { consequence: (row) => t('resources:home.consequence', contentOf(row)) },
  pages: { Create: CreateHome },
})
