import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ERRORS } from '../../../../contract/kernel/errors.ts'
import { createHubDiagnostics } from '../../../../gateway/features/setup/hub-trials.ts'
import { type Caller, rights, startWorld, type World } from '../../../support/world.ts'

describe('the stored troubles of a hub', () => {
  const start = () => {
    let now = 1_000
    const troubles = createHubDiagnostics({ clock: { now: () => now } })
    return { troubles, at: (moment: number) => (now = moment) }
  }

  it('are its sign-in address, and the last reason of rejection with its count', () => {
    const { troubles, at } = start()
    expect(troubles.of('hub-1')).toEqual({ Since: 1_000, Address: null, Refused: null })
    troubles.onAuthenticated('hub-1', '::ffff:192.168.1.20')
    at(2_000)
    troubles.wrongSecret('hub-1', '192.168.1.21')
    troubles.wrongSecret('hub-1', undefined)
    expect(troubles.of('hub-1')).toEqual({
      Since: 1_000,
      Address: '192.168.1.20',
      Refused: { Reason: 'wrongPassword', Count: 2, From: null, Timestamp: 2_000 },
    })
    troubles.onRejected('hub-1', 'home')
    expect(troubles.of('hub-1').Refused).toMatchObject({
      Reason: 'otherHome',
      Count: 1,
      From: '192.168.1.20',
    })
  })

  it('are cleared once it signed in or sent a message', () => {
    const { troubles } = start()
    troubles.wrongSecret('hub-1', '10.0.0.1')
    troubles.onAuthenticated('hub-1', '10.0.0.1')
    expect(troubles.of('hub-1').Refused).toBeNull()
    troubles.onRejected('hub-1', 'unknown-topic')
    // A right of a screen concerns no hub.
    troubles.onRejected('hub-1', 'permission')
    expect(troubles.of('hub-1').Refused).toMatchObject({ Reason: 'unknownTopic', Count: 1 })
    troubles.onMessage('hub-1')
    expect(troubles.of('hub-1').Refused).toBeNull()
  })
})

describe('GetHubTrouble', () => {
  let world: World
  let root: Caller
  beforeAll(async () => {
    world = await startWorld()
    root = await world.signUp()
  })
  afterAll(() => world.close())

  it('is available to users who may read devices of their hub, and not of another', async () => {
    const { HomeID } = (await root.post('/CreateHome', { HomeName: 'A', TimeZone: 'Asia/Taipei' })).results
    const { ThingName } = (await root.post('/AddThing', { HomeID, DeviceName: 'hub' })).results
    const reader = await world.createUser(root, [rights('device', 'Read')])
    expect((await reader.post('/GetHubTrouble', { HomeID, ThingName })).results).toMatchObject({
      Address: null,
      Refused: null,
    })
    const stranger = await world.signUp()
    expect((await stranger.post('/GetHubTrouble', { HomeID, ThingName })).status.code).toBe(
      ERRORS.NOT_FOUND.code,
    )
  })
})
