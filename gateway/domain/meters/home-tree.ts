import { type FactValues, SINCE_ALWAYS, type StoredFact } from '../../../contract/meters/meter-facts.ts'
import { defaultRoleOf, type MeterRole } from '../../../contract/devices/meter-roles.ts'
import { type Db, sql } from '../../kernel/db.ts'
import { formatDay } from '../../../contract/time/periods.ts'
import { GatewayError } from '../../kernel/errors.ts'
import { isTopMeter, meterPositions, type TreeMeter } from '../../../contract/meters/meter-tree.ts'
import { factsOfHome, type HomeFacts } from './meter-facts.ts'

/** Meters of a home, including virtual ones, with their position by day. */
export interface HomeTree {
  facts: HomeFacts
  /** Present or last parent of each existing or removed meter; null for a virtual one. */
  parents: ReadonlyMap<string, string | null>
  /** Present terms of virtual meters. */
  virtual: ReadonlyMap<string, FactValues['terms']>
  parentOn(uid: string, day: number): string | null
  /** Undefined for a virtual meter without a role on that day. */
  roleOn(uid: string, day: number): MeterRole | undefined
  /** Undefined for a meter that is not virtual. */
  termsOn(uid: string, day: number): FactValues['terms'] | undefined
}

export async function treeOfHome(db: Db, tenant: string, HomeID: string): Promise<HomeTree> {
  const rows = await db.query<{
    uid: string
    parent: string | null
    terms: FactValues['terms'] | null
  }>(sql`
    select coalesce(p.peripheral_uid, m.peripheral_uid) as uid,
      case when p.peripheral_uid is null then m.parent_meter else p.parent_meter end as parent, null::jsonb as terms
    from (select * from meters where tenant = ${tenant} and home_id = ${HomeID}) m
    full join (select * from peripherals where tenant = ${tenant} and home_id = ${HomeID}) p
      on p.peripheral_uid = m.peripheral_uid
    union all select virtual_meter_id, null, terms from virtual_meters
      where tenant = ${tenant} and home_id = ${HomeID}`)
  const facts = await factsOfHome(db, tenant, HomeID)
  const parents = new Map(rows.map(({ uid, parent }) => [uid, parent]))
  const virtual = new Map(rows.flatMap(({ uid, terms }) => (terms ? [[uid, terms] as const] : [])))
  return {
    facts,
    parents,
    virtual,
    parentOn(uid, day) {
      const parentFact = facts.on(uid, 'parent', day)
      return parentFact === undefined ? (parents.get(uid) ?? null) : parentFact
    },
    roleOn: (uid, day) => facts.on(uid, 'role', day) ?? (virtual.has(uid) ? undefined : defaultRoleOf(uid)),
    termsOn: (uid, day) => (virtual.has(uid) ? (facts.on(uid, 'terms', day) ?? virtual.get(uid)) : undefined),
  }
}

/** Facts that determine how often a register counts. */
export const WEIGHING: readonly StoredFact[] = ['role', 'parent', 'terms']

/**
 * Asserts that with the virtual meters of a home, no register counts twice on any day, and none is subtracted from a total that does not
 * include it. The caller holds the lock of `lockMeterFacts` and read the tree after writing the changes to check.
 *
 * errors  INVALID with `countedTwice` or `takenAway` at the register and its days: `Terms.<MeterID>.<first>/<last>`, either
 *         empty if open-ended
 */
export function checkWeights(tree: HomeTree): void {
  const { meters } = tree.facts
  if (![...tree.virtual.keys()].some((uid) => meters.get(uid)?.role)) return
  const days = new Set([SINCE_ALWAYS])
  for (const facts of meters.values())
    for (const fact of WEIGHING) for (const { from } of facts[fact] ?? []) days.add(from)
  const fields: Record<string, WeightFault> = {}
  const open = new Map<string, { fault: WeightFault; from: number }>()
  const end = (uid: string, before?: number) => {
    const fault = open.get(uid)
    if (!fault) return
    open.delete(uid)
    fields[`Terms.${uid}.${dateOf(fault.from)}/${before === undefined ? '' : formatDay(before - 1)}`] =
      fault.fault
  }
  for (const day of [...days].toSorted((a, b) => a - b)) {
    const faults = faultsOn(tree, day)
    for (const [uid, { fault }] of open) if (faults.get(uid) !== fault) end(uid, day)
    for (const [uid, fault] of faults) if (!open.has(uid)) open.set(uid, { fault, from: day })
  }
  for (const uid of [...open.keys()]) end(uid)
  if (Object.keys(fields).length) throw new GatewayError('INVALID', 'A meter counts more than once', fields)
}

const dateOf = (day: number): string => (day === SINCE_ALWAYS ? '' : formatDay(day))

const faultsOn = (tree: HomeTree, day: number): Map<string, WeightFault> =>
  findWeightFaults(
    [...tree.parents.keys(), ...returnsOf(tree)].map((PeripheralUID) => ({
      PeripheralUID,
      ParentMeter: tree.parentOn(PeripheralUID, day),
      role: tree.roleOn(PeripheralUID, day),
      terms: tree.termsOn(PeripheralUID, day),
    })),
  )

/** Registers with facts but without a reading so far. */
const returnsOf = ({ facts, parents }: HomeTree): string[] =>
  [...facts.meters.keys()].filter((uid) => !parents.has(uid))

/** Meter of a home on one day: its position, and for a virtual one the meters it adds (1) and subtracts (-1). */
export interface WeighedMeter extends TreeMeter {
  /** Undefined for a virtual meter that is in no total. */
  role: MeterRole | undefined
  terms?: readonly { PeripheralUID: string; Factor: 1 | -1 }[] | undefined
}

/** Fault of a register: counted more than once, or subtracted from a total that does not include it. */
type WeightFault = 'countedTwice' | 'takenAway'

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
      if (isTopMeter(position)) addWeights(total, meter)
      if (position === 'alone' || position === 'sub') addWeights(division, meter)
    }
    for (const weights of [total, division])
      for (const [uid, weight] of weights)
        if (weight !== 0 && weight !== 1) faults.set(uid, weight > 1 ? 'countedTwice' : 'takenAway')
  }
  return faults
}

function addWeights(weights: Map<string, number>, { PeripheralUID, terms }: WeighedMeter): void {
  for (const { PeripheralUID: uid, Factor } of terms ?? [{ PeripheralUID, Factor: 1 }])
    weights.set(uid, (weights.get(uid) ?? 0) + Factor)
}
