import { readFileSync } from 'node:fs'
import { controlRequest, controlResponse, status } from '../../../contract/devices/channels/control.ts'
import { userPermission } from '../../../contract/data-change.ts'
import { otaRequest, otaResponse } from '../../../contract/devices/channels/ota.ts'
import type { Access, Operation } from '../../../contract/kernel/permissions.ts'
import { bookings } from '../../../contract/bookings/calls.ts'
import { push } from '../../../contract/notifications/push-calls.ts'
import { RealtimeCredentials } from '../../../contract/people/session-calls.ts'
import { Home } from '../../../contract/homes/home.ts'
import { SWITCHES_HIDDEN } from '../../../contract/devices/peripheral.ts'
import { visitor } from '../../../contract/access-control/visitor.ts'
import { startsBetween, type Resolution } from '../../../contract/time/periods.ts'
import { COMPANY_KEY, PERSONAL_KEY } from '../../../src/data/personal.ts'
import { subjectOf } from '../../../src/data/session.ts'
import { CONNECTION_STATES } from '../../../src/live/connection-machine.ts'
import { sideEffectsOf } from '../../../src/live/side-effects.ts'
import { crumbsOf } from '../../../src/shell/page-crumbs.tsx'
import { afterHomeChoice } from '../../../src/shell/home-navigation.ts'
import { menuOf } from '../../../src/shell/menu.ts'
import { differing, type Fact, fact } from './fact.ts'

const chosen = (...paths: string[]) => paths.map((path) => afterHomeChoice(path, 'h2'))
const person = { CognitoId: 'p', Email: 'a@b.tw', FirstName: '', LastName: '', nickname: '', Permissions: [] }
const accepts = (schema: { safeParse(value: unknown): { success: boolean } }, value: unknown) =>
  schema.safeParse(value).success

/** Number of these files that match. */
const holding = (what: RegExp, ...files: string[]) =>
  files.filter((file) => what.test(readFileSync(file, 'utf8'))).length
const screen = (name: string) => `src/resources/automation/${name}-page.tsx`

/** Pages of a home's devices that the menu offers with these rights on devices. */
const offered = (OperationList: Operation[]) => {
  const home = {
    HomeID: 'h',
    HomeName: 'h',
    TimeZone: 'Asia/Taipei',
    ThreadNetworkKey: null,
    Latitude: null,
    Longitude: null,
    RoomList: [],
  }
  const subject = {
    isRoot: false,
    permissions: [{ FeatureKey: 'device' as const, OperationList }],
  }
  const menu = menuOf({ subject, home, categories: new Map(), hasScreen: () => true })
  return menu.map(({ key }) => key).filter((key) => key === 'AddDevices' || key === 'DeviceList')
}

const booking = {
  ConferenceRoomID: 'r',
  StartTimestamp: 0,
  EndTimestamp: 3_600_000,
  Subject: 'Plan',
  Attendees: ['a@b.tw'],
}
const bookable = (changes: object) => accepts(bookings.add.input, { ...booking, ...changes })

/** Right that each topic requires, as `feature operation`. */
const rightsOf = (...asked: readonly { access: Access }[]) =>
  asked.map(({ access }) => (typeof access === 'object' ? `${access.feature} ${access.operation}` : access))

const noDevices = () => undefined
const here = { homeId: 'h', roomId: 2 }

/** Number of bars of a chart in Taipei, from a day in November 2026 on. */
const bars = (resolution: Resolution, from: string, to: string) =>
  startsBetween(resolution, Date.parse(`${from}T00:00+08:00`), Date.parse(`${to}T00:00+08:00`), 'Asia/Taipei')
    .length

/** Sections 2 to 7 and 9: rules implemented by a short function. */
export const BEHAVIOURS: readonly Fact[] = [
  fact('§2 another home: room pages go to its default room', ['/RoomDevice/h2/0'], () =>
    chosen('/RoomDevice/h1/7'),
  ),
  fact('§2 another home: group edit goes to the group list', ['/GroupListing/h2'], () =>
    chosen('/updateGroup/h1/g1'),
  ),
  fact(
    '§2 another home: HomeList, Dashboard and Home go to DeviceList',
    Array.from({ length: 3 }, () => '/DeviceList/h2'),
    () => chosen('/HomeList', '/Dashboard', '/home'),
  ),
  fact(
    '§2 another home: otherwise the same route; failing that, DeviceList',
    ['/history/h2', '/DeviceList/h2'],
    () => chosen('/history/h1', '/no/such/page'),
  ),
  fact(
    '§2 an entry shows with Read, Add Device with Create',
    [['DeviceList'], ['DeviceList', 'AddDevices']],
    () => [offered(['Read']), offered(['Read', 'Create'])],
  ),
  fact('§2 breadcrumbs: Home, home name, feature', ['Home', 'Taipei', 'RoomList'], () =>
    crumbsOf('RoomList', { HomeID: 'h' }, { home: { HomeID: 'h', HomeName: 'Taipei' } }).map((crumb) =>
      'page' in crumb ? crumb.page : crumb.text,
    ),
  ),
  fact('§2 the alarm list is the listing view of smart links', 2, () =>
    holding(/<RuleList kind="(alarm|smartLink)"/, screen('alarm'), screen('smart-link-list')),
  ),
  fact('§2 the alarm editor is the editor of smart links', 2, () =>
    holding(/<RulePage kind="(alarm|smartLink)"/, screen('alarm-rule'), screen('smart-link')),
  ),
  fact('§2 switches are hidden when control mode is 2', 2, () => SWITCHES_HIDDEN),
  fact('§3 status payloads carry Peripherals', { Peripherals: [] }, () =>
    status.payload.parse({ Peripherals: [] }),
  ),
  fact('§3 user attributes: tenant id, identity id, initialized-user flag', [], () => {
    const tokens = readFileSync('gateway/features/identity/tokens.ts', 'utf8')
    return ['custom:tenant_id', 'custom:identity_id', 'custom:initialized_user'].filter(
      (claim) => !tokens.includes(`'${claim}'`),
    )
  }),
  fact(
    '§4 realtime: connect, reconnect, error, offline, end',
    ['connecting', 'connected', 'reconnecting', 'offline', 'error', 'ended'],
    () => CONNECTION_STATES.filter((state) => state !== 'idle'),
  ),
  fact('§4 push: ENABLE stores the subscription, REMOVE clears it', ['ENABLE', 'REMOVE'], () => [
    ...push.webPushSubscriptionSetting.input.shape.Status.options,
  ]),
  fact('§4 push: ENABLE stores it in this browser too, REMOVE clears it there', [1, 1], () =>
    [
      /'ENABLE', [^\n]+\n\s*localStorage\.setItem\(SUBSCRIPTION_KEY/,
      /localStorage\.removeItem\(SUBSCRIPTION_KEY\)/,
    ].map((line) => holding(line, 'src/domain/push/browser.ts')),
  ),
  fact('§4 push: a denied permission is logged and skipped', 1, () =>
    holding(/if \(answer === 'denied'\) return logFault\(/, 'src/custom-views/personal/use-this-browser.ts'),
  ),
  fact('§4 the current home is deleted: to the home list', { page: 'HomeList' }, () => {
    return sideEffectsOf({ name: 'home.remove', record: { HomeID: 'h' } }, here, noDevices).goTo
  }),
  fact('§4 the current room is deleted: to the device list', { page: 'DeviceList', homeId: 'h' }, () => {
    return sideEffectsOf({ name: 'room.remove', record: { HomeID: 'h', RoomID: 2 } }, here, noDevices).goTo
  }),
  fact(
    '§5 booking: room, period, subject and attendees required, addresses valid',
    [true, ...Array(6).fill(false)],
    () =>
      [
        {},
        { ConferenceRoomID: undefined },
        { StartTimestamp: undefined },
        { EndTimestamp: undefined },
        { Subject: '' },
        { Attendees: [] },
        { Attendees: ['nobody'] },
      ].map(bookable),
  ),
  fact('§5 names are required', [true, false, false], () =>
    ['Taipei', '', '  '].map((name) => accepts(Home.shape.HomeName, name)),
  ),
  fact('§5 visitor email must be valid', [true, false], () =>
    ['a@b.tw', 'nobody'].map((address) => accepts(visitor.operations.create.input.shape.Email, address)),
  ),
  fact('§6 root: the own identity id equals the root identity id', [true, false], () =>
    ['p', 'other'].map((RootCognitoId) => subjectOf({ ...person, RootCognitoId })?.isRoot),
  ),
  fact('§6 realtime follows permission: ota Control', ['ota Control', 'ota Control'], () =>
    rightsOf(otaRequest, otaResponse),
  ),
  fact(
    '§6 realtime follows permission: device_control Control',
    ['device_control Control', 'device_control Control'],
    () => rightsOf(controlRequest, controlResponse),
  ),
  fact('§6 device permission events are always subscribed', 'signed-in', () => userPermission.access),
  differing('0002-own-user-pool.md', '§7 temporary cloud credentials: of one connection', true, () => {
    return 'Password' in RealtimeCredentials.shape && 'ExpiresAt' in RealtimeCredentials.shape
  }),
  differing(
    '0004-aedes-is-the-only-broker.md',
    '§9 broker host fixed: the gateway says where it is',
    true,
    () => {
      return 'Url' in RealtimeCredentials.shape
    },
  ),
  fact('§9 cached items: personal config, company profile', ['personalConfig', 'companyProfile'], () => [
    PERSONAL_KEY,
    COMPANY_KEY,
  ]),
  fact('§9 chart labels: 24 hours, days of the month, 12 months', [24, 30, 12], () => [
    bars('hour', '2026-11-23', '2026-11-24'),
    bars('day', '2026-11-01', '2026-12-01'),
    bars('month', '2026-01-01', '2027-01-01'),
  ]),
]
