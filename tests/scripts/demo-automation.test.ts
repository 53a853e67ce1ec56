import { beforeEach, expect, it } from 'vitest'
import type { AnyEndpoint, ResultsOf, RequestOf } from '../../contract/kernel/define-endpoint.ts'
import { homeTariff } from '../../contract/tariffs/home-tariff-calls.ts'
import { automation } from '../../contract/automation/automation.ts'
import { conferenceRoom } from '../../contract/bookings/conference-room.ts'
import { group } from '../../contract/automation/group.ts'
import { home } from '../../contract/homes/home.ts'
import { peripheral } from '../../contract/devices/peripheral.ts'
import { scene } from '../../contract/automation/scene.ts'
import type { Call } from '../../scripts/api.ts'
import { seedAutomation } from '../../scripts/demo-automation.ts'
import { demoCompany } from '../../simulator/demo/demo.ts'

type Rule = RequestOf<typeof automation.operations.create>

const homes = demoCompany.homes.map(({ HomeName, rooms }, i) => ({
  HomeID: `home-${i}`,
  HomeName,
  RoomList: rooms.map((RoomName, RoomID) => ({ RoomID, RoomName })),
}))
const MEETING_ROOMS = ['三樓大會議室', '五樓小會議室']
const named = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`
let rules: Rule[]
let scenes: string[]

/** Fake gateway with only the calls that the demo makes; inputs are validated against the contract. */
const call: Call = async <E extends AnyEndpoint>(endpoint: E, input: RequestOf<E>) => {
  endpoint.input.parse(input)
  return answer(endpoint.path, input as { HomeID: string; AutomationType?: number }) as ResultsOf<E>
}
function answer(path: string, input: { HomeID: string; AutomationType?: number }): unknown {
  switch (path) {
    case home.operations.list.path:
      return homes
    case home.operations.update.path:
      return {}
    case scene.operations.list.path:
      return scenes.filter((HomeID) => HomeID === input.HomeID)
    case automation.operations.list.path:
      return rules.filter(
        (rule) => rule.HomeID === input.HomeID && rule.AutomationType === input.AutomationType,
      )
    case peripheral.operations.list.path:
      return {
        Peripherals: demoCompany.homes[Number(input.HomeID.at(-1))]?.hubs.flatMap(({ devices }) => devices),
      }
    case homeTariff.listHomeTariff.path:
      return [{ Capacities: { regular: 60 } }]
    case conferenceRoom.operations.list.path:
      return MEETING_ROOMS.map((ConferenceRoomName, i) => ({
        ConferenceRoomName,
        ConferenceRoomID: named(i + 1),
      }))
    case group.operations.create.path:
      return { GroupID: named(1) }
    case scene.operations.create.path:
      scenes.push(input.HomeID)
      return { SceneID: named(scenes.length) }
    case automation.operations.create.path:
      return rules.push(input as unknown as Rule)
    default:
      throw new Error(`Not expected: ${path}`)
  }
}
const alarmsOf = (HomeID: string) =>
  rules.filter((rule) => rule.HomeID === HomeID && rule.AutomationType === 4)

beforeEach(() => {
  rules = []
  scenes = []
})

it('gives every home alarms that the contract takes, and the branch a guard of its chargers', async () => {
  await seedAutomation(call)
  for (const { HomeID } of homes) expect(alarmsOf(HomeID).length).toBeGreaterThan(1)
  const guards = rules.filter(({ Alarm }) => Alarm?.Shed)
  expect(guards).toMatchObject([{ HomeID: 'home-2', Alarm: { Shed: { Loads: { length: 6 } } } }])
  const forecast = { PeripheralUID: 'home', Field: 'DemandForecast', Status: 57, Clear: 51 }
  expect(guards[0]?.Conditions?.PeripheralUIDs).toMatchObject([forecast])
  for (const { Values } of guards[0]?.Alarm?.Shed?.Loads ?? []) expect(Values).toEqual({ Switch: 0 })
})

it('leaves rules as people have changed them, and gives alarms to a demo of before', async () => {
  await seedAutomation(call)
  const made = rules.length
  await seedAutomation(call)
  expect(rules).toHaveLength(made)
  rules = rules.filter(({ AutomationType }) => AutomationType !== 4)
  await seedAutomation(call)
  expect(rules).toHaveLength(made)
})
