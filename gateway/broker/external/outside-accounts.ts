import type { Subject } from '../../../contract/features.ts'
import type { EventName, GatewayEvents } from '../../events.ts'
import type { Clock } from '../../ports.ts'
import type { Sealer } from '../../lib/sealer.ts'
import { type Db, join, raw, sql } from '../../store/db.ts'
import type { OutsideAccounts, ThingClient } from '../port.ts'

/** Where the secrets that wait are kept. */
const TABLES = { hub: 'hub_enrolments', scanner: 'scanner_enrolments' } as const

const contextOf = (thingName: string) => `enrolment:${thingName}`

/**
 * What the database says about the accounts of an outside broker. A hub's new secret is kept until the broker has it, in the
 * transaction that makes it, so that neither a broker that is away nor a crash loses it.
 */
export function createOutsideAccounts({ db, clock, sealer }: { db: Db; clock: Clock; sealer: Sealer }) {
  interface Row {
    party: ThingClient['party']
    tenant: string
    homeId: string
    thingName: string
    sealed: string
  }
  const rows = (thingName: string | null) =>
    db.query<Row>(sql`select party, tenant, home_id as "homeId", thing_name as "thingName", sealed_secret as sealed
      from (select 'hub' as party, * from hub_enrolments union all select 'scanner', * from scanner_enrolments) waiting
      where ${thingName}::text is null or thing_name = ${thingName} order by created_at`)
  /** A secret that waits; undefined for one that another SECRET sealed, of which nobody can be told any more. */
  function secretOf(thingName: string, sealed: string): string | undefined {
    try {
      return sealer.open(sealed, contextOf(thingName))
    } catch {
      return undefined
    }
  }
  const accounts: OutsideAccounts & { keep: typeof keep } = {
    keep,

    async hubs() {
      const found = await db.query<{ name: string }>(sql`select thing_name as name from things
        union all select thing_name from scanners`)
      return found.map(({ name }) => name)
    },

    async people(cognitoIds) {
      if (cognitoIds.length === 0) return new Map()
      const found = await db.query<{ id: string; isRoot: boolean; permissions: Subject['permissions'] }>(sql`
        select cognito_id as id, cognito_id = tenant as "isRoot", permissions from users
        where enabled and cognito_id::text in (${join([...cognitoIds])})`)
      return new Map(found.map(({ id, ...subject }) => [id, subject]))
    },

    async enrolments(thingName) {
      return (await rows(thingName ?? null)).flatMap(({ sealed, ...hub }) => {
        const secret = secretOf(hub.thingName, sealed)
        return secret === undefined ? [] : [{ hub: hub satisfies ThingClient, secret }]
      })
    },

    async enrolled(thingName, secret) {
      const [row] = await rows(thingName)
      // A newer secret may wait already.
      if (!row || secretOf(thingName, row.sealed) !== secret) return
      await db.query(sql`
        delete from ${raw(TABLES[row.party])} where thing_name = ${thingName} and sealed_secret = ${row.sealed}`)
    },
  }
  return accounts

  /** Called with what a mutation has to say, before its commit. */
  async function keep(
    tx: Db,
    emissions: readonly (readonly [EventName, GatewayEvents[EventName]])[],
  ): Promise<void> {
    for (const [name, event] of emissions) {
      if (name !== 'hubEnrolled') continue
      const { tenant, homeId, thingName, secret, party = 'hub' } = event as GatewayEvents['hubEnrolled']
      const sealed = sealer.seal(secret, contextOf(thingName))
      await tx.query(sql`
        insert into ${raw(TABLES[party])} (thing_name, tenant, home_id, sealed_secret, created_at)
        values (${thingName}, ${tenant}, ${homeId}, ${sealed}, ${clock.now()})
        on conflict (thing_name) do update set sealed_secret = excluded.sealed_secret, created_at = excluded.created_at`)
    }
  }
}
