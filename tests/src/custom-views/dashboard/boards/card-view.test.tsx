import { act, cleanup, screen, within } from '@testing-library/react'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { AnyEndpoint } from '../../../../../contract/kernel/define-endpoint.ts'
import { accessControl } from '../../../../../contract/access-control/calls.ts'
import { bills } from '../../../../../contract/tariffs/bill-calls.ts'
import { bookings } from '../../../../../contract/bookings/calls.ts'
import { history } from '../../../../../contract/devices/history-calls.ts'
import { insight } from '../../../../../contract/energy/insight-calls.ts'
import { meterData } from '../../../../../contract/energy/meter-data-calls.ts'
import { DEFAULT_PERSONAL_CONFIG, personal } from '../../../../../contract/people/personal-calls.ts'
import { conferenceRoom } from '../../../../../contract/bookings/conference-room.ts'
import { home } from '../../../../../contract/homes/home.ts'
import { peripheral } from '../../../../../contract/devices/peripheral.ts'
import { scene } from '../../../../../contract/automation/scene.ts'
import { tariff } from '../../../../../contract/tariffs/tariff.ts'
import {
  CARD_KINDS,
  CARDS,
  RIGHTS_OF_CARD,
  type Card,
  type CardKind,
} from '../../../../../contract/dashboards/cards.ts'
import { CardView } from '../../../../../src/custom-views/dashboard/boards/card-view.tsx'
import { queryClient } from '../../../../../src/data/api.ts'
import { attentionQuery } from '../../../../../src/data/homes.ts'
import { connection } from '../../../../../src/live/channel.ts'
import { anAttention } from '../../../../support/an-attention.ts'
import { describeRight } from '../../../../../src/data/failure.ts'
import { me } from '../../../../../src/data/session.ts'
import { statuses } from '../../../../../src/data/status-store.ts'
import { loadNamespaces, t } from '../../../../../src/lib/i18n/i18n.ts'
import {
  answers,
  neverAnswers,
  owner,
  rejectCall,
  server,
  signInAs,
  subUser,
} from '../../../../support/msw.ts'
import { point } from '../../../domain/energy/points.ts'
import { device, hub } from '../devices.ts'
import { draw, named, NOTHING, office } from './draw.tsx'

// jsdom has no canvas: drawing is tested as functions, and in a real browser.
vi.mock('../../../../../src/ui/chart/plot.ts', () => ({
  createPlot: () => ({ draw() {}, restyle() {}, resize() {}, point: () => 0, destroy() {} }),
}))
vi.mock('../../../../../src/ui/chart/donut.tsx', () => ({ default: () => null }))
vi.stubGlobal(
  'IntersectionObserver',
  class {
    observe() {}
    disconnect() {}
  },
)
/** Content of each kind of card, besides its position. */
const SAYS: Readonly<Record<CardKind, object>> = {
  number: { HomeID: 'h1', PeripheralUID: 'm1', Field: 'Power' },
  chart: { HomeID: 'h1', Quantities: [{ PeripheralUID: 'm1', Field: 'Power' }], Span: 'day' },
  usage: {},
  day: { HomeID: 'h1' },
  demand: { HomeID: 'h1' },
  ranking: { HomeID: 'h1' },
  categories: { HomeID: 'h1' },
  bill: { HomeID: 'h1' },
  attention: { HomeID: null },
  hubs: { HomeID: null },
  room: { HomeID: 'h1', RoomID: 3 },
  devices: { HomeID: 'h1', PeripheralUIDs: ['m1'] },
  scenes: { HomeID: 'h1', SceneIDs: ['s1'] },
  freeRooms: { HomeID: null },
  visitors: {},
  note: { Text: '早會' },
}
const cardOf = (kind: CardKind, more: object = {}): Card =>
  CARDS[kind].parse({
    CardID: 'c',
    X: 0,
    Y: 0,
    W: 4,
    H: 3,
    Kind: kind,
    Title: '卡片',
    ...SAYS[kind],
    ...more,
  }) as Card
const region = async () => within(await screen.findByRole('region', { name: '卡片' }))

const NO_ENERGY = { Series: [], Meters: { Reporting: 0, Total: 0 }, Carbon: [] }
const NO_DEVICES = { Things: [], Peripherals: [], Statuses: [] }
const PERIOD = {
  ...{
    From: '2026-11-01',
    Through: '2026-11-30',
    SoFarKwh: null,
    DaysOver: 0,
    DaysKnown: 0,
    Forecast: null,
    Days: [],
  },
  Refused: { Reason: 'history' as const, Have: 0, Needed: 28, EnoughOn: null },
  Peak: { SoFarKw: null, UpToKw: null },
}

/** Kinds of cards that call the gateway: the call, an empty response, and the text shown for it. */
const ASKING: readonly (readonly [
  kind: CardKind,
  call: AnyEndpoint,
  nothing: unknown,
  says: () => string,
])[] = [
  ['number', peripheral.operations.list, NO_DEVICES, () => t('boards:deviceGone')],
  ['devices', peripheral.operations.list, NO_DEVICES, () => t('boards:devicesGone')],
  ['chart', history.listHistoryQuantity, { Devices: [], NextCursor: null }, () => t('boards:chart.gone')],
  ['usage', meterData.getDailySummationData, [], () => t('energy:noMeters')],
  ['day', meterData.getEnergySeries, NO_ENERGY, () => t('energy:noMeters')],
  ['ranking', meterData.getEnergySeries, NO_ENERGY, () => t('energy:noMeters')],
  ['categories', meterData.getEnergySeries, NO_ENERGY, () => t('energy:noMeters')],
  [
    'demand',
    bills.getDemand,
    {
      ...{ Rolling: null, Forecast: null, Band: null, Limit: null, Reporting: 0, Meters: 0 },
      ...{ Month: '2026-11', Peaks: [] },
    },
    () => t('boards:demand.noMeters'),
  ],
  [
    'bill',
    insight.getForecast,
    { HasBalance: false, Month: PERIOD, Bill: PERIOD, Budget: null },
    () => t('insight:forecast.refused.history', { have: 0, needed: 28, day: '–' }),
  ],
  ['scenes', scene.operations.list, [], () => t('boards:scenesGone')],
  ['freeRooms', conferenceRoom.operations.list, [], () => t('boards:freeRooms.noRooms')],
  [
    'visitors',
    accessControl.getVisitorOverview,
    { Expected: 0, Inside: 0, Overdue: 0 },
    () => t('boards:visitors.expected'),
  ],
]

beforeAll(
  () =>
    loadNamespaces([
      ...(['dashboard', 'boards', 'cards', 'charts', 'energy', 'insight', 'history', 'tariff'] as const),
      ...(['devices', 'errors', 'screens'] as const),
    ]),
  60_000,
)
beforeEach(() => {
  queryClient.clear()
  statuses.clear()
  signInAs(owner)
  me.set(owner)
  server.use(
    answers(bookings.availableSlots, []),
    neverAnswers(meterData.getAllMeterData),
    answers(personal.getPersonalConfig, DEFAULT_PERSONAL_CONFIG),
    answers(home.operations.list, [office]),
    answers(peripheral.operations.list, NO_DEVICES),
    answers(tariff.operations.list, []),
  )
})

describe.each(ASKING)('a card of kind %s', (kind, call, nothing, says) => {
  it('keeps its place while it loads', async () => {
    server.use(neverAnswers(call))
    draw(<CardView card={cardOf(kind)} {...NOTHING} />)
    expect((await screen.findByRole('region', { name: '卡片' })).getAttribute('aria-busy')).toBe('true')
  })

  it('shows why loading failed, and retries', async () => {
    server.use(rejectCall(call, 'INTERNAL'))
    const { user } = draw(<CardView card={cardOf(kind)} {...NOTHING} />)
    const shown = await region()
    const retry = await shown.findByRole('button', { name: named(t('dashboard:retry')) })
    expect(shown.getByText(t('errors:call.INTERNAL'))).toBeTruthy()
    server.use(answers(call, nothing as never))
    await user.click(retry)
    expect(await shown.findByText(says())).toBeTruthy()
  })
})

it.each(CARD_KINDS.filter((kind) => RIGHTS_OF_CARD[kind].length > 0))(
  'a card of kind %s names the missing right and sends no call',
  async (kind) => {
    me.set(subUser([{ FeatureKey: 'dashboard', OperationList: ['Read'] }]))
    draw(<CardView card={cardOf(kind)} {...NOTHING} />)
    const [missing] = RIGHTS_OF_CARD[kind]
    expect(missing && (await region()).getByText(describeRight(missing))).toBeTruthy()
  },
)

it('a card of uses says that uses are not set if most energy has none', async () => {
  const Series = [{ Key: 'unknown', Points: [point(0, 5)] }]
  server.use(answers(meterData.getEnergySeries, { ...NO_ENERGY, Series, Meters: { Reporting: 1, Total: 1 } }))
  draw(<CardView card={cardOf('categories')} {...NOTHING} />)
  const shown = await region()
  expect(await shown.findByText(t('cards:usesUnknown'))).toBeTruthy()
  expect(shown.getByRole('link', { name: t('shell:pages.Meters') }).getAttribute('href')).toBe('/meters/h1')
})

/** Sets the gateway's answer, and whether the realtime channel is connected. */
const attentionIs = (answer: Parameters<typeof anAttention>[0], isLive: boolean) =>
  act(() => {
    connection.state.set(isLive ? 'connected' : 'idle')
    queryClient.setQueryData(attentionQuery.queryKey, anAttention(answer))
  })
afterEach(() => connection.state.set('idle'))

describe('a card', () => {
  it('of a later version says so', async () => {
    const later = { CardID: 'c', X: 0, Y: 0, W: 4, H: 3, Kind: 'weather', Title: '卡片' }
    draw(<CardView card={later} {...NOTHING} />)
    expect((await region()).getByText(t('boards:later.why'))).toBeTruthy()
  })

  it('of a deleted site says so', async () => {
    draw(<CardView card={cardOf('day', { HomeID: 'gone' })} {...NOTHING} />)
    expect((await region()).getByText(t('boards:siteGone'))).toBeTruthy()
  })

  it('of a deleted room says so, and of a loading one shows that it loads', async () => {
    const room = { HomeID: 'h1', RoomID: 3, RoomName: '會議室', PeripheralList: [], ThingNameList: [] }
    const homes = [{ ...office, RoomList: [room] }]
    draw(<CardView card={cardOf('room')} homes={homes} />)
    expect((await screen.findByRole('region', { name: '卡片' })).getAttribute('aria-busy')).toBe('true')
    draw(<CardView card={cardOf('room', { Title: '別間', RoomID: 4 })} homes={homes} />)
    expect(await screen.findByText(t('boards:roomGone'))).toBeTruthy()
  })

  it('of attention reports "all clear" only if everything is known', async () => {
    const answer = { Items: [], Known: 3, Watched: 5, UnknownIn: { h1: 2 } }
    attentionIs({ ...answer, Verdict: 'unknown' }, true)
    draw(<CardView card={cardOf('attention')} {...NOTHING} />)
    expect(await screen.findByText(t('boards:attention.noneKnown', { count: 2 }))).toBeTruthy()
    attentionIs({ ...answer, Verdict: 'clear' }, true)
    expect(await screen.findByText(t('boards:attention.clear'))).toBeTruthy()
  })

  it('of attention for one site counts only its unknowns, and makes no claim while offline', async () => {
    const answer = { Items: [], Known: 3, Watched: 5, UnknownIn: { h2: 2 }, Without: [] }
    const homes = [office, { ...office, HomeID: 'h2' }]
    const drawOf = (HomeID: string, isLive = true) => {
      cleanup()
      attentionIs({ ...answer, Verdict: 'attention' }, isLive)
      draw(<CardView card={cardOf('attention', { HomeID })} homes={homes} />)
    }
    drawOf('h1', false)
    expect(await screen.findByText(t('boards:attention.none'))).toBeTruthy()
    drawOf('h2')
    expect(await screen.findByText(t('boards:attention.noneKnown', { count: 2 }))).toBeTruthy()
    drawOf('h1')
    expect(await screen.findByText(t('boards:attention.clear'))).toBeTruthy()
  })

  it('of one value shows its age, and marks it as stale behind a lost hub', async () => {
    const at = Date.now()
    const snapshot = (isOnline: boolean) => ({
      Things: [hub('on', isOnline)],
      Peripherals: [device('m1', '514', { PeripheralName: '總電表' })],
      Statuses: [{ PeripheralUID: 'm1', PeripheralType: '514', Power: 12_340, Timestamp: at, updateAt: at }],
    })
    server.use(answers(peripheral.operations.list, snapshot(true)))
    draw(<CardView card={cardOf('number')} {...NOTHING} />)
    const shown = await region()
    expect(await shown.findByText('12.34')).toBeTruthy()
    expect(shown.getByText('總電表')).toBeTruthy()
    expect(shown.queryByText(t('devices:freshness.offline'))).toBeNull()
    server.use(answers(peripheral.operations.list, snapshot(false)))
    await queryClient.refetchQueries()
    expect(await shown.findByText(t('devices:freshness.offline'))).toBeTruthy()
  })

  it('of a note shows its text without interpreting it', async () => {
    draw(<CardView card={cardOf('note', { Text: '<b>粗</b>\n第二行' })} {...NOTHING} />)
    expect((await region()).getByText(/<b>粗<\/b>/)).toBeTruthy()
  })
})
