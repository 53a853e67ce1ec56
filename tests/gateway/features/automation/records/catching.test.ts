import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addDiscovered } from '../../../../support/discoveries.ts'
import type { Caller, World } from '../../../../support/world.ts'
import { ON, schedule, startBuilding } from './support.ts'

let world: World
let root: Caller
let HomeID: string

beforeAll(async () => {
  const building = await startBuilding()
  ;({ world, root, HomeID } = building)
  const { ThingName } = building
  await addDiscovered(world, root, { HomeID, ThingName, type: '517', uids: ['contact'] })
})
afterAll(() => world.close())

const CLOSE = [{ PeripheralUID: 'contact', Values: { Switch: 1 } }]
const create = async (input: object) =>
  (await root.post('/CreateAutomation', schedule(HomeID, input))).results as {
    AutomationID: string
    Catching: string
  }
const update = async (AutomationID: string, changes: object) =>
  (await root.post('/UpdateAutomation', { AutomationType: 1, AutomationID, ...changes })).results.Catching

describe('missed runs of a schedule without a setting', () => {
  it('are caught up with the latest', async () => {
    expect(await create({})).toMatchObject({ Catching: 'latest', Grace: 900 })
  })

  it('are skipped if it sets an output that needs confirmation, directly or by a group or scene', async () => {
    expect((await create({ Actions: CLOSE })).Catching).toBe('skip')
    const group = { HomeID, GroupName: 'Contacts', PeripheralList: ['contact'] }
    const { GroupID } = (await root.post('/CreateGroup', group)).results
    expect((await create({ Actions: [{ GroupID, Values: { Switch: 1 } }] })).Catching).toBe('skip')
    const scene = { HomeID, SceneName: 'Open', Actions: CLOSE }
    const { SceneID } = (await root.post('/CreateScene', scene)).results
    expect((await create({ Actions: [{ SceneID }] })).Catching).toBe('skip')
  })

  it('follow the setting if there is one', async () => {
    expect((await create({ Actions: CLOSE, Catching: 'latest' })).Catching).toBe('latest')
    expect((await create({ Catching: 'skip' })).Catching).toBe('skip')
  })

  it('keep their handling, unless the schedule begins to set an output that needs confirmation', async () => {
    const { AutomationID } = await create({})
    expect(await update(AutomationID, { Grace: 60 })).toBe('latest')
    expect(await update(AutomationID, { Actions: CLOSE })).toBe('skip')
    expect(await update(AutomationID, { Catching: 'latest' })).toBe('latest')
    expect(await update(AutomationID, { Grace: 120 })).toBe('latest')
    expect(await update(AutomationID, { Actions: ON })).toBe('latest')
  })
})
