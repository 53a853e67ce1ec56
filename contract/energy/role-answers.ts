import { defaultRoleOf, type MeterRole, mayHangBelow, termOf } from '../devices/meter-roles.ts'
import { deviceOfMeter } from '../devices/kinds/meter-id.ts'
import { balanceOf, type Terms } from './balance.ts'

interface ProposedMeter {
  MeterID: string
  Name: string
  /** kWh per hour of a whole day, from midnight; omitted if unknown. */
  hours?: readonly number[]
}

/** Energy that a site with a plant sells: none, the surplus, or all. */
export type Selling = 'ownUse' | 'surplus' | 'all'

const SUN = /太陽能|光電|solar|\bpv\b|photovoltaic|inverter|逆變器/i
const GRID = /市電|台電|購電|總表|\bgrid\b|\butility\b|taipower|main meter|incomer/i
const SALE = /售電|躉售|餘電|\bexport\b|feed[- ]?in/i
const BATTERY = /儲能|電池|battery|\bess\b|\bbess\b/i
const CHARGE = /充電(?!樁|站|柱)|\bcharge\b|\bcharging\b/i
const CHECK = /對照|核對|\bcheck meter\b/i

/** Proposes a role from a meter's name and daily load shape; defaults to 'load'. A person has to confirm it. */
export function proposeRole({ MeterID, Name, hours }: ProposedMeter, selling: Selling): MeterRole {
  const { isReturn } = deviceOfMeter(MeterID)
  const sun = SUN.test(Name) || (hours !== undefined && isSunny(hours))
  if (CHECK.test(Name)) return 'check'
  if (BATTERY.test(Name)) return isReturn || CHARGE.test(Name) ? 'storageCharge' : 'storageDischarge'
  if (isReturn) return GRID.test(Name) && selling === 'surplus' ? 'gridExport' : 'check'
  if (sun) return selling === 'all' ? 'soldGeneration' : 'generation'
  if (SALE.test(Name)) return selling === 'all' ? 'soldGeneration' : 'gridExport'
  return GRID.test(Name) ? 'gridImport' : 'load'
}

/** Maximum share of the hours 20 to 4, and minimum share of the hours 9 to 15, for solar generation. */
const NIGHT = 0.01
const NOON = 0.5

function isSunny(hours: readonly number[]): boolean {
  if (hours.length !== 24) return false
  const sum = (from: number, to: number) => hours.slice(from, to).reduce((all, value) => all + value, 0)
  const total = sum(0, 24)
  return total > 0 && sum(0, 4) + sum(20, 24) <= total * NIGHT && sum(9, 15) >= total * NOON
}

/** Answers to the four setup questions: how energy is sold, and which meters measure import, generation and the battery. */
export interface RoleAnswers {
  selling: Selling
  import: readonly string[]
  generation: readonly string[]
  /** Only if the surplus is sold. */
  export: readonly string[]
  discharge: readonly string[]
  charge: readonly string[]
}

/** Role to assign to a meter; `raised` if the meter must no longer be below its parent meter. */
export interface RoleChange {
  MeterID: string
  Role: MeterRole
  raised: boolean
}

export const rolesIn = ({
  selling,
  generation,
  export: sold,
  discharge,
  charge,
  import: bought,
}: RoleAnswers): [role: MeterRole, ids: readonly string[]][] => [
  ['gridImport', bought],
  [selling === 'all' ? 'soldGeneration' : 'generation', generation],
  ['gridExport', selling === 'surplus' ? sold : []],
  ['storageDischarge', discharge],
  ['storageCharge', charge],
]

/** Meters that appear twice in the answers. */
export function namedTwice(answers: RoleAnswers): string[] {
  const all = rolesIn(answers).flatMap(([, ids]) => ids)
  return [...new Set(all.filter((id, i) => all.indexOf(id) < i))]
}

/** Proposes answers from the meters' names and daily load shapes; configured roles are kept. */
export function proposeAnswers(
  meters: readonly (ProposedMeter & { role: MeterRole })[],
  selling: Selling,
): RoleAnswers {
  const roleOf = (meter: (typeof meters)[number]) =>
    meter.role === defaultRoleOf(meter.MeterID) ? proposeRole(meter, selling) : meter.role
  const of = (...roles: MeterRole[]) =>
    meters.filter((meter) => roles.includes(roleOf(meter))).map(({ MeterID }) => MeterID)
  return {
    selling,
    import: of('gridImport'),
    generation: of('generation', 'soldGeneration'),
    export: selling === 'surplus' ? of('gridExport') : [],
    discharge: of('storageDischarge'),
    charge: of('storageCharge'),
  }
}

/**
 * Role changes that the answers require; a meter that had a role and is no longer named gets its default role.
 *
 * meters  present state
 */
export function roleChanges(
  meters: readonly { MeterID: string; role: MeterRole; parent: string | null }[],
  answers: RoleAnswers,
): RoleChange[] {
  const wanted = new Map(rolesIn(answers).flatMap(([role, ids]) => ids.map((id) => [id, role] as const)))
  const roleOf = (meter: { MeterID: string; role: MeterRole }): MeterRole =>
    wanted.get(meter.MeterID) ??
    (termOf(meter.role) || meter.role === 'soldGeneration' ? defaultRoleOf(meter.MeterID) : meter.role)
  const byId = new Map(meters.map((meter) => [meter.MeterID, meter]))
  const changes = meters.flatMap((meter): RoleChange[] => {
    const [Role, parent] = [roleOf(meter), meter.parent === null ? undefined : byId.get(meter.parent)]
    const raised = parent !== undefined && !mayHangBelow(Role, roleOf(parent))
    return Role === meter.role && !raised ? [] : [{ MeterID: meter.MeterID, Role, raised }]
  })
  // Sort by depth: a load may be below an import meter, and no other role has sub-meters, so parents come first.
  const depthOf = (id: string, depth = 0): number => {
    const parent = byId.get(id)?.parent ?? null
    return parent === null || depth > meters.length ? 0 : 1 + depthOf(parent, depth + 1)
  }
  return changes.toSorted((a, b) => depthOf(a.MeterID) - depthOf(b.MeterID))
}

/**
 * Computes the terms of a balance from the answers and from the meters' energy in the quarter-hours of a day.
 *
 * kwhOf  undefined for an unknown quarter
 */
export function tryBalance(
  answers: RoleAnswers,
  quarters: number,
  kwhOf: (MeterID: string, quarter: number) => number | undefined,
  loads: readonly string[],
): { terms: Terms; consumption: Float64Array; bought: Float64Array } {
  const sumOf = (ids: readonly string[]) =>
    Float64Array.from({ length: quarters }, (_, i) => ids.reduce((sum, id) => sum + (kwhOf(id, i) ?? NaN), 0))
  const terms: Terms = {}
  for (const [role, ids] of rolesIn(answers)) {
    const term = termOf(role)
    if (term && ids.length) terms[term] = sumOf(ids)
  }
  const { consumption, bought } = balanceOf(terms, loads.length ? sumOf(loads) : undefined, quarters)
  return { terms, consumption, bought }
}
