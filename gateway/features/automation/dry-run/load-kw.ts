import { capabilityOf } from '../../../../contract/devices/kinds/registry.ts'
import type { HistorySeries } from '../../../../contract/devices/history-calls.ts'
import { setFieldsOf } from '../../../../contract/automation/set-fields.ts'
import type { DeviceStep } from '../targets/expand-actions.ts'
import type { TargetDevice } from '../targets/targets.ts'

/** A meter that actions switch on, and by which of its fields. */
export interface MeteredLoad {
  uid: string
  field: string
}

/** What actions switch on: whether anything, and of which a meter says what it takes. */
export function loadsOf(
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

/** The mean power of a load while it was on, kW; null when it was never measured on. `power` in W. */
export function meanWhileOn(power: HistorySeries, on: HistorySeries): number | null {
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
