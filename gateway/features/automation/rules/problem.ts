import type { Automation, AutomationProblem } from '../../../../contract/automation/automation.ts'
import type { Db } from '../../../store/db.ts'
import { findMissingTargets } from './missing-targets.ts'
import { ownerProblem } from './owner.ts'
import { setsDevices, type RuleOfAutomation } from './stored-rule.ts'

type Judged = RuleOfAutomation & Pick<Automation, 'HomeID' | 'AutomationType' | 'OwnerID' | 'Problem'>

/** What is wrong with an automation now: something that it names is gone, or nobody answers for it; null when it may act. */
export async function currentProblem(
  db: Db,
  tenant: string,
  record: Judged,
  now: number,
): Promise<AutomationProblem | null> {
  const [gone] = await findMissingTargets(db, { tenant, homeId: record.HomeID }, record)
  // What only tells acts with nobody's rights.
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
