import type { findings } from '../../../../contract/findings/calls.ts'
import type { ResultsOf } from '../../../../contract/kernel/define-endpoint.ts'
import { formatDay } from '../../../../contract/time/periods.ts'
import type { Handler } from '../../../kernel/context.ts'
import { sql } from '../../../kernel/db.ts'
import { findingOf } from './finding-rows.ts'
import { findingById } from './list-findings.ts'

type Call = typeof findings.getFindingEvidence
type Proof = ResultsOf<Call>

/** §GetFindingEvidence: as of the last detection of the finding, or of its completion. */
export const getFindingEvidence: Handler<Call> = async ({ HomeID, FindingID }, { db, actor }) => {
  const finding = findingOf(await findingById(db, actor.tenant, HomeID, FindingID))
  const [kept] = await db.query<{ evidence: Pick<Proof, 'Unit' | 'Days'>; bill: Proof['Bill'] }>(sql`
    select evidence, bill from findings where tenant = ${actor.tenant} and finding_id = ${FindingID}::uuid`)
  const claims = await db.query<{ MeterID: string; name: string | null; from: number; kWh: number[] }>(sql`
    select c.meter_id as "MeterID", p.peripheral_name as name, c.from_day as from, c.kwh as "kWh" from finding_claims c
    left join peripherals p on p.tenant = ${actor.tenant} and p.peripheral_uid = split_part(c.meter_id, '.', 1)
    where c.finding_id = ${FindingID}::uuid order by 1`)
  return {
    Finding: finding,
    Unit: kept?.evidence.Unit ?? 'kWh',
    Days: kept?.evidence.Days ?? [],
    Claims: claims.map(({ MeterID, name, from, kWh }) => ({
      MeterID,
      Name: name,
      Days: kWh.map((one, i) => ({ Date: formatDay(from + i), kWh: one })),
    })),
    Bill: kept?.bill ?? null,
  }
}
