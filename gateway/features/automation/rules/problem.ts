import {
  type Automation,
  type AutomationProblem,
  type AutomationType,
  FEATURE_OF_TYPE,
} from '../../../../contract/automation/automation.ts'
import { type Db, sql } from '../../../kernel/db.ts'
import { may, type Permission, type PermissionSubject } from '../../../../contract/kernel/permissions.ts'
import { findMissingTargets } from './check-rule.ts'
import { setsDevices, type RuleOfAutomation } from './stored-rule.ts'

/** Whether a person may own automations of a type that set devices: they need to control devices and read that type. */
export const mayAnswerFor = (person: PermissionSubject, type: AutomationType): boolean =>
  may(person, 'device_control', 'Control') && may(person, FEATURE_OF_TYPE[type], 'Read')

/** Problem with the owner of an automation that sets devices; undefined without one. */
async function ownerProblem(
  db: Db,
  tenant: string,
  ownerId: string | null,
  type: AutomationType,
): Promise<Extract<AutomationProblem['Reason'], 'ownerGone' | 'noRight'> | undefined> {
  const [owner] = await db.query<{ permissions: Permission[] }>(sql`select permissions from users
    where tenant = ${tenant} and cognito_id = ${ownerId}::uuid and enabled`)
  if (!owner) return 'ownerGone'
  return mayAnswerFor({ isRoot: ownerId === tenant, permissions: owner.permissions }, type)
    ? undefined
    : 'noRight'
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
    Reason: await ownerProblem(db, tenant, record.OwnerID, record.AutomationType),
    Subject: null,
  }
  const { Reason, Subject } = found
  if (Reason === undefined) return null
  const isSame = record.Problem?.Reason === Reason && record.Problem.Subject === Subject
  return { Reason, Subject, Since: isSame ? (record.Problem?.Since ?? now) : now, Until: null }
}
