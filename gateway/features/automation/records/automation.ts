import {
  type Automation,
  type automation,
  type AutomationKey,
  FEATURE_OF_TYPE,
  MAX_AUTOMATIONS,
} from '../../../../contract/automation/automation.ts'
import type { Actor, HandlersOf, SignedIn } from '../../../kernel/context.ts'
import { GatewayError } from '../../../kernel/errors.ts'
import { inHomes } from '../../../store/sql.ts'
import { findHome, lockHome, lockHomeExclusively } from '../../../domain/homes/find-home.ts'
import { assertVersion } from '../../../lib/assert-version.ts'
import { conflictOnUniqueViolation } from '../../../store/database-errors.ts'
import { sql } from '../../../kernel/db.ts'
import { catchUpAfter, catchUpOf } from '../rules/catching.ts'
import { checkRule, lockSubjects } from '../rules/check-rule.ts'
import { currentProblem } from '../rules/problem.ts'
import {
  insertAutomation,
  IS_BROKEN,
  readAutomations,
  updateAutomation,
  type AutomationRow,
  automationRowOf,
  hasOtherEffect,
  ruleOf,
  setsDevices,
  type RuleOfAutomation,
} from '../rules/stored-rule.ts'
import { assertNoLoop } from '../rules/other-rules.ts'
import { assertRight } from '../targets/assert-right.ts'
import type { Replan } from '../rules/ports.ts'
import {
  BATCH,
  type RetentionTarget,
  type RetentionOptions,
  deleteOlderThan,
} from '../../../store/retention.ts'
import type { AutomationPorts } from './ports.ts'

const TAKEN = 'This home already has an automation of that name and type'

export const automationHandlers = ({
  replan,
  readSlowestMainMeter,
}: Pick<AutomationPorts, 'replan' | 'readSlowestMainMeter'>): HandlersOf<typeof automation.operations> => ({
  list: async ({ AutomationType, HomeID }, { db, actor, clock, homes }) => {
    if (HomeID !== undefined) await findHome(db, actor.tenant, HomeID)
    return readAutomations(
      db,
      clock.now(),
      sql`a.tenant = ${actor.tenant} and a.automation_type = ${AutomationType}
        and ${inHomes(HomeID === undefined ? homes() : [HomeID], sql`a.home_id`)}
        order by ${IS_BROKEN} desc, lower(a.automation_name), a.automation_id`,
    )
  },

  create: async ({ AcceptLoop, ...input }, context) => {
    const { db, actor, clock, random } = context
    needRightsOf(input, input.HomeID, actor)
    const now = clock.now()
    await lockHomeExclusively(db, actor.tenant, input.HomeID)
    const home = { tenant: actor.tenant, homeId: input.HomeID }
    await lockSubjects(db, home, input)
    const whole = { ...input, Catching: await catchUpOf(db, home, input) }
    const rule = ruleOf(whole)
    await checkRule(db, {
      ...home,
      type: input.AutomationType,
      rule,
      now,
      readSlowestMainMeter,
    })
    if (!AcceptLoop) await assertNoLoop(db, home, { id: undefined, rule })
    await assertRuleQuota(input.HomeID, context)
    const record: AutomationRow = {
      ...whole,
      AutomationID: random.uuid(),
      Version: 1,
      OwnerID: actor.cognitoId,
      Problem: null,
    }
    // A scene that the rule runs may be broken already.
    record.Problem = await currentProblem(db, actor.tenant, record, now)
    await conflictOnUniqueViolation('AutomationName', TAKEN, insertAutomation(db, actor.tenant, record, now))
    await replan(db, [{ tenant: actor.tenant, automationId: record.AutomationID }])
    const after = await readAutomation(record, context)
    context.change('automation.add', changeEventOf(after))
    context.audit({ after: automationRowOf(after) })
    return after
  },

  update: async (
    { AcceptLoop, Version, AutomationID, AutomationType, NewType = AutomationType, ...changes },
    context,
  ) => {
    const { db, actor, clock } = context
    const now = clock.now()
    if (FEATURE_OF_TYPE[NewType] !== FEATURE_OF_TYPE[AutomationType])
      throw new GatewayError('INVALID', 'A type of another feature', { NewType: 'invalid' })
    const key = { AutomationID, AutomationType }
    const seen = await readAutomation(key, context)
    // Lock order: home, what the rule names, then the rule; the same as when a device is removed.
    await lockHome(db, actor.tenant, seen.HomeID)
    await lockSubjects(db, { tenant: actor.tenant, homeId: seen.HomeID }, merge(seen, changes))
    const before = await lockAutomation(key, context)
    assertVersion(Version, before)
    const after = merge(before, changes)
    after.Version = before.Version + 1
    after.AutomationType = NewType
    if (hasOtherEffect(ruleOf(before), ruleOf(after))) {
      const home = { tenant: actor.tenant, homeId: before.HomeID }
      if (changes.Catching === undefined) after.Catching = await catchUpAfter(db, home, before, after.Actions)
      needRightsOf(after, after.HomeID, actor)
      await checkRule(db, {
        ...home,
        type: NewType,
        rule: ruleOf(after),
        before: ruleOf(before),
        now,
        readSlowestMainMeter,
      })
      if (!AcceptLoop) await assertNoLoop(db, home, { id: AutomationID, rule: ruleOf(after) })
      after.OwnerID = actor.cognitoId
    }
    needRightsToEnable(before, after, actor)
    after.Problem = await currentProblem(db, actor.tenant, after, now)
    await conflictOnUniqueViolation('AutomationName', TAKEN, updateAutomation(db, actor.tenant, after))
    return emitAutomationChange(before, context, replan, NewType)
  },

  remove: async (key, context) => {
    const { db, actor } = context
    const before = await lockAutomation(key, context)
    const one = { tenant: actor.tenant, automationId: key.AutomationID }
    await db.query(
      sql`delete from automations where tenant = ${one.tenant} and automation_id = ${one.automationId}`,
    )
    await replan(db, [one])
    context.change('automation.remove', changeEventOf(before))
    context.audit({ before: automationRowOf(before) })
    return key
  },
})

/** Asserts the rights that a rule's actions and booking need. Errors: PERMISSION_DENIED. */
function needRightsOf(
  rule: Pick<RuleOfAutomation, 'Actions' | 'EndActions' | 'Alarm' | 'Booking'>,
  HomeID: string,
  actor: Actor,
): void {
  if (setsDevices(rule)) assertRight(actor, 'device_control', 'Control', HomeID)
  if (rule.Booking) assertRight(actor, 'conference_room', 'Read', HomeID)
}

/** Asserts, if a rule is being enabled, the rights that creating it would need. Errors: PERMISSION_DENIED. */
export function needRightsToEnable(
  before: Pick<Automation, 'Enabled'>,
  after: AutomationRow,
  actor: Actor,
): void {
  if (before.Enabled === false && after.Enabled !== false) needRightsOf(after, after.HomeID, actor)
}

/** Reschedules an automation after a write and emits its change; returns the present record. */
export async function emitAutomationChange(
  before: Automation,
  context: SignedIn,
  replan: Replan,
  AutomationType = before.AutomationType,
): Promise<Automation> {
  await replan(context.db, [{ tenant: context.actor.tenant, automationId: before.AutomationID }])
  const after = await readAutomation({ ...before, AutomationType }, context)
  context.change('automation.update', changeEventOf(after))
  context.audit({ before: automationRowOf(before), after: automationRowOf(after) })
  return after
}

/** Payload of an automation's change event. */
export const changeEventOf = ({
  HomeID,
  AutomationID,
  AutomationType,
}: Pick<Automation, 'HomeID' | 'AutomationID' | 'AutomationType'>) => ({
  HomeID,
  AutomationID,
  AutomationType,
})

/** Reads an automation and locks it until the transaction ends. Errors: NOT_FOUND, also for another type. */
export async function lockAutomation(key: AutomationKey, context: SignedIn): Promise<Automation> {
  const { db, actor } = context
  const one = sql`tenant = ${actor.tenant} and automation_id = ${key.AutomationID}
    and automation_type = ${key.AutomationType}`
  const [found] = await db.query<{ homeId: string; conferenceRoomId: string | null }>(
    sql`select home_id as "homeId", rule -> 'Booking' ->> 'ConferenceRoomID' as "conferenceRoomId"
      from automations where ${one}`,
  )
  if (!found) throw notFound(key)
  context.at(found.homeId, () => notFound(key))
  // Lock order as everywhere: the home before its contents, a conference room before the rules that follow its bookings.
  await lockHome(db, actor.tenant, found.homeId)
  if (found.conferenceRoomId !== null)
    await db.query(sql`select 1 from conference_rooms
      where tenant = ${actor.tenant} and conference_room_id = ${found.conferenceRoomId} for share`)
  const held = await db.query(sql`select 1 from automations where ${one} for no key update`)
  if (held.length === 0) throw notFound(key)
  return readAutomation(key, context)
}

async function readAutomation(
  key: Pick<Automation, 'AutomationID' | 'AutomationType'>,
  { db, actor, clock }: SignedIn,
): Promise<Automation> {
  const where = sql`a.tenant = ${actor.tenant} and a.automation_id = ${key.AutomationID}
    and a.automation_type = ${key.AutomationType}`
  const [record] = await readAutomations(db, clock.now(), where)
  if (!record) throw notFound(key)
  return record
}

const notFound = ({ AutomationID }: Pick<Automation, 'AutomationID'>) =>
  new GatewayError('NOT_FOUND', `Automation ${AutomationID} does not exist`)

/** Automation with changes applied; a part that is null is removed. */
function merge(before: Automation, changes: Readonly<Record<string, unknown>>): AutomationRow {
  const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined))
  const merged = { ...automationRowOf(before), ...given }
  for (const part of ['Schedule', 'Booking', 'Notify'] as const)
    if ((merged as Record<string, unknown>)[part] === null) delete merged[part]
  return merged
}

/** Enforces the maximum numbers of automations; locks the company, the home is locked already. Errors: LIMIT_EXCEEDED. */
async function assertRuleQuota(homeId: string, { db, actor }: SignedIn): Promise<void> {
  await db.query(sql`select 1 from companies where tenant = ${actor.tenant} for no key update`)
  const [count] = await db.query<{ ofHome: number; ofCompany: number }>(sql`
    select count(*) as "ofCompany", count(*) filter (where home_id = ${homeId}) as "ofHome"
    from automations where tenant = ${actor.tenant}`)
  if ((count?.ofHome ?? 0) >= MAX_AUTOMATIONS.home)
    throw new GatewayError('LIMIT_EXCEEDED', `A home has at most ${MAX_AUTOMATIONS.home} automations`)
  if ((count?.ofCompany ?? 0) >= MAX_AUTOMATIONS.company)
    throw new GatewayError('LIMIT_EXCEEDED', `A company has at most ${MAX_AUTOMATIONS.company} automations`)
}

/** Finished runs, by their start time. */
export const expiringRuns = (
  options: Pick<RetentionOptions, 'db' | 'clock'>,
  days: number,
): RetentionTarget[] =>
  deleteOlderThan(options, days, {
    automation_runs: (before) => sql`
      delete from automation_runs where (tenant, run_id) in (select tenant, run_id from automation_runs
        where began_at <= ${before}::bigint and ended_at is not null order by began_at limit ${BATCH}::int)
      returning 1 as one`,
  })
