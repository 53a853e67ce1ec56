import type { AlarmReading } from '../../../../contract/alarms/calls.ts'
import type { AlarmLife } from './alarm-life.ts'
import type { AlarmSeverity } from '../../../../contract/kernel/severity.ts'
import type { Escalation, NotifySettings } from '../../../../contract/automation/alarm-part.ts'
import type { EmitAlarmTransition } from '../../../domain/alarms/rule-alarms.ts'
import { idArray } from '../../../store/sql.ts'
import { type Db, named, raw, type Sql, sql } from '../../../kernel/db.ts'
import type { AlarmSubject } from './signals.ts'

/** A reading as stored; 1.1.0 stored no value of the time when it was raised. */
export type StoredReading = AlarmReading & { Raised?: number | null }

/** A stored alarm, with the columns of its life. */
export interface AlarmRow extends AlarmSubject {
  alarmId: string
  severity: AlarmSeverity
  values: Readonly<Record<string, number>>
  readings: readonly StoredReading[]
  count: number
  raises: readonly number[]
  chattering: boolean
  told: boolean
  inhibited: boolean
  /** Name of the device or hub when the alarm was raised. */
  subjectName: string | null
  notify: NotifySettings | null
  escalate: readonly Escalation[]
  raisedAt: number
  reportedAt: number
  acknowledgedAt: number | null
  shelvedUntil: number | null
  clearedAt: number | null
  clearedBy: string | null
}

/** Column, name in code, and type. */
const COLUMNS = [
  ['alarm_id', 'alarmId', 'uuid'],
  ['tenant', 'tenant', 'uuid'],
  ['home_id', 'homeId', 'text'],
  ['source', 'source', 'text'],
  ['kind', 'kind', 'text'],
  ['peripheral_uid', 'peripheralUid', 'text'],
  ['peripheral_type', 'peripheralType', 'text'],
  ['thing_name', 'thingName', 'text'],
  ['automation_id', 'automationId', 'text'],
  ['automation_name', 'automationName', 'text'],
  ['subject_name', 'subjectName', 'text'],
  ['severity', 'severity', 'text'],
  ['values', 'values', 'jsonb'],
  ['readings', 'readings', 'jsonb'],
  ['count', 'count', 'integer'],
  ['raises', 'raises', 'jsonb'],
  ['chattering', 'chattering', 'boolean'],
  ['told', 'told', 'boolean'],
  ['inhibited', 'inhibited', 'boolean'],
  ['notify', 'notify', 'jsonb'],
  ['escalate', 'escalate', 'jsonb'],
  ['raised_at', 'raisedAt', 'bigint'],
  ['reported_at', 'reportedAt', 'bigint'],
  ['acknowledged_at', 'acknowledgedAt', 'bigint'],
  ['shelved_until', 'shelvedUntil', 'bigint'],
  ['cleared_at', 'clearedAt', 'bigint'],
  ['cleared_by', 'clearedBy', 'text'],
] as const satisfies readonly (readonly [string, keyof AlarmRow, string])[]

/** The columns of alarms `a`. */
export const ALARM_COLUMNS = raw(COLUMNS.map(([column, name]) => `a.${column} as "${name}"`).join(', '))
/** Rows as a recordset parameter of a statement, with the names in code. */
const recordset = (rows: readonly object[]) =>
  sql`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (${raw(COLUMNS.map(([, name, type]) => `"${name}" ${type}`).join(', '))})`

export const alarmLifeOf = (row: AlarmRow): AlarmLife => ({
  severity: row.severity,
  count: row.count,
  raises: row.raises,
  isChattering: row.chattering,
  isNotified: row.told,
  isAcknowledged: row.acknowledgedAt !== null,
  isShelved: row.shelvedUntil !== null,
  isInhibited: row.inhibited,
  cleared: row.clearedAt === null ? null : { at: row.clearedAt, isByPerson: row.clearedBy !== null },
})

/** A row after a step of its life. Actions of people write person and time themselves. */
export const applyAlarmLife = (row: AlarmRow, life: AlarmLife): AlarmRow => ({
  ...row,
  severity: life.severity,
  count: life.count,
  raises: life.raises,
  chattering: life.isChattering,
  told: life.isNotified,
  inhibited: life.isInhibited,
  acknowledgedAt: life.isAcknowledged ? row.acknowledgedAt : null,
  shelvedUntil: life.isShelved ? row.shelvedUntil : null,
  clearedAt: life.cleared?.at ?? null,
})

/** Key of a source in the result of `readNewest`. */
export const sourceKey = ({ tenant, source }: Pick<AlarmSubject, 'tenant' | 'source'>): string =>
  `${tenant}/${source}`

/**
 * The newest alarm of each source; open ones take precedence.
 *
 * isLocked  locks the rows until the transaction ends
 */
export async function readNewest(
  tx: Db,
  sources: readonly Pick<AlarmSubject, 'tenant' | 'source'>[],
  isLocked: boolean,
): Promise<ReadonlyMap<string, AlarmRow>> {
  const rows = await tx.query<AlarmRow>({
    name: isLocked ? 'alarms-newest-held' : 'alarms-newest',
    text: `select ${ALARM_COLUMNS.text} from unnest($1::uuid[], $2::text[]) as d (tenant, source)
      cross join lateral (select n.alarm_id from alarms n where n.tenant = d.tenant and n.source = d.source
        order by n.cleared_at is null desc, n.reported_at desc limit 1) as newest
      join alarms a on a.alarm_id = newest.alarm_id
      order by a.tenant, a.source collate "C"${isLocked ? ' for no key update of a' : ''}`,
    values: [idArray(sources.map(({ tenant }) => tenant)), idArray(sources.map(({ source }) => source))],
  })
  return new Map(rows.map((row) => [sourceKey(row), row]))
}

/** Locks alarms by a condition on `a`; skips those that are locked already. */
export const lockAlarms = (tx: Db, where: Sql, limit: number): Promise<AlarmRow[]> =>
  tx.query<AlarmRow>(
    sql`select ${ALARM_COLUMNS} from alarms a where ${where} order by a.alarm_id limit ${limit}::int for no key update of a skip locked`,
  )

/** Inserts alarms; returns the ids of those inserted. An open alarm of the same source is left unchanged. */
export async function insertAlarms(tx: Db, rows: readonly AlarmRow[]): Promise<ReadonlySet<string>> {
  if (rows.length === 0) return new Set()
  const columns = raw(COLUMNS.map(([column]) => column).join(', '))
  const values = raw(COLUMNS.map(([, name]) => `r."${name}"`).join(', '))
  const inserted = await tx.query<{ id: string }>(
    named(
      'alarms-insert',
      sql`
    insert into alarms (${columns}) select ${values} from ${recordset(rows)}
    on conflict (tenant, source, key) where cleared_at is null do nothing returning alarm_id as id`,
    ),
  )
  return new Set(inserted.map(({ id }) => id))
}

/** Updates locked alarms; also removes the data of an acknowledgement or shelving that has ended. */
export async function updateAlarms(tx: Db, rows: readonly AlarmRow[]): Promise<void> {
  if (rows.length === 0) return
  await tx.query(
    named(
      'alarms-update',
      sql`
    update alarms a set severity = r.severity, values = r.values, readings = r.readings, count = r.count, raises = r.raises,
      chattering = r.chattering, told = r.told, inhibited = r.inhibited, notify = r.notify, escalate = r.escalate,
      automation_name = r."automationName", reported_at = r."reportedAt", cleared_at = r."clearedAt",
      acknowledged_at = r."acknowledgedAt",
      acknowledged_by = case when r."acknowledgedAt" is not null then a.acknowledged_by end,
      comment = case when r."acknowledgedAt" is not null then a.comment end,
      shelved_until = r."shelvedUntil",
      shelved_by = case when r."shelvedUntil" is not null then a.shelved_by end,
      shelved_at = case when r."shelvedUntil" is not null then a.shelved_at end,
      shelved_reason = case when r."shelvedUntil" is not null then a.shelved_reason end
    from ${recordset(rows)} where a.alarm_id = r."alarmId"`,
    ),
  )
}

/** Transition of an alarm, as published to screens. */
export const transitionOf = (
  {
    tenant,
    homeId,
    kind,
    alarmId,
    severity,
  }: Pick<AlarmRow, 'tenant' | 'homeId' | 'kind' | 'alarmId' | 'severity'>,
  News: EmitAlarmTransition['alarm']['News'],
  Timestamp: number,
): EmitAlarmTransition => ({
  tenant,
  homeId,
  kind,
  alarm: { AlarmID: alarmId, Severity: severity, News, Timestamp },
})
