import { useNavigate, useSearchParams } from 'react-router'
import { useMay } from '../../data/session.ts'
import { t as words, useT } from '../../lib/i18n/i18n.ts'
import { readRedirectPath } from '../../lib/redirect-path.ts'
import { DEFAULT_TIME_ZONE } from '../../lib/time-zones.ts'
import { pathOf, pathTo } from '../../navigation/paths.ts'
import { FormCard, RecordPage } from '../../record-kit/record-page.tsx'
import { useRecordForm } from '../../record-kit/use-record-form.ts'
import { fields } from './fields.tsx'
import { RoomsOfBuilding } from './rooms-of-building.tsx'

const [name, zone, ...position] = fields
/** The rooms stand before where it is, which few know by heart. */
const WITH_ROOMS = [
  ...[name, zone].filter((field) => field !== undefined),
  { name: 'RoomNames', input: <RoomsOfBuilding /> },
  ...position,
]

/** Where a new home leads: the page that asked for one, of this home, else adding its first hub. */
function pathAfter(then: string | undefined, HomeID: string): string {
  const [pathname = '', search = ''] = then?.split('?') ?? []
  const asked = then === undefined ? undefined : pathOf(pathname)
  if (!asked) return pathTo('AddDevices', { HomeID })
  const path = pathTo(asked.name, 'HomeID' in asked.params ? { ...asked.params, HomeID } : asked.params)
  return search ? `${path}?${search}` : path
}

/** Adds a home with its rooms, then leads on. A company without a home starts here (§4). */
export function CreateHome() {
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
        edited={edited}
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
