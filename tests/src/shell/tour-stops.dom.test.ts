import { beforeEach, describe, expect, it } from 'vitest'
import type { AttentionItem } from '../../../contract/attention/attention.ts'
import { attention } from '../../../contract/attention/calls.ts'
import { findings } from '../../../contract/findings/calls.ts'
import { peripheral } from '../../../contract/devices/peripheral.ts'
import { queryClient } from '../../../src/data/api.ts'
import { statuses } from '../../../src/data/status-store.ts'
import { me } from '../../../src/data/session.ts'
import { findTourStops } from '../../../src/shell/tour/tour.tsx'
import { aSaving } from '../../support/a-finding.ts'
import { anAttention } from '../../support/an-attention.ts'
import { answers, rejectCall, requests, server, subUser } from '../../support/msw.ts'
import { device, hub } from '../custom-views/dashboard/devices.ts'
import { aHome, prepareSession } from '../support/page.tsx'

const LIGHT = '516'
const lostHub: AttentionItem = {
  ...{ Key: 'hubLost/on', Kind: 'hubLost', Severity: 'critical' },
  ...{ HomeID: 'h1', RoomID: 0, Subject: 'on', Name: '機房閘道器', Since: 0, Stale: null },
  ...{ AlarmID: null, Acknowledged: null, Shelved: null },
}
const withLight = (Switch: 0 | 1, isOnline = true) => {
  statuses.report({ PeripheralUID: 'light', PeripheralType: LIGHT, Switch, Timestamp: 1, updateAt: 1 })
  return answers(peripheral.operations.list, {
    Things: [hub('on', isOnline)],
    Peripherals: [device('light', LIGHT, { RoomID: 7 })],
    Statuses: [],
  })
}
const stops = async () =>
  (await findTourStops([aHome()])).map(({ key, path, search }) => [key, path + search])

beforeEach(() => {
  prepareSession()
  queryClient.clear()
  statuses.clear()
  requests.length = 0
  server.use(
    answers(attention.listAttention, anAttention()),
    answers(findings.getSaving, aSaving({ Top: [] })),
    withLight(0),
  )
})

describe('the stops of the tour', () => {
  it('are the most urgent item, the evidence of the greatest saving, and a room with lights on', async () => {
    server.use(answers(attention.listAttention, anAttention({ Items: [lostHub] })))
    server.use(answers(findings.getSaving, aSaving()), withLight(1))
    expect(await stops()).toEqual([
      ['needs', '/'],
      ['saving', '/insight/h1?finding=11111111-1111-4111-8111-111111111111'],
      ['room', '/Building/h1?room=7'],
    ])
  })

  it('name an act only to a user who may do it', async () => {
    server.use(answers(attention.listAttention, anAttention({ Items: [lostHub] })))
    server.use(answers(findings.getSaving, aSaving()), withLight(1))
    const acts = async () => (await findTourStops([aHome()])).map(({ key, mayAct }) => [key, mayAct])
    expect(await acts()).toEqual([
      ['needs', true],
      ['saving', true],
      ['room', true],
    ])
    me.set(
      subUser([
        { FeatureKey: 'device', OperationList: ['Read'] },
        { FeatureKey: 'electricity', OperationList: ['Read'] },
      ]),
    )
    expect(await acts()).toEqual([
      ['needs', false],
      ['saving', false],
    ])
  })

  it('leave out what the company does not have: a saving, a light that is on', async () => {
    expect(await stops()).toEqual([['calm', '/']])
  })

  it('do not count on a light behind an offline hub', async () => {
    server.use(withLight(1, false))
    expect(await stops()).toEqual([['calm', '/']])
  })

  it('do not turn off the light of a room where someone is', async () => {
    server.use(withLight(1))
    statuses.report({
      PeripheralUID: 'motion',
      PeripheralType: '753',
      MotionState: 1,
      Timestamp: 1,
      updateAt: 1,
    })
    server.use(
      answers(peripheral.operations.list, {
        Things: [hub('on', true)],
        Peripherals: [device('light', LIGHT, { RoomID: 7 }), device('motion', '753', { RoomID: 7 })],
        Statuses: [],
      }),
    )
    expect(await stops()).toEqual([['calm', '/']])
  })

  it('ask only for what the user may see and do', async () => {
    me.set(subUser([{ FeatureKey: 'dashboard', OperationList: ['Read'] }]))
    expect(await stops()).toEqual([['calm', '/']])
    expect(requests).toEqual([])
  })

  it('are unknown if the gateway does not answer', async () => {
    server.use(rejectCall(findings.getSaving, 'INTERNAL'))
    await expect(stops()).rejects.toThrow('INTERNAL')
  })
})
