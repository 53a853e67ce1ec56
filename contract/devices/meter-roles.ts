/**
 * What a meter measures of its site (docs/decisions/0027). Every counter counts up; the role alone gives the sign.
 *
 * load             what is used; divides the consumption, and is it where a site has no import meter
 * gridImport       bought from the grid
 * gridExport       surplus sold to the grid
 * generation       a plant that feeds the site
 * storageDischarge out of a battery
 * storageCharge    into a battery
 * check            a second look at what another meter counts: shown alone, in no total, ranking or division
 * soldGeneration   a plant all of whose energy is sold: in no balance, its income stands beside the bill
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

/** Of a meter of which nobody has said anything. */
export const DEFAULT_ROLE: MeterRole = 'load'

/** What goes through a site, as calls name it; each is kept under its number (`part` of home_days). */
export const FLOWS = ['consumption', 'import', 'export', 'generation', 'discharge', 'charge'] as const
export type Flow = (typeof FLOWS)[number]
export const partOf = (flow: Flow): number => FLOWS.indexOf(flow)

/** The terms of a balance: every flow but what they come to. */
export const TERMS = ['import', 'export', 'generation', 'discharge', 'charge'] as const
export type Term = (typeof TERMS)[number]

const TERM_OF: Partial<Record<MeterRole, Term>> = {
  gridImport: 'import',
  gridExport: 'export',
  generation: 'generation',
  storageDischarge: 'discharge',
  storageCharge: 'charge',
}

/** The term that meters of a role make; undefined for a role that has no part in the balance. */
export const termOf = (role: MeterRole): Term | undefined => TERM_OF[role]

/** What a term adds to the consumption, and takes from it: C = I + G + D − E − H. */
export const SIGNS: Readonly<Record<Term, 1 | -1>> = {
  import: 1,
  generation: 1,
  discharge: 1,
  export: -1,
  charge: -1,
}

/** What power and energy of a role add to what its site uses; 0 of a role that has no part in the balance. */
export function signOf(role: MeterRole): 1 | -1 | 0 {
  const term = termOf(role)
  return term ? SIGNS[term] : 0
}

/**
 * Whether a meter may stand below another: a sub-meter is a place, so both have one role; or a load hangs below the supply
 * that feeds it.
 */
export const mayHangBelow = (role: MeterRole, parent: MeterRole): boolean =>
  role === parent || (role === 'load' && parent === 'gridImport')

/** The second register of a device, which counts the other direction, is a meter of its own with this id. */
export const RETURN_SUFFIX = '.return'
export const returnIdOf = (PeripheralUID: string): string => `${PeripheralUID}${RETURN_SUFFIX}`
/** The device that a register belongs to, and whether it is the second one: no PeripheralUID holds a dot. */
export const deviceOfMeter = (MeterID: string): { PeripheralUID: string; isReturn: boolean } =>
  MeterID.endsWith(RETURN_SUFFIX)
    ? { PeripheralUID: MeterID.slice(0, -RETURN_SUFFIX.length), isReturn: true }
    : { PeripheralUID: MeterID, isReturn: false }

/** The role of a second register of which nobody has said anything: it is shown, and in no total. */
export const defaultRoleOf = (MeterID: string): MeterRole =>
  deviceOfMeter(MeterID).isReturn ? 'check' : DEFAULT_ROLE
