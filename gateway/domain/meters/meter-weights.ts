import type { MeterRole } from '../../../contract/devices/meter-roles.ts'
import { isTopMeter, meterPositions, type TreeMeter } from '../../../contract/meters/meter-tree.ts'

/** A meter of a home on one day: where it stands, and of a virtual one what it adds (1) and takes away (-1). */
export interface WeighedMeter extends TreeMeter {
  /** Undefined of a virtual meter that is in no total. */
  role: MeterRole | undefined
  terms?: readonly { PeripheralUID: string; Factor: 1 | -1 }[] | undefined
}

/** Of a register that is counted more than once, or taken away from what it is no part of. */
export type WeightFault = 'countedTwice' | 'takenAway'

/**
 * The registers that do not weigh 0 or 1 in the total of a role, or in its division by the meters with nothing below them. Without
 * virtual meters there is none.
 *
 * returns  by the register's id
 */
export function findWeightFaults(meters: readonly WeighedMeter[]): Map<string, WeightFault> {
  const faults = new Map<string, WeightFault>()
  const roles = new Set(meters.flatMap(({ role, terms }) => (terms && role !== undefined ? [role] : [])))
  // A second look is in no total.
  roles.delete('check')
  for (const role of roles) {
    const among = meters.filter((meter) => meter.role === role)
    const stands = meterPositions(among)
    const [total, division] = [new Map<string, number>(), new Map<string, number>()]
    for (const meter of among) {
      const stand = stands.get(meter.PeripheralUID)
      if (isTopMeter(stand)) weigh(total, meter)
      if (stand === 'alone' || stand === 'sub') weigh(division, meter)
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
