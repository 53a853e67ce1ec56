import { FINDING_KINDS, type FindingKind } from '../../../../../contract/findings/finding-life.ts'
import type { FindingDetector } from './home-snapshot.ts'
import { contract, overContract, plan, powerFactor } from './agreement.ts'
import { baseNight, baseWeekend } from './base-load.ts'
import { emptyRoom } from './empty-room.ts'
import { balanceFault, silent } from './faults.ts'
import { leftOn } from './left-on.ts'
import { setPoint } from './set-point.ts'
import { peakShift, selfUse } from './shifts.ts'

const KINDS: Readonly<Record<FindingKind, FindingDetector>> = {
  baseNight,
  emptyRoom,
  baseWeekend,
  leftOn,
  contract,
  plan,
  overContract,
  powerFactor,
  setPoint,
  peakShift,
  selfUse,
  balanceFault,
  silent,
  // Entered by people, not detected.
  measure: async () => [],
}

/** Detectors of all kinds, in execution order. */
export const ALL_KINDS: readonly (readonly [FindingKind, FindingDetector])[] = FINDING_KINDS.map((kind) => [
  kind,
  KINDS[kind],
])
