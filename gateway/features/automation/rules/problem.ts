import {
  type Automation,
  type AutomationProblem,
  type AutomationType,
  FEATURE_OF_TYPE,
} from '../../../../contract/automation/automation.ts'
import { SUBJECT_COLUMNS } from '../../../domain/identity/subject.ts'
import { type Db, sql } from '../../../kernel/db.ts'
import { may, type PermissionSubject } from '../../../../contract/kernel/permissions.ts'
import { findMissingTargets } from './check-rule.ts'
import { setsDevices, type RuleOfAutomation } from './stored-rule.ts'

/** Whether a person may own automations of a type that set devices of a home: they need to control devices and read that type. */
export const mayAnswerFor = (person: PermissionSubject, type: AutomationType, HomeID: string): boolean =>
  may(person, 'device_control', 'Control', HomeID) && may(person, FEATURE_OF_TYPE[type], 'Read', HomeID)

/** Problem with the owner of an automation that sets devices; undefined without one. */
async function ownerProblem(
  db: Db,
  tenant: string,
  { HomeID, AutomationType: type, OwnerID }: Judged,
): Promise<Extract<AutomationProblem['Reason'], 'ownerGone' | 'noRight'> | undefined> {
  const [owner] = await db.query<PermissionSubject>(sql`select ${SUBJECT_COLUMNS} from users u
    where tenant = ${tenant} and cognito_id = ${OwnerID}::uuid and enabled`)
  if (!owner) return 'ownerGone'
  return mayAnswerFor(owner, type, HomeID) ? undefined : 'noRight'
}

type Judged = RuleOfAutomation & Pick<Automation, 'HomeID' | 'AutomationType' | 'OwnerID' | 'Problem'>

/** Present problem of an automation: a missing target, or an owner without the right; null if it may act. */
export async function currentProblem(
  db: Db,
  tenant: string,
  record: Judged,
  now: number,
): Promise<AutomationProblem | null> {
  const [missing] = await findMissingTargets(db, { tenant, homeId: record.HomeID }, record)
  // A rule that only notifies needs no owner's rights.
  if (!missing && !setsDevices(record)) return null
  const found = missing ?? {
    Reason: await ownerProblem(db, tenant, record),
    Subject: null,
  }
  const { Reason, Subject } = found
  if (Reason === undefined) return null
  const isSame = record.Problem?.Reason === Reason && record.Problem.Subject === Subject
  return { Reason, Subject, Since: isSame ? (record.Problem?.Since ?? now) : now, Until: null }
}
