import { right, type Access } from '../../../../contract/kernel/permissions.ts'
import { unitOf } from '../../../../contract/devices/kinds/history-fields.ts'
import type { AlarmKind, AlarmReading } from '../../../../contract/alarms/calls.ts'
import { HOME_MEASURES, METER_SUMS } from '../../../../contract/automation/condition.ts'
import { isFireReported } from '../../../../contract/alarms/alarm-states.ts'
import { LIFE_SAFETY, type NotificationEvent } from '../../../domain/notifications/notification-transport.ts'
import type { Recipients } from '../../../../contract/automation/alarm-part.ts'
import { troublesOf } from '../../../../contract/devices/device-health.ts'
import { choiceOf } from '../../../../contract/devices/kinds/field-shape.ts'
import { idArray } from '../../../store/sql.ts'
import { type Db, named, sql } from '../../../kernel/db.ts'
import type { AlarmRow } from './alarm-rows.ts'
import type { AlarmSubject } from './signals.ts'
import { alarmsOnSilentSources } from './silent-sources.ts'

/** Facts for notifications of an alarm, in addition to its row. */
export interface AlarmFacts {
  homeName: string
  /** Current name of the device or hub; null if deleted, and for a home as a whole. */
  subjectName: string | null
  /** Name of the room that the device or hub is in; null without one. */
  roomName: string | null
  /** Whether the device or hub exists. */
  isThere: boolean
  isMaintained: boolean
  /** Whether the alarm of a rule depends on silent sources: in maintenance, or behind a lost hub. */
  isSourceSilent: boolean
}

/** Whether an alarm is of a rule, which determines the right to see it. */
export const isOfRule = (kind: AlarmKind): boolean => kind === 'rule' || kind === 'ahead'

/** Whether a stored alarm endangers life. */
export const endangersLife = ({
  kind,
  peripheralType,
  values,
}: Pick<AlarmRow, 'kind' | 'peripheralType' | 'values'>): boolean =>
  kind === 'state' &&
  peripheralType !== null &&
  isFireReported({ PeripheralType: peripheralType, Values: values })

/** The right to see alarms of a kind. */
export const accessOf = (kind: AlarmKind): Access =>
  isOfRule(kind) ? right('power_meter_alarm', 'Read') : right('device', 'Read')

type FactSubject = Pick<
  AlarmSubject,
  'tenant' | 'homeId' | 'peripheralUid' | 'thingName' | 'automationId'
> & {
  readings?: readonly AlarmReading[]
}

/** Facts for each subject, in their order; undefined if its home was deleted. `now` in epoch ms, for maintenance. */
export async function loadAlarmFacts(
  tx: Db,
  subjects: readonly FactSubject[],
  now: number,
): Promise<readonly (AlarmFacts | undefined)[]> {
  if (subjects.length === 0) return []
  const columnOf = (pick: (subject: (typeof subjects)[number]) => string | null) =>
    idArray(subjects.map((one) => pick(one)))
  const rows = await tx.query<Omit<AlarmFacts, 'isSourceSilent'> & { i: number }>(
    // With arrays the planner expects few rows, and looks each up instead of scanning whole tables.
    named(
      'alarm-facts',
      sql`
    select r.i::int - 1 as i, h.home_name as "homeName",
      coalesce(p.peripheral_name, t.device_name, v.virtual_meter_name) as "subjectName",
      o.room_name as "roomName",
      p.peripheral_uid is not null or t.thing_name is not null as "isThere",
      exists (select from maintenances m where m.tenant = r.tenant and m.home_id = r.home and m.ended_at is null
        and m.until > ${now}::bigint and (m.scope = 'home' or m.scope = 'hub' and m.subject = coalesce(r.thing, p.thing_name)
          or m.scope = 'device' and m.subject = r.uid)) as "isMaintained"
    from unnest(${columnOf(({ tenant }) => tenant)}::uuid[], ${columnOf(({ homeId }) => homeId)}::text[],
      ${columnOf(({ peripheralUid }) => peripheralUid)}::text[], ${columnOf(({ thingName }) => thingName)}::text[])
      with ordinality as r (tenant, home, uid, thing, i)
    join homes h on h.tenant = r.tenant and h.home_id = r.home
    left join peripherals p on p.tenant = r.tenant and p.peripheral_uid = r.uid
    left join things t on t.tenant = r.tenant and t.thing_name = r.thing
    left join rooms o on o.tenant = r.tenant and o.home_id = r.home and o.room_id = coalesce(p.room_id, t.room_id)
    left join virtual_meters v on v.tenant = r.tenant and v.virtual_meter_id = r.uid`,
    ),
  )
  const found: (AlarmFacts | undefined)[] = subjects.map(() => undefined)
  const areSourcesSilent = await alarmsOnSilentSources(
    tx,
    subjects.map(({ readings = [], ...subject }) => ({ ...subject, readings })),
    now,
  )
  for (const { i, ...facts } of rows) found[i] = { ...facts, isSourceSilent: areSourcesSilent[i] ?? false }
  return found
}

type AlarmNotice = Extract<NotificationEvent['kind'], `alarm${string}`>

/**
 * Notification of an alarm.
 *
 * at        time of the event, epoch ms
 * onlyTo      recipients among those who may read it; by default the rule's own choice
 * channels  company channels that receive it regardless of their settings
 */
export function notificationOf(
  row: AlarmRow,
  { homeName, ...facts }: Pick<AlarmFacts, 'homeName' | 'subjectName' | 'roomName'>,
  {
    kind,
    isSent,
    at,
    onlyTo,
    channels = [],
  }: { kind: AlarmNotice; isSent: boolean; at: number; onlyTo?: Recipients; channels?: readonly string[] },
): NotificationEvent {
  const to = onlyTo ?? row.notify?.To ?? 'readers'
  const subjectName = facts.subjectName ?? row.subjectName
  const isCleared = kind === 'alarmCleared'
  return {
    tenant: row.tenant,
    homeId: row.homeId,
    category: 'alarm',
    severity: isCleared ? 'info' : row.severity,
    kind,
    alarmId: row.alarmId,
    values: {
      kind: row.kind,
      subject: isOfRule(row.kind) ? row.automationName : (subjectName ?? row.peripheralUid ?? row.thingName),
      home: homeName,
      ...(facts.roomName !== null && { room: facts.roomName }),
      ...(endangersLife(row) && { [LIFE_SAFETY]: 1 }),
      severity: row.severity,
      count: row.count,
      ...detailsOf(row, subjectName),
      ...(row.notify?.Text && { text: row.notify.Text }),
    },
    path: `/Alarm/${row.homeId}?tab=live&alarm=${row.alarmId}`,
    to: {
      access: accessOf(row.kind),
      ...(to !== 'readers' && { users: to.Users, departments: to.Departments }),
      ...(channels.length > 0 && { channels }),
    },
    topic: `alarm:${row.alarmId}`,
    at,
    ...(!isSent && { unsent: true }),
    ...(!isCleared && row.acknowledgedAt === null && { canAcknowledge: true }),
  }
}

/** Values for the sentence of the alarm's kind. */
function detailsOf(row: AlarmRow, subjectName: string | null): NotificationEvent['values'] {
  const { kind, peripheralType, readings, reportedAt } = row
  if (kind === 'state') return stateDetails(row)
  if (kind === 'silent' || kind === 'hubLost') return { since: reportedAt, peripheralType }
  const [reading] = readings
  return {
    ...(isOfRule(kind) && { device: subjectName }),
    ...(peripheralType !== null && { peripheralType }),
    ...(reading && readingDetails(reading)),
  }
}

/** The most severe field of a state. */
function stateDetails({
  peripheralType,
  peripheralUid,
  values,
  reportedAt,
}: AlarmRow): NotificationEvent['values'] {
  const PeripheralType = peripheralType ?? ''
  const { troubles } = troublesOf(
    { PeripheralType },
    {
      PeripheralUID: peripheralUid ?? '',
      PeripheralType,
      Timestamp: reportedAt,
      updateAt: reportedAt,
      ...values,
    },
  )
  const worst =
    troubles.find(
      ({ capability, field, value }) => choiceOf(capability.choices?.[field] ?? [], value)?.[2] === 'alarm',
    ) ?? troubles[0]
  return {
    peripheralType,
    field: worst?.field ?? null,
    value: typeof worst?.value === 'number' ? worst.value : null,
  }
}

const readingDetails = ({
  Field,
  Logical,
  Limit,
  Value,
  CrossesAt,
}: AlarmReading): NotificationEvent['values'] => ({
  field: Field,
  value: Value,
  logical: Logical,
  limit: crossedLimit(Limit, Value),
  unit: UNITS[Field] ?? unitOf(Field),
  ...(CrossesAt !== null && { crossesAt: CrossesAt }),
})

/** Units of quantities that no device reports. */
const UNITS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(METER_SUMS.map((field) => [field, 'kWh'])),
  ...Object.fromEntries(HOME_MEASURES.map((field) => [field, field === 'DemandShare' ? '%' : 'kW'])),
  SilentFor: 's',
}

/** The one of two limits that a value exceeds. */
const crossedLimit = (limit: AlarmReading['Limit'], value: number | null): number =>
  !Array.isArray(limit) ? limit : value !== null && value < limit[0] ? limit[0] : limit[1]
