import type { PermissionSubject } from '../../../../contract/kernel/permissions.ts'
import type { SignedIn } from '../../../kernel/context.ts'
import { writeAudit } from '../../../domain/audit/write-audit.ts'
import { sql } from '../../../kernel/db.ts'
import { changeEventOf } from './automation.ts'
import type { AutomationPorts } from './ports.ts'
import { notifyTransferred, notifyProblem } from '../runs/notices.ts'
import { mayAnswerFor, currentProblem } from '../rules/problem.ts'
import {
  readAutomations,
  STATE_OF_PROBLEM,
  changeRecordOf,
  automationRowOf,
  setsDevices,
} from '../rules/stored-rule.ts'

/**
 * Updates the automations owned by a person whose rights change, in the transaction of the change. If the person may no longer own
 * them, the caller becomes their owner if allowed, with an audit row for each; otherwise they are suspended, their owner is
 * notified and unsent commands of their runs are cancelled. Suspended ones whose owner may act again become ready. Call it before
 * the person's row is deleted.
 *
 * person  after the change; undefined if deleted or disabled
 */
export const transferOwnership =
  ({ replan, runs, notify }: Pick<AutomationPorts, 'replan' | 'runs' | 'notify'>) =>
  async (context: SignedIn, cognitoId: string, person: PermissionSubject | undefined): Promise<void> => {
    const { db, actor, clock } = context
    const owned = sql`tenant = ${actor.tenant} and owner_id = ${cognitoId}::uuid`
    const held = await db.query<{ id: string }>(
      sql`select automation_id as id from automations where ${owned} order by automation_id for no key update`,
    )
    if (held.length === 0) return
    const ids = held.map(({ id }) => id)
    const now = clock.now()
    const rules = await readAutomations(
      db,
      now,
      sql`a.tenant = ${actor.tenant} and a.automation_id = any(${ids}::text[]) order by a.automation_id`,
    )
    const transferred = []
    const unanswered: string[] = []
    for (const before of rules) {
      const { AutomationID, AutomationType, HomeID } = before
      // A rule that only notifies needs no owner's rights.
      const acts = setsDevices(before)
      const stays = person !== undefined && (!acts || mayAnswerFor(person, AutomationType, HomeID))
      const takes = !stays && mayAnswerFor(actor, AutomationType, HomeID)
      if (acts && !stays && !takes) unanswered.push(AutomationID)
      const OwnerID = takes ? actor.cognitoId : before.OwnerID
      const reason = person ? 'noRight' : 'ownerGone'
      const answered = { ...automationRowOf(before), OwnerID }
      const problem = await currentProblem(db, actor.tenant, answered, now)
      const isOwners = problem === null || problem.Reason === 'noRight' || problem.Reason === 'ownerGone'
      const suspended = { Reason: reason, Subject: null, Since: now, Until: null } as const
      const Problem = !isOwners ? problem : stays || takes || !acts ? null : suspended
      if (OwnerID === before.OwnerID && JSON.stringify(Problem) === JSON.stringify(before.Problem)) continue
      await db.query(sql`update automations set owner_id = ${OwnerID},
          problem = ${Problem === null ? null : JSON.stringify(Problem)}::jsonb
        where tenant = ${actor.tenant} and automation_id = ${AutomationID}`)
      transferred.push({ tenant: actor.tenant, automationId: AutomationID })
      context.change('automation.update', changeEventOf(before))
      const changeRecord = changeRecordOf(actor.tenant, before)
      if (takes) {
        await recordTransfer(context, before, { ...answered, Problem })
        await notifyTransferred(notify, db, { ...changeRecord, ownerId: actor.cognitoId }, now)
      } else if (Problem && before.Enabled && STATE_OF_PROBLEM[Problem.Reason] !== before.State)
        await notifyProblem(notify, db, changeRecord, Problem)
    }
    await runs.refuse(db, actor.tenant, unanswered)
    await replan(db, transferred)
  }

/** Writes the audit row of a takeover, as the call for it would. */
const recordTransfer = (
  { db, actor, clock, ip, requestId }: SignedIn,
  before: Parameters<typeof automationRowOf>[0],
  after: ReturnType<typeof automationRowOf>,
): Promise<void> =>
  writeAudit(db, {
    actor,
    at: clock.now(),
    ip,
    requestId,
    path: '/TakeOverAutomation',
    input: { AutomationType: before.AutomationType, AutomationID: before.AutomationID },
    before: automationRowOf(before),
    after,
  })
