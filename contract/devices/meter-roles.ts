import { deviceOfMeter } from './kinds/meter-id.ts'

/**
 * Role of a meter at its site (docs/decisions/0027). Every counter only increases; the role determines the sign.
 *
 * load             consumption; breaks the total down, and is the total if a site has no import { deviceOfMeter } from './kinds/meter-id.ts'

import meter
 * gridImport       bought from the grid
 * gridExport       surplus sold to the grid
 * generation       a plant that feeds the site
 * storageDischarge out of a battery
 * storageCharge    into a battery
 * check            measures the same energy as another meter: shown alone, in no total, ranking or breakdown
 * soldGeneration   a plant all of whose energy is sold: in no balance, its income is shown next to the bill
 */
export const METER_ROLES = [
  'load',
  'gridImport',
  'gridExport',
  'generation',
  'storageDischarge',
  'storageCharge',
  'check',
  'soldGeneration',
] as const
export type MeterRole = (typeof METER_ROLES)[number]

export const DEFAULT_ROLE: MeterRole = 'load'

/** Energy flows of a site, by their name in calls; stored as their index (`part` of home_days). */
export const FLOWS = ['consumption', 'import', 'export', 'generation', 'discharge', 'charge'] as const
export type Flow = (typeof FLOWS)[number]
export const partOf = (flow: Flow): number => FLOWS.indexOf(flow)

/** Terms of the balance: every flow except their result, consumption. */
export const TERMS = ['import', 'export', 'generation', 'discharge', 'charge'] as const
export type Term = (typeof TERMS)[number]

const TERM_OF: Partial<Record<MeterRole, Term>> = {
  gridImport: 'import',
  gridExport: 'export',
  generation: 'generation',
  storageDischarge: 'discharge',
  storageCharge: 'charge',
}

/** Term that meters of a role contribute to; undefined for a role outside the balance. */
export const termOf = (role: MeterRole): Term | undefined => TERM_OF[role]

/** Sign of a term in the consumption: C = I + G + D − E − H. */
export const SIGNS: Readonly<Record<Term, 1 | -1>> = {
  import: 1,
  generation: 1,
  discharge: 1,
  export: -1,
  charge: -1,
}

/** Sign of a role in the consumption of its site; 0 for a role outside the balance. */
export function signOf(role: MeterRole): 1 | -1 | 0 {
  const term = termOf(role)
  return term ? SIGNS[term] : 0
}

/** Whether a meter may have this parent: both have the same role, or a load is below the grid import that supplies it. */
export const mayHangBelow = (role: MeterRole, parent: MeterRole): boolean =>
  role === parent || (role === 'load' && parent === 'gridImport')

/** Role of a meter without a configured role. A second register is `check`: shown, but in no total. */
export const defaultRoleOf = (MeterID: string): MeterRole =>
  deviceOfMeter(MeterID).isReturn ? 'check' : DEFAULT_ROLE
