import type { FactValues } from '../../../contract/meters/meter-facts.ts'
import { defaultRoleOf, type MeterRole } from '../../../contract/devices/meter-roles.ts'
import { type Db, sql } from '../../kernel/db.ts'
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
