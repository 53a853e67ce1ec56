import {
  type Access,
  decide,
  FEATURES,
  GENERAL_ACCESS,
  OPERATIONS,
  right,
  SOMEWHERE,
  type PermissionSubject,
} from '../../../contract/kernel/permissions.ts'
import { type Sql, sql } from '../../kernel/db.ts'

/** All access values of the policy. */
const ALL_ACCESS: readonly Access[] = [
  ...GENERAL_ACCESS,
  ...FEATURES.flatMap((feature) => OPERATIONS.map((operation) => right(feature, operation))),
]

/** Form in which access is stored with a notification, e.g. `device.Read`. */
export const accessKey = (access: Access): string =>
  typeof access === 'string' ? access : `${access.feature}.${access.operation}`

/** Access of a row; rows from before release 1.2 store none, so it is derived from their subject. */
const ACCESS_OF_ROW = sql`coalesce(access, case
  when category = 'alarm' then
    case when values ->> 'kind' in ('rule', 'ahead') then 'power_meter_alarm.Read' else 'device.Read' end
  when category = 'guard' then 'power_meter_alarm.Read'
  when category = 'automation' then
    case when path like '/updateAlarm/%' then 'power_meter_alarm.Read'
      when path like '/updateSmartLink/%' then 'smart_link.Read' else 'schedule.Read' end
  when kind = 'broadcast' then case when home_id is null then 'signed-in' else 'homes' end
  when kind = 'channelFailed' then 'company.Update'
  else 'device.Read' end)`

/** Condition on notifications that the user has the right to read now. A right that is granted again shows them again. */
export const isReadableBy = (person: PermissionSubject): Sql =>
  sql`${ACCESS_OF_ROW} = any(${ALL_ACCESS.filter((access) => decide(access, person, SOMEWHERE) === true).map(accessKey)}::text[])`
