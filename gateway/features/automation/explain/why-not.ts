import { may } from '../../../../contract/kernel/permissions.ts'
import { type HeldRule, type Run } from '../../../../contract/automation/run-calls.ts'
import { AUTOMATION_TYPES, FEATURE_OF_TYPE } from '../../../../contract/automation/automation.ts'
import type { Actor } from '../../../kernel/context.ts'
import { type Db, type Sql, sql } from '../../../kernel/db.ts'
import { automationStateOf } from '../rules/store.ts'
import { nearlyAbout, readableRuns, readRuns } from '../runs/list-runs.ts'
import { rulesSetting, type SetDevice } from '../runs/rules-setting.ts'

/** Maximum numbers of automations and of near misses in the answer. */
const TOLD = { held: 20, nearly: 10 }
/** Time span of near misses, ms. */
const LOOKBACK_MS = 7 * 86_400_000

const ofTypes = (actor: Actor): Sql =>
  sql`a.automation_type = any(${AUTOMATION_TYPES.filter((type) => may(actor, FEATURE_OF_TYPE[type], 'Read'))}::smallint[])`

interface Row extends Pick<HeldRule, 'AutomationID' | 'AutomationType' | 'AutomationName'> {
  Enabled: boolean
  Problem: Parameters<typeof automationStateOf>[0]['Problem']
  pause: { at: number; until: number | null } | null
}

/**
 * Automations, readable by the caller, that would set a device but cannot act now: disabled, suspended, broken, paused, or in a
 * home whose automations are paused. Alarms still act in a paused home.
 *
 * now  epoch ms
 */
export async function listHeldRules(
  db: Db,
  actor: Actor,
  device: SetDevice,
  now: number,
): Promise<HeldRule[]> {
  const rows = await db.query<Row>(sql`
    select a.automation_id as "AutomationID", a.automation_type as "AutomationType", a.automation_name as "AutomationName",
      a.enabled as "Enabled", a.problem as "Problem",
      case when a.automation_type <> 4 and p.home_id is not null then jsonb_build_object('at', p.at, 'until', p.until) end as pause
    from automations a left join automation_pauses p on p.tenant = a.tenant and p.home_id = a.home_id
      and (p.until is null or p.until > ${now}::bigint)
    where a.tenant = ${device.tenant} and a.home_id = ${device.homeId} and ${ofTypes(actor)} and ${rulesSetting(device)}
      and (not a.enabled or a.problem is not null or (p.home_id is not null and a.automation_type <> 4))
    order by lower(a.automation_name), a.automation_id limit ${TOLD.held}::int`)
  return rows.map(({ Enabled, Problem, pause, ...named }) => {
    const state = automationStateOf({ Enabled, Problem })
    if (state === 'disabled')
      return { ...named, State: state, Reason: null, Subject: null, Since: null, Until: null }
    if (state !== 'ready' && Problem) {
      const { Reason, Subject, Since, Until } = Problem
      return { ...named, State: state, Reason, Subject, Since, Until }
    }
    const rests = { Since: pause?.at ?? null, Until: pause?.until ?? null }
    return { ...named, State: 'homePaused', Reason: null, Subject: null, ...rests }
  })
}

/** Latest missed runs and near misses of automations that set a device or have it in their conditions. */
export const listNearMisses = (db: Db, actor: Actor, device: SetDevice, now: number): Promise<Run[]> =>
  readRuns(db, device.tenant, {
    tail: sql`${readableRuns(actor)} and r.home_id = ${device.homeId} and r.began_at >= ${now - LOOKBACK_MS}::bigint
      and ${nearlyAbout(device)} order by r.began_at desc, r.run_id desc limit ${TOLD.nearly}::int`,
    now,
  })
