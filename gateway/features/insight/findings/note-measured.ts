import type { MeasuredSaving } from '../../../../contract/procedures/findings.ts'
import { type Db, sql } from '../../../store/db.ts'

/**
 * Writes what a measurement of a finding that was done came to, and with it its state. From then on the same may be found again.
 *
 * seen     the version that was measured
 * returns  false where it has changed since, or is not waiting for a measurement
 */
export async function noteMeasured(
  db: Db,
  key: { tenant: string; HomeID: string; FindingID: string; seen: number },
  measured: MeasuredSaving,
): Promise<boolean> {
  const rows = await db.query(sql`
    update findings set verified = ${JSON.stringify(measured)}::jsonb, state = ${measured.Verdict}, is_live = false,
      version = version + 1
    where tenant = ${key.tenant} and home_id = ${key.HomeID} and finding_id = ${key.FindingID}::uuid and version = ${key.seen}
      and state in ('done', 'tooUncertain')
    returning 1`)
  return rows.length > 0
}
