import type { MeterRole } from '../../../contract/devices/meter-roles.ts'
import { isTopMeter, meterPositions, type TreeMeter } from '../../../contract/meters/meter-tree.ts'

/** Meter of a home on one day: its position, and for a virtual one the meters it adds (1) and subtracts (-1). */
export interface WeighedMeter extends TreeMeter {
  /** Undefined for a virtual meter that is in no total. */
  role: MeterRole | undefined
  terms?: readonly { PeripheralUID: string; Factor: 1 | -1 }[] | undefined
}

/** Fault of a register: counted more than once, or subtracted from a total that does not include it. */
export type WeightFault = 'countedTwice' | 'takenAway'

/**
 * Registers whose weight is neither 0 nor 1 in the total of a role, or in its division by lowest-level meters. Without virtual meters
 * there are none.
 *
 * returns  by register id
 */
export function findWeightFaults(meters: readonly WeighedMeter[]): Map<string, WeightFault> {
  const faults = new Map<string, WeightFault>()
  const roles = new Set(meters.flatMap(({ role, terms }) => (terms && role !== undefined ? [role] : [])))
  // Check meters are in no total.
  roles.delete('check')
  for (const role of roles) {
    const among = meters.filter((meter) => meter.role === role)
    const positions = meterPositions(among)
    const [total, division] = [new Map<string, number>(), new Map<string, number>()]
    for (const meter of among) {
      const position = positions.get(meter.PeripheralUID)
      if (isTopMeter(position)) weigh(total, meter)
      if (position === 'alone' || position === 'sub') weigh(division, meter)
    }
    for (const weights of [total, division])
      for (const [uid, weight] of weights)
        if (weight !== 0 && weight !== 1) faults.set(uid, weight > 1 ? 'countedTwice' : 'takenAway')
  }
  return faults
}

function weigh(weights: Map<string, number>, { PeripheralUID, terms }: WeighedMeter): void {
  for (const { PeripheralUID: uid, Factor } of terms ?? [{ PeripheralUID, Factor: 1 }])
    weights.set(uid, (weights.get(uid) ?? 0) + Factor)
}
