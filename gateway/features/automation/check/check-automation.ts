import { may } from '../../../../contract/features.ts'
import type { automations, Finding } from '../../../../contract/procedures/automations.ts'
import { FEATURE_OF_TYPE } from '../../../../contract/resources/automation.ts'
import { nextRuns } from '../../../../contract/rules/automation/schedule-clock.ts'
import type { Handler } from '../../../context.ts'
import { GatewayError } from '../../../errors.ts'
import { sunOf } from '../../../lib/sun.ts'
import { type Db, sql } from '../../../store/db.ts'
import { catchingOf } from '../automation/catching.ts'
import { findGone } from '../automation/find-gone.ts'
import { ruleOf } from '../automation/stored-rule.ts'
import { homeKeyOf, readPlaces } from '../engine/places.ts'
import type { AutomationPorts } from '../ports.ts'
import { loadDevices } from '../targets.ts'
import { type AskedDevice, findFindings } from './find-findings.ts'
import { readOtherRules } from './other-rules.ts'

/** Runs of a schedule that an editor shows. */
const SHOWN = 5

/** What is worth knowing of a rule before it is saved. Of automations that the person may not read only that there are such. */
export const checkAutomation =
  ({
    slowestMainMeter,
  }: Pick<AutomationPorts, 'slowestMainMeter'>): Handler<typeof automations.checkAutomation> =>
  async ({ AutomationID, ...input }, { db, actor, clock }) => {
    const now = clock.now()
    const home = { tenant: actor.tenant, homeId: input.HomeID }
    const [found] = await db.query<{ isPlaced: boolean }>(sql`
    select latitude is not null and longitude is not null as "isPlaced" from homes
    where tenant = ${home.tenant} and home_id = ${home.homeId}`)
    const place = (await readPlaces(db, [home], sunOf)).get(homeKeyOf(home))
    if (!found || !place) throw new GatewayError('NOT_FOUND', `Home ${input.HomeID} does not exist`)
    const rule = ruleOf({ ...input, Catching: await catchingOf(db, home, input) })
    const uids = (rule.Conditions?.PeripheralUIDs ?? []).map(({ PeripheralUID }) => PeripheralUID)
    const gone = await findGone(db, home, rule)
    const findings = findFindings({
      rule,
      others: await readOtherRules(db, home, { id: AutomationID, rule }),
      asked: new Map((await readAsked(db, home, uids)).map((device) => [device.uid, device])),
      gone: [
        ...new Set(
          gone.map(({ Reason, Subject }) =>
            Reason === 'deviceGone' || Reason === 'fieldGone' ? Subject : null,
          ),
        ),
      ],
      place,
      isPlaced: found.isPlaced,
      slowestMainMeter: rule.Alarm?.Shed ? await slowestMainMeter(db, home, now) : undefined,
      now,
    })
    return {
      Findings: findings.map(({ Kind, PeripheralUID = null, At = null, other, Wins }): Finding => ({
        Kind,
        PeripheralUID,
        Other: other && may(actor, FEATURE_OF_TYPE[other.AutomationType], 'Read') ? other : null,
        At,
        ...(Wins && { Wins }),
      })),
      NextRuns: rule.Schedule ? nextRuns(rule.Schedule, now, SHOWN, place) : [],
    }
  }

async function readAsked(
  db: Db,
  home: { tenant: string; homeId: string },
  uids: readonly string[],
): Promise<AskedDevice[]> {
  const devices = await loadDevices(db, home, { uids })
  const rows = await db.query<{ uid: string; seconds: number }>(sql`
    select peripheral_uid as uid, power_meter_update_frequency as seconds from peripherals
    where tenant = ${home.tenant} and peripheral_uid = any(${[...uids]}::text[])`)
  const frequencies = new Map(rows.map(({ uid, seconds }) => [uid, seconds]))
  return devices.map((device) => ({ ...device, frequency: frequencies.get(device.uid) ?? 0 }))
}
