import { deviceType } from '../contract/devices/kinds/registry.ts'
import { homeTariff } from '../contract/tariffs/home-tariff-calls.ts'
import { automation } from '../contract/automation/automation.ts'
import { conferenceRoom } from '../contract/bookings/conference-room.ts'
import { group } from '../contract/automation/group.ts'
import { home } from '../contract/homes/home.ts'
import { peripheral } from '../contract/devices/peripheral.ts'
import { scene } from '../contract/automation/scene.ts'
import type { Call } from './api.ts'
import { DEMO_RULES, type DemoRules, type Names } from './demo-rules.ts'

/** Coordinates of the demo's homes in degrees, for sunrise and sunset. */
const PLACES: Readonly<Record<string, { Latitude: number; Longitude: number }>> = {
  內湖總部: { Latitude: 25.08, Longitude: 121.57 },
  台中精機園區工廠: { Latitude: 24.21, Longitude: 120.61 },
  高雄分公司: { Latitude: 22.63, Longitude: 120.3 },
  台南物流中心: { Latitude: 23.1, Longitude: 120.3 },
}

/**
 * Creates groups, scenes, automations and alarms for the demo's homes; a home that has scenes, or alarms, keeps them unchanged.
 *
 * only  names of the homes; all if absent
 */
export async function seedAutomation(call: Call, only?: readonly string[]): Promise<void> {
  for (const site of await call(home.operations.list, {})) {
    if (only && !only.includes(site.HomeName)) continue
    const plan = DEMO_RULES.find(({ HomeName }) => HomeName === site.HomeName)
    if (!plan) continue
    const { HomeID } = site
    const names = await namesOf(call, { HomeID, rooms: site.RoomList })
    if ((await call(scene.operations.list, { HomeID })).length === 0) {
      const place = PLACES[site.HomeName]
      if (place) await call(home.operations.update, { HomeID, ...place })
      await seedHome(call, plan, HomeID, names)
    }
    if ((await call(automation.operations.list, { AutomationType: 4, HomeID })).length === 0)
      for (const rule of plan.alarms) await call(automation.operations.create, { HomeID, ...rule(names) })
  }
}

/** The records of a home by name, including those created meanwhile. */
type KnownNames = Names & Record<'groups' | 'scenes', Map<string, string>>

async function namesOf(
  call: Call,
  { HomeID, rooms }: { HomeID: string; rooms: readonly { RoomID: number; RoomName: string }[] },
): Promise<KnownNames> {
  const { Peripherals } = await call(peripheral.operations.list, { HomeID })
  const agreed = (await call(homeTariff.listHomeTariff, { HomeID })).at(-1)?.Capacities.regular
  const meetingRooms = await call(conferenceRoom.operations.list, {})
  const groups = new Map<string, string>()
  const scenes = new Map<string, string>()
  return {
    groups,
    scenes,
    contract: found(agreed, 'contract of this home'),
    device: (name) => {
      const { PeripheralUID, PeripheralType } = found(
        Peripherals.find(({ PeripheralName }) => PeripheralName === name),
        name,
      )
      const fields =
        deviceType(PeripheralType)?.capabilities.flatMap(({ command }) => Object.keys(command)) ?? []
      return { PeripheralUID, switches: fields.filter((field) => /^Switch\d?$/.test(field)) }
    },
    room: (name) =>
      found(
        rooms.find(({ RoomName }) => RoomName === name),
        name,
      ).RoomID,
    group: (name) => found(groups.get(name), name),
    scene: (name) => found(scenes.get(name), name),
    conferenceRoom: (name) =>
      found(
        meetingRooms.find(({ ConferenceRoomName }) => ConferenceRoomName === name),
        name,
      ).ConferenceRoomID,
  }
}

async function seedHome(
  call: Call,
  { groups, scenes, rules }: DemoRules,
  HomeID: string,
  names: KnownNames,
): Promise<void> {
  for (const [GroupName, devices] of groups) {
    const PeripheralList = devices.map((name) => names.device(name).PeripheralUID)
    const { GroupID } = await call(group.operations.create, { HomeID, GroupName, PeripheralList })
    names.groups.set(GroupName, GroupID)
  }
  for (const [SceneName, Icon, actions] of scenes) {
    const { SceneID } = await call(scene.operations.create, {
      HomeID,
      SceneName,
      Icon,
      Actions: actions(names),
    })
    names.scenes.set(SceneName, SceneID)
  }
  for (const rule of rules) await call(automation.operations.create, { HomeID, ...rule(names) })
}

function found<T>(value: T | undefined, name: string): T {
  if (value === undefined) throw new Error(`The demo has no ${name}`)
  return value
}
