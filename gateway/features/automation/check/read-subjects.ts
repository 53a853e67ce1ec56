import { VIRTUAL_PREFIX } from '../../../../contract/meters/virtual-meter.ts'
import { HOME_SUBJECT } from '../../../../contract/automation/condition.ts'
import { type Db, sql } from '../../../kernel/db.ts'
import type { RuleOfAutomation } from '../rules/stored-rule.ts'
import type { EngineHomeKey } from '../rules/ports.ts'
import type { Sources, SourcesOf } from '../rules/ports.ts'
import { loadDevices } from '../targets/targets.ts'
import type { CheckedDevice, SubjectFacts } from './condition-findings.ts'

/** Whether a subject of a condition is computed from several meters. */
const isComputed = (uid: string): boolean => uid === HOME_SUBJECT || uid.startsWith(VIRTUAL_PREFIX)

/** Reads the known facts about the subjects of a home's rule conditions at a time, epoch ms. */
export async function readSubjects(
  db: Db,
  sourcesOf: SourcesOf,
  home: EngineHomeKey,
  rules: readonly Pick<RuleOfAutomation, 'Conditions'>[],
  now: number,
): Promise<SubjectFacts> {
  const uids = [
    ...new Set(
      rules.flatMap(({ Conditions }) =>
        (Conditions?.PeripheralUIDs ?? []).map(({ PeripheralUID }) => PeripheralUID),
      ),
    ),
  ]
  const asked = await readDevices(
    db,
    home,
    uids.filter((uid) => !isComputed(uid)),
  )
  const sources = new Map<string, Sources>()
  for (const uid of uids.filter(isComputed)) sources.set(uid, await sourcesOf(home, uid, now))
  return { asked: new Map(asked.map((device) => [device.uid, device])), sources }
}

async function readDevices(db: Db, home: EngineHomeKey, uids: readonly string[]): Promise<CheckedDevice[]> {
  if (uids.length === 0) return []
  const devices = await loadDevices(db, home, { uids })
  const rows = await db.query<{ uid: string; seconds: number }>(sql`
    select peripheral_uid as uid, power_meter_update_frequency as seconds from peripherals
    where tenant = ${home.tenant} and peripheral_uid = any(${[...uids]}::text[])`)
  const frequencies = new Map(rows.map(({ uid, seconds }) => [uid, seconds]))
  return devices.map((device) => ({ ...device, frequency: frequencies.get(device.uid) ?? 0 }))
}
