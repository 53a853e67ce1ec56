import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { endpoints } from '../../contract/index.ts'
import type { ResultsOf, RequestOf } from '../../contract/kernel/define-endpoint.ts'
import { ERRORS } from '../../contract/kernel/errors.ts'
import { bills } from '../../contract/tariffs/bill-calls.ts'
import { attention } from '../../contract/attention/calls.ts'
import { findings } from '../../contract/findings/calls.ts'
import { history } from '../../contract/devices/history-calls.ts'
import { session, type Me } from '../../contract/people/session-calls.ts'
import { setup } from '../../contract/setup/calls.ts'
import { dashboard, type Dashboard } from '../../contract/dashboards/dashboard.ts'
import { floor } from '../../contract/homes/floor.ts'
import { home, type HomeWithRooms } from '../../contract/homes/home.ts'
import { peripheral, type DeviceSnapshot } from '../../contract/devices/peripheral.ts'
import { room, type Room } from '../../contract/homes/room.ts'
import { user } from '../../contract/people/user.ts'
import { visitor } from '../../contract/access-control/visitor.ts'
import { PERMISSION_TEMPLATES } from '../../contract/people/permission-templates.ts'
import { createAnswers } from '../../mock/answers.ts'
import { createIdentity } from '../../mock/identity.ts'
import type { Recording } from '../../mock/recording.ts'
import { readSwitches } from '../../mock/switches.ts'

const recordingOf = (name: string) =>
  JSON.parse(
    readFileSync(new URL(`../../mock/recordings/${name}.json`, import.meta.url), 'utf8'),
  ) as Recording
const demo = recordingOf('demo')
const founded = recordingOf('founded')

/** Responses received by a page with these switches. */
function page(text = '', statusOf: (uid: string) => object | undefined = () => undefined) {
  const switches = readSwitches(text)
  const recording = switches.empty ? founded : demo
  const identity = createIdentity(recording.Calls, switches, () => recording.At)
  const answer = createAnswers({ recording, switches, ...identity, statusOf })
  return (path: string, body: unknown = {}) => {
    const { status, results } = answer(path, body)
    return { code: status.code, status, results: results as never }
  }
}
const ask = page()
const sites = ask(home.operations.list.path).results as HomeWithRooms[]
const HomeID = sites[0]?.HomeID ?? ''
const { path: listRooms } = room.operations.list

describe('the recording', () => {
  it.each([...demo.Calls, ...founded.Calls].map((call) => [call.Path, call] as const))(
    'has of %s what the contract says today',
    (Path, { Input, Results }) => {
      const endpoint = endpoints.find(({ path }) => path === Path)
      expect(endpoint?.input.safeParse(Input).error?.issues).toBeUndefined()
      expect(endpoint?.results.safeParse(Results).error?.issues).toBeUndefined()
    },
  )

  it.each([demo, founded])('was made before the moment at which the page lives', ({ At, Calls }) => {
    const reported = JSON.stringify(Calls).matchAll(/"(?:updateAt|AsOf)":(\d+)/g)
    expect(Math.max(...[...reported].map(([, moment]) => Number(moment)))).toBeLessThanOrEqual(At)
  })

  it('has the plans of its floors', () => {
    const plans = JSON.stringify(demo.Calls).match(/\/images\/[\w/-]+\.webp/g) ?? []
    expect(plans).not.toHaveLength(0)
    expect(plans.filter((address) => !demo.Pictures[address])).toEqual([])
  })
})

describe('a call on recorded data', () => {
  it('is answered with the history of what was asked for, not of another device of the same hours', () => {
    for (const { Path, Input } of demo.Calls.filter((call) => call.Path === history.getHistorySeries.path)) {
      const { Quantities } = Input as RequestOf<typeof history.getHistorySeries>
      for (const other of demo.Calls.filter((call) => call.Path === Path)) {
        const range = { From: other.Input['From'], To: other.Input['To'] }
        const told = ask(Path, { ...Input, ...range }).results as ResultsOf<typeof history.getHistorySeries>
        expect(told.map(({ PeripheralUID, Field }) => ({ PeripheralUID, Field }))).toEqual(Quantities)
      }
    }
  })

  it('is answered with all of a site where one thing of it was recorded too', () => {
    const asked = ask(history.listHistoryQuantity.path, { HomeID })
    const { Devices } = asked.results as ResultsOf<typeof history.listHistoryQuantity>
    expect(Devices.length).toBeGreaterThan(20)
  })

  it('is never answered with rows of another site or type than was asked for', () => {
    const HomeID = '00000000-0000-4000-8000-000000000000'
    const rows = ask(room.operations.list.path, { HomeID }).results as Room[]
    expect(rows).toEqual([])
  })

  it.each(endpoints.filter(({ mutates }) => !mutates).map(({ path, input }) => [path, input] as const))(
    '%s is answered, or refused as the gateway refuses it',
    (path, input) => {
      const expected = input.safeParse({}).success ? [0] : [0, ERRORS.INVALID.code]
      expect(expected).toContain(ask(path).code)
    },
  )

  it('says of devices what they say now', () => {
    const snapshot = (statusOf?: (uid: string) => object | undefined) =>
      (page('', statusOf)(peripheral.operations.list.path, { HomeID }).results as DeviceSnapshot).Statuses
    const [first] = snapshot()
    const told = { ...first, updateAt: demo.At + 1_000 }
    const now = snapshot((uid) => (uid === first?.PeripheralUID ? told : undefined))
    expect([now[0], now.slice(1)]).toEqual([told, snapshot().slice(1)])
  })

  it('is refused with the field that is wrong', () => {
    const { code, status } = ask(room.operations.create.path, { HomeID, RoomName: '' })
    expect([code, status.fields]).toEqual([ERRORS.INVALID.code, { RoomName: 'required' }])
  })

  it('is refused to who lacks the right, which is named', () => {
    const { code, status } = page('as:viewer')(room.operations.create.path, { HomeID, RoomName: 'x' })
    expect([code, status.missing]).toEqual([
      ERRORS.PERMISSION_DENIED.code,
      { feature: 'room', operation: 'Create' },
    ])
    expect(page('forbid:room.Read')(listRooms, { HomeID }).code).toBe(ERRORS.PERMISSION_DENIED.code)
  })

  it('shows what was created, changed and removed before', () => {
    const ask = page()
    const names = () => (ask(listRooms, { HomeID }).results as Room[]).map(({ RoomName }) => RoomName)
    const before = names()
    const created = ask(room.operations.create.path, { HomeID, RoomName: '新的房間' }).results as Room
    expect(names()).toContain('新的房間')
    ask(room.operations.update.path, { HomeID, RoomID: created.RoomID, RoomName: '改了名字' })
    expect(names()).toContain('改了名字')
    expect(ask(room.operations.remove.path, { HomeID, RoomID: created.RoomID }).code).toBe(0)
    expect(names()).toEqual(before)
    const again = ask(room.operations.update.path, { HomeID, RoomID: created.RoomID, RoomName: 'x' })
    expect(again.code).toBe(ERRORS.NOT_FOUND.code)
  })

  it('lists what was created where nothing of its kind was recorded, and answers it when it is asked for', () => {
    const ask = page()
    const { list, create, get } = dashboard.operations
    const { DashboardID } = ask(create.path, { Name: '值班', Cards: [] }).results as Dashboard
    expect(ask(list.path).results).toMatchObject([{ DashboardID, Name: '值班' }])
    expect(ask(get.path, { DashboardID }).results).toMatchObject({ Name: '值班' })
  })

  it('is a conflict where somebody saved an older version', () => {
    const ask = page()
    const { Rows } = ask(visitor.operations.list.path).results as { Rows: Record<string, unknown>[] }
    const [row] = Rows
    const change = (Version: unknown) =>
      ask(visitor.operations.update.path, { VisitorID: row?.['VisitorID'], Company: '別家公司', Version })
        .code
    expect(change(row?.['Version'])).toBe(0)
    expect(change(row?.['Version'])).toBe(ERRORS.CONFLICT.code)
  })
})

describe('the switches', () => {
  describe('empty', () => {
    const ask = page('empty')
    const sites = ask(home.operations.list.path).results as HomeWithRooms[]
    const HomeID = sites[0]?.HomeID ?? ''

    it('shows a company with its owner and one site that has only its first room', () => {
      expect(sites.map(({ RoomList }) => RoomList.map(({ RoomID }) => RoomID))).toEqual([[0]])
      expect(ask(user.operations.page.path).results).toMatchObject({ Total: 1 })
    })

    it('has nothing that the first steps would have set up', () => {
      const steps = ask(setup.getSetupState.path).results as { Step: string; Done: boolean; Count: number }[]
      expect(steps.filter(({ Done }) => Done)).toEqual([])
      expect(steps.filter(({ Count }) => Count > 0).map(({ Step }) => Step)).toEqual(['people'])
    })

    it('has no alarm, no saving and no power', () => {
      expect(ask(attention.listAttention.path).results).toMatchObject({ Items: [], Watched: 0 })
      expect(ask(findings.getSaving.path).results).toMatchObject({ Top: [], Amount: null })
      expect(ask(bills.getDemand.path, { HomeID }).results).toMatchObject({ Meters: 0, Rolling: null })
    })
  })

  describe('huge', () => {
    const ask = page('huge')

    it('makes lists long, each row under a key of its own', () => {
      const { Peripherals } = ask(peripheral.operations.list.path, { HomeID }).results as {
        Peripherals: { PeripheralUID: string }[]
      }
      expect(new Set(Peripherals.map(({ PeripheralUID }) => PeripheralUID)).size).toBe(10_000)
    })

    it('has fewer of what holds others', () => {
      expect(ask(home.operations.list.path).results).toHaveLength(100)
      expect(ask(floor.operations.list.path, { HomeID }).results).toHaveLength(100)
    })
  })

  it('fail every call but those that open a page, or one', () => {
    expect(page('fail:UNAVAILABLE')(listRooms, { HomeID }).code).toBe(ERRORS.UNAVAILABLE.code)
    expect(page('fail:UNAVAILABLE')(home.operations.list.path).code).toBe(0)
    const ask = page(`fail:CONFLICT:${listRooms}`)
    expect([ask(listRooms, { HomeID }).code, ask(home.operations.list.path).code]).toEqual([
      ERRORS.CONFLICT.code,
      0,
    ])
  })

  it.each(['operator', 'viewer'])('show the page as a %s sees it', (role) => {
    const me = page(`as:${role}`)(session.getPersonalPermissions.path).results as Me
    expect(me.CognitoId).not.toBe(me.RootCognitoId)
    expect(me.Permissions).toEqual(PERMISSION_TEMPLATES[role as 'operator' | 'viewer'])
  })

  it('take the gateway away when the page stands, or earlier', () => {
    const offline = (text: string) => readSwitches(text).offline
    expect([offline('offline'), offline('offline:0'), offline('full')]).toEqual([8000, 0, undefined])
  })

  it('leave out what nobody knows', () => {
    expect(readSwitches('nothing,fail:UNKNOWN,forbid:room,as:king,slow:x')).toEqual(readSwitches(''))
  })
})
