import type { DryRunInput, RuleTrial } from './try-rule.ts'
import type { Db } from '../../../kernel/db.ts'
import { expandActions, type DeviceStep } from '../targets/expand-actions.ts'
import { loadTargets, type LoadedTargets, type TargetDevice } from '../targets/targets.ts'
import { energyWhileOn, type OnTime } from './energy-while-on.ts'
import type { TryPorts } from './ports.ts'
import { capabilityOf } from '../../../../contract/devices/kinds/registry.ts'
import type { HistorySeries } from '../../../../contract/devices/history-calls.ts'
import { setFieldsOf } from '../../../../contract/automation/action.ts'

/** Maximum number of a meter's values for its mean; longer series are read as means of equal spans. */
const POINTS = 5_000

type Energy = { kWh: number | null; Cost: number | null }
const UNKNOWN: Energy = { kWh: null, Cost: null }

interface Asked {
  ports: TryPorts
  tenant: string
  zone: string
  /** Epoch ms. */
  from: number
  now: number
}

/**
 * Energy that the meters among the switched-on devices would have taken: the mean power of each while it was on, for the
 * duration of the runs.
 *
 * returns  null if nothing is switched on, none of it is a meter, a meter was never measured while on, or nothing switches off
 *          what a run switches on; Cost alone is null if a price is unknown
 */
export async function energyOfRuns(
  db: Db,
  rule: DryRunInput,
  runs: RuleTrial['Runs'],
  { ports, tenant, zone, from, now }: Asked,
): Promise<Energy> {
  const home = { tenant, homeId: rule.HomeID }
  const ends = Array.isArray(rule.EndActions) ? rule.EndActions : []
  const targets = await loadTargets(db, home, [...rule.Actions, ...ends])
  const { metered } = loadsOf(expandActions(rule.Actions, targets), targets.devices)
  if (metered.length === 0 || !isEnded(rule, metered, targets)) return UNKNOWN
  const times = runs.map(({ At, EndedAt }): OnTime => ({ from: At, to: EndedAt ?? now }))
  const prices = await ports.pricingOf(db, tenant, rule.HomeID)
  let total: Energy = { kWh: 0, Cost: 0 }
  for (const { uid, field } of metered) {
    const quantities = ['Power', field].map((Field) => ({ PeripheralUID: uid, Field }))
    const [power, on] = await ports.seriesOf(db, home, quantities, { from, to: now, points: POINTS, now })
    const kW = power && on ? meanWhileOn(power, on) : null
    if (kW === null) return UNKNOWN
    const { kWh, Cost } = energyWhileOn(times, kW, prices, zone)
    total = {
      kWh: (total.kWh ?? 0) + kWh,
      Cost: total.Cost === null || Cost === null ? null : total.Cost + Cost,
    }
  }
  return total
}

/** Whether what a run switches on is switched off when it ends. */
function isEnded(rule: DryRunInput, metered: readonly MeteredLoad[], targets: LoadedTargets): boolean {
  if (rule.Schedule) return rule.Schedule.OffAfter > 0
  if (rule.EndDuration === 0) return false
  if (rule.EndActions === 'restore') return true
  const off = expandActions(rule.EndActions, targets)
  return metered.every(({ uid, field }) => off.some((step) => step.uid === uid && step.values[field] === 0))
}

/** A meter that actions switch on, and the field that does so. */
interface MeteredLoad {
  uid: string
  field: string
}

/** Whether actions switch anything on, and the metered loads among it. */
function loadsOf(
  steps: readonly DeviceStep[],
  devices: ReadonlyMap<string, TargetDevice>,
): { switchesOn: boolean; metered: MeteredLoad[] } {
  const on = steps.flatMap(({ uid, values }) => {
    const field = setFieldsOf({ PeripheralUID: uid, Values: values }).find(
      ({ path, value }) => /(^|\.)Switch\d*$/.test(path) && value === 1,
    )
    return field ? [{ uid, field: field.path }] : []
  })
  const metered = on.filter(({ uid }) => capabilityOf(devices.get(uid)?.type ?? '', 'meter'))
  return { switchesOn: on.length > 0, metered: [...new Map(metered.map((one) => [one.uid, one])).values()] }
}

/** Mean power of a load while it was on, kW; null if it was never measured while on. `power` in W. */
function meanWhileOn(power: HistorySeries, on: HistorySeries): number | null {
  let sum = 0
  let count = 0
  let state = -1
  for (const [i, at] of power.Timestamps.entries()) {
    while (state + 1 < on.Timestamps.length && on.Timestamps[state + 1]! <= at) state++
    if (state < 0 || on.Values[state] !== 1) continue
    sum += power.Values[i]!
    count++
  }
  return count === 0 ? null : sum / count / 1000
}
