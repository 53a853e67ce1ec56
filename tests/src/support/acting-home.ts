import type { ResultsOf } from '../../../contract/kernel/define-endpoint.ts'
import { DEFAULT_PERSONAL_CONFIG, personal } from '../../../contract/people/personal-calls.ts'
import { runs, type Run } from '../../../contract/automation/run-calls.ts'
import type { LastRun } from '../../../contract/automation/run-states.ts'
import { group } from '../../../contract/automation/group.ts'
import { home } from '../../../contract/homes/home.ts'
import { peripheral, type DeviceSnapshot } from '../../../contract/devices/peripheral.ts'
import { scene } from '../../../contract/automation/scene.ts'
import { showNoticesWith } from '../../../src/data/notices.ts'
import { loadNamespaces } from '../../../src/lib/i18n/i18n.ts'
import { aHome, beginAs } from '../../support/device-screens.tsx'
import { answers, owner, server } from '../../support/msw.ts'
import { aPeripheral } from '../../support/peripheral.ts'

type AnsweredGroup = ResultsOf<typeof group.operations.list>[number]
type AnsweredScene = ResultsOf<typeof scene.operations.list>[number]

const hub = (ThingName: string, Online: boolean) => ({
  ThingName,
  DeviceName: ThingName,
  HomeID: 'h1',
  RoomID: 0,
  Online,
  SeenAt: 1,
})
const switchAction = (PeripheralUID: string, Switch: 0 | 1) => ({
  PeripheralUID,
  PeripheralType: '516',
  Timestamp: 1,
  updateAt: 1,
  Switch,
})

/** Three lights, one of them behind an offline hub, a dimmer and a signal-light sensor. */
export const actingDevices = (): DeviceSnapshot => ({
  Things: [hub('hub', true), hub('dead', false)],
  Peripherals: [
    aPeripheral({ PeripheralUID: 'a', PeripheralType: '516', PeripheralName: '走廊燈', RoomID: 1 }),
    aPeripheral({ PeripheralUID: 'b', PeripheralType: '516', PeripheralName: '桌燈', RoomID: 1 }),
    aPeripheral({
      PeripheralUID: 'c',
      PeripheralType: '516',
      PeripheralName: '離線燈',
      RoomID: 1,
      ThingName: 'dead',
    }),
    aPeripheral({ PeripheralUID: 'd', PeripheralType: '532', PeripheralName: '調光燈', RoomID: 1 }),
    aPeripheral({ PeripheralUID: 'tower', PeripheralType: '515', PeripheralName: '三色燈', RoomID: 1 }),
  ],
  Statuses: [switchAction('a', 1), switchAction('b', 0), switchAction('c', 1)],
})

export const lights = (overrides: Partial<AnsweredGroup> = {}): AnsweredGroup => ({
  HomeID: 'h1',
  GroupID: 'g1',
  GroupName: '所有燈',
  PeripheralList: ['a', 'b'],
  GroupType: '516',
  Version: 3,
  ...overrides,
})
export const leavingScene = (overrides: Partial<AnsweredScene> = {}): AnsweredScene => ({
  HomeID: 'h1',
  SceneID: 's1',
  SceneName: '下班',
  Icon: 'leave',
  Actions: [{ PeripheralUID: 'a', Values: { Switch: 0 }, After: 0, IfOffline: 'fail' }],
  Order: 'together',
  StopOnFailure: false,
  Version: 5,
  ...overrides,
})
export const aRun = (overrides: Partial<Run> = {}): Run => ({
  RunID: 'r1',
  HomeID: 'h1',
  AutomationID: null,
  SceneID: 's1',
  Name: '下班',
  Cause: 'person',
  By: '擁有者',
  State: 'done',
  Reason: null,
  PlannedAt: null,
  BeganAt: Date.now() - 60_000,
  EndedAt: Date.now() - 59_000,
  Conditions: [],
  Actions: [{ PeripheralUID: 'a', Values: { Switch: 0 }, State: 'confirmed', Reason: null }],
  UndoUntil: Date.now() + 500_000,
  ...overrides,
})
/** Outcome of the last run of a scene or an automation: a minute ago its one device confirmed it. */
export const aLastRun = (overrides: Partial<LastRun> = {}): LastRun => ({
  RunID: 'r1',
  At: Date.now() - 60_000,
  Cause: 'person',
  State: 'done',
  Reason: null,
  Devices: 1,
  Confirmed: 1,
  Failed: 0,
  Failure: null,
  ...overrides,
})
/** Serves the scene with a last run. */
export const lastRunIs = (overrides: Partial<LastRun> = {}) =>
  server.use(answers(scene.operations.list, [leavingScene({ LastRun: aLastRun(overrides) })]))
export const runsAre = (...Rows: Run[]) =>
  server.use(answers(runs.listAutomationRun, { Rows, NextCursor: null, Total: Rows.length }))

/** Signs in to a home with devices, one group and one scene, none of which has run. */
export async function arriveInActingHome(person = owner): Promise<void> {
  await loadNamespaces(['automation'])
  await beginAs(person)
  server.use(
    answers(home.operations.list, [
      aHome('h1', '總部', { 0: '未分房間', 1: '走廊' }),
      aHome('h2', '工廠', { 0: '未分房間' }),
    ]),
    answers(peripheral.operations.list, actingDevices()),
    answers(personal.getPersonalConfig, DEFAULT_PERSONAL_CONFIG),
    answers(group.operations.list, [lights()]),
    answers(scene.operations.list, [leavingScene()]),
    answers(runs.listUsedBy, { Rows: [], Hidden: 0 }),
  )
  runsAre()
}

/** Records notices shown to the user; returns them as one text. */
export function collectNotices(): () => string {
  const texts: string[] = []
  showNoticesWith(({ text }) => texts.push(text()), String)
  return () => texts.join('\n')
}
