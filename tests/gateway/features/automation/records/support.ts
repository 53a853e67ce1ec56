import { addDiscovered } from '../../../../support/discoveries.ts'
import { type Caller, startWorld, type World } from '../../../../support/world.ts'

/** Company with a home whose hub has relays r1 to r4 (516), a dimmer (532) and a temperature sensor (509). */
export interface Building {
  world: World
  root: Caller
  HomeID: string
  ThingName: string
}

export async function startBuilding(): Promise<Building> {
  const world = await startWorld()
  const root = await world.signUp()
  const HomeID = (await root.post('/CreateHome', { HomeName: 'A', TimeZone: 'Asia/Taipei' })).results.HomeID
  const ThingName = (await root.post('/AddThing', { HomeID, DeviceName: 'hub' })).results.ThingName
  await addDiscovered(world, root, { HomeID, ThingName, uids: ['r1', 'r2', 'r3', 'r4'] })
  await addDiscovered(world, root, { HomeID, ThingName, type: '532', uids: ['dim'] })
  return { world, root, HomeID, ThingName }
}

export const ON = [{ PeripheralUID: 'r2', Values: { Switch: 1 } }]
export const WEEKDAYS = { Weekdays: [1, 2, 3, 4, 5], At: 480 }
/** Condition that is true when r1 is switched on. */
export const WHEN_ON = {
  PeripheralUIDs: [{ PeripheralUID: 'r1', Field: 'Switch', Status: 1, Logical: '=' }],
}

let count = 0
/** Input of a schedule, with a unique name. */
export const schedule = (HomeID: string, more: object = {}) => ({
  HomeID,
  AutomationType: 1,
  AutomationName: `Schedule ${(count += 1)}`,
  Schedule: WEEKDAYS,
  Actions: ON,
  ...more,
})
/** Input of a smart link, with a unique name. */
export const smartLink = (HomeID: string, more: object = {}) => ({
  HomeID,
  AutomationType: 3,
  AutomationName: `Link ${(count += 1)}`,
  Conditions: WHEN_ON,
  Actions: ON,
  ...more,
})
