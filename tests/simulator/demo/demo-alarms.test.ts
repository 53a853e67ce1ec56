import { expect, it } from 'vitest'
import type { DeviceStatus } from '../../../contract/devices/kinds/status.ts'
import { SHED_DEFAULTS } from '../../../contract/automation/alarm-part.ts'
import { type GuardedLoad, planShed } from '../../../contract/automation/load-shedding.ts'
import { evaluateCondition, type TruthValue } from '../../../contract/automation/evaluate-conditions.ts'
import { alarmStateOf } from '../../../contract/alarms/alarm-states.ts'
import { createBuilding } from '../../../simulator/building/building.ts'
import { demoCompany } from '../../../simulator/demo/demo.ts'
import { rushFrom } from '../../../simulator/scenarios/visitors.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const QUARTER = 15 * MINUTE
const STEP = 5 * SECOND
/** Contract capacity of the demo's branch, kW. */
const CONTRACT = 60
const LOADS = ['電熱水器', '一號充電樁', '二號充電樁', '三號充電樁', '四號充電樁', '五號充電樁']
const START = Date.parse('2026-07-15T14:00:00+08:00')

const homeOf = (name: string) => demoCompany.homes.find(({ HomeName }) => HomeName === name)

/** Records when a comparison raises and clears an alarm, after a hold time and a clear time in ms. */
function lifeOf(
  logical: '>',
  limit: number,
  clear: number,
  { hold, clearAfter }: { hold: number; clearAfter: number },
) {
  let before: TruthValue
  let since = 0
  const turns: { is: 'raised' | 'cleared'; at: number }[] = []
  return {
    turns,
    see(value: number, at: number): void {
      const verdict = evaluateCondition({ Logical: logical, Status: limit, Clear: clear }, value, before)
      if (verdict !== before) since = at
      before = verdict
      const isOpen = turns.at(-1)?.is === 'raised'
      if (verdict && !isOpen && at - since >= hold) turns.push({ is: 'raised', at })
      if (verdict === false && isOpen && at - since >= clearAfter) turns.push({ is: 'cleared', at })
    },
  }
}

it('lets the guard, the charging area and the smoke detector raise their alarms and end them, and holds the contract', () => {
  const rush = rushFrom(START)
  const branch = homeOf('高雄分公司')?.hubs ?? []
  const buildings = branch.map(({ devices }) => createBuilding(devices, 1, {}, rush))
  const devices = branch.flatMap(({ devices: all }, hub) => all.map((device) => ({ ...device, hub })))
  const named = (name: string) =>
    devices.find(({ PeripheralName }) => PeripheralName === name) as (typeof devices)[0]
  const below = new Set(devices.flatMap(({ parentOf = [] }) => parentOf))
  const mains = devices.filter(({ PeripheralUID, parentOf }) => parentOf && !below.has(PeripheralUID))
  const watts = ({ PeripheralUID, hub }: (typeof devices)[0]) =>
    Number(buildings[hub]?.report(PeripheralUID)?.['Power'] ?? 0)
  const loads = LOADS.map((name) => ({
    device: named(name),
    shed: undefined as GuardedLoad['shed'],
    givenBackAt: null as number | null,
  }))

  const pantry = homeOf('內湖總部')?.hubs.find(({ devices: all }) =>
    all.some(({ PeripheralName }) => PeripheralName === '茶水間偵煙感測'),
  )
  const office = createBuilding(pantry?.devices ?? [], 1, {}, rush)
  const smoke = pantry?.devices.find(({ PeripheralName }) => PeripheralName === '茶水間偵煙感測')
  const states: (string | undefined)[] = []

  const guard = lifeOf('>', 57, 51, { hold: 0, clearAfter: 3 * MINUTE })
  const charging = lifeOf('>', 50_000, 40_000, { hold: MINUTE, clearAfter: 0 })
  let energy = 0
  const quarters = new Map<number, number>()
  let [shed, given] = [0, 0]
  for (let at = START - (START % QUARTER); at < rush.until + 40 * MINUTE; at += STEP) {
    for (const building of [...buildings, office]) building.step(STEP / SECOND, at)
    if (at % QUARTER === 0) energy = 0
    const kw = mains.reduce((sum, main) => sum + watts(main), 0) / 1000
    const forecast = (energy + (kw * (QUARTER - (at % QUARTER))) / 3_600_000) * 4
    guard.see(forecast, at)
    charging.see(watts(named('充電區總電表')), at)
    const status = smoke && ({ ...office.report(smoke.PeripheralUID), ...smoke } as unknown as DeviceStatus)
    const state = status && alarmStateOf({ ...status, Timestamp: at, updateAt: at })?.Severity
    if (state !== states.at(-1)) states.push(state)
    const decision = planShed({
      ...{ now: at, asOf: at, forecast, target: CONTRACT, isTooSlow: false, paces: SHED_DEFAULTS },
      loads: loads.map(({ device, shed: off, givenBackAt }): GuardedLoad => {
        const power = watts(device) / 1000
        return {
          ...{ is: off || power === 0 ? 'off' : 'on', kw: power, minOff: 240, maxOff: 3600, givenBackAt },
          ...(off && { shed: off }),
        }
      }),
    })
    const set = (place: number, Switch: number) => {
      const { device } = loads[place] as (typeof loads)[0]
      buildings[device.hub]?.command(device.PeripheralUID, { Switch })
    }
    for (const place of decision.shed) {
      const load = loads[place] as (typeof loads)[0]
      load.shed = { at, state: 'off', confirmedAt: at, kw: watts(load.device) / 1000 }
      set(place, 0)
      shed += 1
    }
    for (const place of decision.giveBack) {
      const load = loads[place] as (typeof loads)[0]
      Object.assign(load, { shed: undefined, givenBackAt: at })
      set(place, 1)
      given += 1
    }
    energy += (kw * STEP) / 3_600_000
    quarters.set(Math.floor(at / QUARTER), energy * 4)
  }
  for (const { turns } of [guard, charging]) {
    expect([turns[0]?.is, turns.at(-1)?.is]).toEqual(['raised', 'cleared'])
    // Once more when waiting cars continue, and no more often.
    expect(turns.length).toBeLessThanOrEqual(4)
  }
  expect(states).toEqual([undefined, 'warning', undefined].slice(states[0] === undefined ? 0 : 1))
  expect(shed).toBeGreaterThan(1)
  expect(given, 'all that was shed is given back').toBe(shed)
  expect(Math.max(...quarters.values())).toBeLessThanOrEqual(CONTRACT)
})
