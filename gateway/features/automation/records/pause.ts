import type { AutomationPause, automations } from '../../../../contract/automation/calls.ts'
import type { HandlersOf } from '../../../kernel/context.ts'
import type { Deps } from '../../deps.ts'
import type { Job } from '../../../kernel/feature.ts'
import { GatewayError } from '../../../kernel/errors.ts'
import { findHome, lockHome } from '../../../domain/homes/find-home.ts'
import { type Db, sql } from '../../../kernel/db.ts'
import { assertRight } from '../targets/assert-right.ts'
import type { Replan } from '../rules/ports.ts'
import type { RuleKey } from '../rules/rule-rows.ts'

/** Maximum delay of the end of a pause, ms. */
const CHECK_INTERVAL_MS = 15_000

const COLUMNS = sql`home_id as "HomeID", until as "Until", reason as "Reason", by_name as "By", at as "At"`

type PauseHandlers = Pick<
  HandlersOf<typeof automations>,
  'getAutomationPause' | 'pauseAutomation' | 'resumeAutomation'
>

export const pauseHandlers = ({ replan }: { replan: Replan }): PauseHandlers => ({
  getAutomationPause: async ({ HomeID }, { db, actor, clock }) => {
    await findHome(db, actor.tenant, HomeID)
    const [pause] = await db.query<AutomationPause>(sql`select ${COLUMNS} from automation_pauses
      where tenant = ${actor.tenant} and home_id = ${HomeID} and (until is null or until > ${clock.now()}::bigint)`)
    return pause ?? null
  },

  pauseAutomation: async ({ HomeID, Until, Reason }, context) => {
    const { db, actor, clock } = context
    assertRight(actor, 'smart_link', 'Update', HomeID)
    const now = clock.now()
    if (Until !== null && Until <= now)
      throw new GatewayError('INVALID', 'This moment is over', { Until: 'past' })
    await lockHome(db, actor.tenant, HomeID)
    const [before] = await db.query<AutomationPause>(sql`select ${COLUMNS} from automation_pauses
      where tenant = ${actor.tenant} and home_id = ${HomeID} for update`)
    const after: AutomationPause = { HomeID, Until, Reason, By: actor.name, At: now }
    await db.query(sql`insert into automation_pauses (tenant, home_id, until, reason, by_name, at)
      values (${actor.tenant}, ${HomeID}, ${Until}, ${Reason}, ${actor.name}, ${now})
      on conflict (tenant, home_id) do update set until = excluded.until, reason = excluded.reason,
        by_name = excluded.by_name, at = excluded.at`)
    context.change('automationPause.update', { HomeID })
    context.audit({ ...(before && { before }), after })
    return after
  },

  resumeAutomation: async ({ HomeID }, context) => {
    const { db, actor } = context
    assertRight(actor, 'smart_link', 'Update', HomeID)
    await lockHome(db, actor.tenant, HomeID)
    const [before] = await db.query<AutomationPause>(sql`delete from automation_pauses
      where tenant = ${actor.tenant} and home_id = ${HomeID} returning ${COLUMNS}`)
    if (!before) throw new GatewayError('CONFLICT', 'This home does not rest', { HomeID: 'changed' })
    await replan(db, await readRules(db, actor.tenant, HomeID))
    context.change('automationPause.update', { HomeID })
    context.audit({ before })
    return { HomeID }
  },
})

/** Ends expired pauses and reschedules their automations. */
export const endPauses = (
  { db, clock, events }: Pick<Deps, 'db' | 'clock' | 'events'>,
  { replan }: { replan: Replan },
): Job => ({
  name: 'pauses of automations',
  intervalMs: CHECK_INTERVAL_MS,
  async run() {
    const ended = await db.transaction(async (tx) => {
      const homes = await tx.query<{ tenant: string; homeId: string }>(sql`
        with due as (select p.tenant, p.home_id from automation_pauses p
          join homes h on h.tenant = p.tenant and h.home_id = p.home_id where p.until <= ${clock.now()}::bigint
          order by p.tenant, p.home_id for key share of h skip locked for update of p skip locked)
        delete from automation_pauses p using due where p.tenant = due.tenant and p.home_id = due.home_id
        returning p.tenant, p.home_id as "homeId"`)
      for (const { tenant, homeId } of homes) await replan(tx, await readRules(tx, tenant, homeId))
      return homes
    })
    for (const { tenant, homeId: HomeID } of ended)
      events.emit('dataChange', { tenant, name: 'automationPause.update', record: { HomeID }, by: null })
  },
})

/** Automations that a home's pause affects (all but alarms), locked in order until the transaction ends. */
const readRules = (db: Db, tenant: string, homeId: string): Promise<RuleKey[]> =>
  db.query<RuleKey>(sql`select tenant, automation_id as "automationId" from automations
    where tenant = ${tenant} and home_id = ${homeId} and automation_type <> 4
    order by automation_id for no key update`)
