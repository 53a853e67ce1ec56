import { may, type Permission, type PermissionSubject } from '../../../../contract/kernel/permissions.ts'
import {
  type AutomationProblem,
  type AutomationType,
  FEATURE_OF_TYPE,
} from '../../../../contract/automation/automation.ts'
import { type Db, sql } from '../../../kernel/db.ts'

/** Whether a person may own automations of a type that set devices: they need to control devices and read that type. */
export const mayAnswerFor = (person: PermissionSubject, type: AutomationType): boolean =>
  may(person, 'device_control', 'Control') && may(person, FEATURE_OF_TYPE[type], 'Read')

/** Problem with the owner of an automation that sets devices; undefined without one. */
export async function ownerProblem(
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
