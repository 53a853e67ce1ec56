import type { Finding } from '../../../../contract/findings/calls.ts'
import { displayName } from '../../../../contract/kernel/text.ts'
import { formatDay } from '../../../../contract/time/periods.ts'
import { type FindingKind, TO_DO } from '../../../../contract/findings/finding-life.ts'
import { sql } from '../../../kernel/db.ts'

/** Columns of a finding `f`, with the names of its place and owner. */
export const COLUMNS = sql`f.finding_id as "FindingID", f.home_id as "HomeID", f.kind as "Kind",
  f.room_id as "RoomID", f.meter_id as "MeterID",
  coalesce(p.peripheral_name, case when f.meter_id is null then r.room_name end) as "PlaceName",
  f.from_day as "From", f.through_day as "Through", f.kwh as "kWh", f.amount as "Amount", f.low as "Low", f.high as "High",
  (s.saving -> 'counted' ->> f.finding_id::text)::float8 as "Counted",
  f.confidence as "Confidence", f.why as "Why", f.state as "State", f.owner as "Owner",
  case when o.cognito_id is not null then jsonb_build_object('FirstName', o.first_name, 'LastName', o.last_name,
    'nickname', o.nickname, 'Email', '') end as owner,
  f.due as "Due", f.reason as "Reason", f.until as "Until", f.done_on as "DoneOn", f.first_seen as "FirstSeen",
  f.last_seen as "LastSeen", f.verified as "Verified", f.version as "Version"`
export const FROM = sql`findings f
  left join peripherals p on p.tenant = f.tenant and p.peripheral_uid = split_part(f.meter_id, '.', 1)
  left join rooms r on r.tenant = f.tenant and r.home_id = f.home_id and r.room_id = f.room_id
  left join home_savings s on s.tenant = f.tenant and s.home_id = f.home_id
  left join users o on o.tenant = f.tenant and o.cognito_id = f.owner`

type Days = 'From' | 'Through' | 'FirstSeen' | 'LastSeen'
type MaybeDays = 'Due' | 'Until' | 'DoneOn'
type Named = Parameters<typeof displayName>[0]
/** A row of COLUMNS; days as `dayOf` numbers them. */
export type FindingRow = Omit<
  Finding,
  Days | MaybeDays | 'Place' | 'Evidence' | 'ToDo' | 'OwnerName' | 'Counted'
> &
  Record<Days, number> &
  Record<MaybeDays, number | null> & {
    RoomID: number | null
    MeterID: string | null
    owner: Named | null
    Counted: number | null
  }

const dateOf = (day: number | null): string | null => (day === null ? null : formatDay(day))

/** A finding as calls return it. */
export const findingOf = ({
  RoomID,
  MeterID,
  From,
  Through,
  FirstSeen,
  LastSeen,
  owner,
  Counted,
  ...row
}: FindingRow): Finding => ({
  ...row,
  ...(Counted !== null && { Counted }),
  Place: { RoomID, MeterID },
  // The query leaves the email empty, so that it is never used as a name.
  OwnerName: (owner && displayName(owner)) || null,
  From: formatDay(From),
  Through: formatDay(Through),
  Evidence: `/insight/${row.HomeID}?finding=${row.FindingID}`,
  ToDo: [...TO_DO[row.Kind satisfies FindingKind]],
  Due: dateOf(row.Due),
  Until: dateOf(row.Until),
  DoneOn: dateOf(row.DoneOn),
  FirstSeen: formatDay(FirstSeen),
  LastSeen: formatDay(LastSeen),
})
