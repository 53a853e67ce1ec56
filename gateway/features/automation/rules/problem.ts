import type { Automation, AutomationProblem } from '../../../../contract/automation/automation.ts'
import type { Db } from '../../../kernel/db.ts'
import { findMissingTargets } from './missing-targets.ts'
import { ownerProblem } from './owner.ts'
import { setsDevices, type RuleOfAutomation } from './stored-rule.ts'

type Judged = RuleOfAutomation & Pick<Automation, 'HomeID' | 'AutomationType' | 'OwnerID' | 'Problem'>

/** Present problem of an automation: a missing target, or an owner without the right; null if it may act. */
export async function currentProblem(
  db: Db,
  tenant: string,
  record: Judged,
  now: number,
): Promise<AutomationProblem | null> {
  const [gone] = await findMissingTargets(db, { tenant, homeId: record.HomeID }, record)
  // A rule that only notifies needs no owner's rights.
  if (!gone && !setsDevices(record)) return null
  const found = gone ?? {
    Reason: await ownerProblem(db, tenant, record.OwnerID, record.AutomationType),
    Subject: null,
  }
  const { Reason, Subject } = found
  if (Reason === undefined) return null
  const isSame = record.Problem?.Reason === Reason && record.Problem.Subject === Subject
  return { Reason, Subject, Since: isSame ? (record.Problem?.Since ?? now) : now, Until: null }
}
