import { balanceOf, type Terms } from './balance.ts'
import { defaultRoleOf, type MeterRole, mayHangBelow, termOf } from '../devices/meter-roles.ts'
import { type ProposedMeter, proposeRole, type Selling } from '../meters/propose-roles.ts'

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
