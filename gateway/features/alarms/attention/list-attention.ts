import { type attention, MAX_ATTENTION_ITEMS } from '../../../../contract/attention/calls.ts'
import { may, right } from '../../../../contract/kernel/permissions.ts'
import {
  attentionOf,
  type AttentionFacts,
  hasStoppedReporting,
  type WatchedDevice,
} from '../../../../contract/attention/attention.ts'
import type { Severity } from '../../../../contract/kernel/severity.ts'
import type { Handler } from '../../../kernel/context.ts'
import { findHome, type HomeClock } from '../../../domain/homes/find-home.ts'
import { isVisibleTo, columnsAt, ALARM_LIST_SOURCE, IS_CURRENT } from '../state/list-alarms.ts'
import { deviceTypes } from '../../../../contract/devices/kinds/registry.ts'
import type { DeviceStatus } from '../../../../contract/devices/kinds/status.ts'
import type { Alarm, Maintenance } from '../../../../contract/alarms/calls.ts'
import { Thing, type ThingWithState } from '../../../../contract/devices/thing.ts'
import { alarmTypes, meterSilentAfter } from '../../../../contract/alarms/alarm-states.ts'
import type { QuarantinedFact, DemandFact } from '../../../../contract/attention/attention-item.ts'
import { columnsOf, inHomes } from '../../../store/sql.ts'
import { type Db, type Sql, sql } from '../../../kernel/db.ts'
import { HOME_MEASURES, HOME_SUBJECT } from '../../../../contract/automation/condition.ts'
import { FIRST_DECISION_MS } from '../../../../contract/automation/load-shedding.ts'
import { QUARTER_MS } from '../../../../contract/time/periods.ts'

/** Data that other features provide about energy and tariffs. */
export interface DemandPorts {
  /** Forecast demand of the current quarter of an hour, kW; time of its data, and the longest report interval of its meters, s. */
  readDemand(
    tenant: string,
    homeId: string,
    at: number,
  ): Promise<{ forecast: number | null; asOf: number | null; slowest: number | null }>
  /** The homes with a contract. */
  homesWithContract(db: Db, tenant: string): Promise<HomeClock[]>
  /** Contract capacity of a home at a time, kW. */
  readCapacity(db: Db, tenant: string, home: HomeClock, at: number): Promise<number | null>
}

/** Number of homes queried concurrently. */
const MAX_CONCURRENT = 4

/**
 * Forecast demand of the homes with a contract in the current quarter of an hour; none while it is too early for a
 * forecast.
 *
 * canSeeRules  whether the person may see alarms of rules of a home: only then those replace the forecast
 */
export async function readDemands(
  db: Db,
  { readDemand, homesWithContract, readCapacity }: DemandPorts,
  { tenant, homes: visible, canSeeRules }: AttentionScope & { canSeeRules: (homeId: string) => boolean },
  now: number,
): Promise<DemandFact[]> {
  if (now % QUARTER_MS < FIRST_DECISION_MS) return []
  const homes = (await homesWithContract(db, tenant)).filter(
    ({ HomeID }) => visible === null || visible.includes(HomeID),
  )
  const homesWithRules = homes.some(({ HomeID }) => canSeeRules(HomeID))
    ? await readHomesWithRules(db, tenant)
    : new Set<string>()
  const facts: DemandFact[] = []
  for (let i = 0; i < homes.length; i += MAX_CONCURRENT)
    facts.push(
      ...(await Promise.all(
        homes
          .slice(i, i + MAX_CONCURRENT)
          .map((home) =>
            homesWithRules.has(home.HomeID) && canSeeRules(home.HomeID)
              ? { HomeID: home.HomeID, Forecast: null, Limit: null, IsRuled: true }
              : readDemandOfHome(home),
          ),
      )),
    )
  return facts

  async function readDemandOfHome(home: HomeClock): Promise<DemandFact> {
    const Limit = await readCapacity(db, tenant, home, now)
    const Forecast = Limit === null ? null : freshForecast(await readDemand(tenant, home.HomeID, now), now)
    return { HomeID: home.HomeID, Forecast, Limit, IsRuled: false }
  }
}

/** The forecast, unless one of its meters is silent. */
function freshForecast(
  { forecast, asOf, slowest }: Awaited<ReturnType<DemandPorts['readDemand']>>,
  now: number,
): number | null {
  if (asOf === null || slowest === null) return null
  return now - asOf < meterSilentAfter({ PowerMeterUpdateFrequency: slowest }) ? forecast : null
}

/** The homes with an enabled alarm rule on their demand. */
async function readHomesWithRules(db: Db, tenant: string): Promise<ReadonlySet<string>> {
  const rows = await db.query<{ HomeID: string }>(sql`
    select distinct home_id as "HomeID" from automations u
    where tenant = ${tenant} and automation_type = 4 and enabled and problem is null and exists (
      select from jsonb_array_elements(u.rule #> '{Conditions,PeripheralUIDs}') as c
      where c ->> 'PeripheralUID' = ${HOME_SUBJECT} and c ->> 'Field' = any(${[...HOME_MEASURES]}::text[]))`)
  return new Set(rows.map(({ HomeID }) => HomeID))
}

/** Maximum number of open alarms read; beyond it the devices' statuses decide. */
const MAX_ALARMS = 2_000

/**
 * Types for which the values of any report may decide: types with alarm states, and Modbus types, which are meters
 * once they have a counter.
 */
const TYPES_WITH_OWN_STATE = [
  ...new Set([
    ...alarmTypes,
    ...deviceTypes.filter(({ category }) => category === 'ModBus').map(({ type }) => type),
  ]),
]

type Row = WatchedDevice & { addedAt: number; timestamp: number | null; values: object | null }

/** Homes of a company; null means all. */
interface AttentionScope {
  tenant: string
  homes: readonly string[] | null
}
const homeCondition = ({ homes }: AttentionScope, column: Sql): Sql => sql`and ${inHomes(homes, column)}`

/**
 * Hubs and devices, as far as they decide whether they need attention. Equivalent devices are represented by one of
 * them, with their oldest report; if that one is silent, they are examined one by one.
 *
 * source  `GetAllDeviceWithPeripheral` returns all of them
 */
async function readDevices(
  db: Db,
  scope: AttentionScope,
  now: number,
): Promise<Pick<AttentionFacts, 'hubs' | 'devices' | 'statusOf' | 'addedAt'>> {
  const [hubs, alikeRows, single] = await Promise.all([
    db.query<ThingWithState>(sql`
      select ${columnsOf(Thing, 'd')}, d.online as "Online", d.seen_at as "SeenAt"
      from things d where d.tenant = ${scope.tenant} ${homeCondition(scope, sql`d.home_id`)}`),
    readAlikeRows(db, scope, now),
    readRows(db, scope, sql`not (${isPlain(scope, now)})`),
  ])
  const keyOf = ({ ThingName, PeripheralType }: Row) => `${ThingName}/${PeripheralType}`
  const silentGroups = alikeRows.filter((row) => hasStoppedReporting(row, statusIn(row) as DeviceStatus, now))
  const silentKeys = new Set(silentGroups.map(keyOf))
  const silentRows =
    silentGroups.length === 0
      ? []
      : await readRows(
          db,
          scope,
          sql`${isPlain(scope, now)} and (p.thing_name, p.peripheral_type) in (select * from unnest(
            ${silentGroups.map(({ ThingName }) => ThingName)}::text[], ${silentGroups.map(({ PeripheralType }) => PeripheralType)}::text[]))`,
        )
  const devices = [...single, ...silentRows, ...alikeRows.filter((row) => !silentKeys.has(keyOf(row)))]
  const byUid = new Map(devices.map((row) => [row.PeripheralUID, row]))
  return {
    hubs,
    devices,
    statusOf: (uid) => statusIn(byUid.get(uid)),
    addedAt: (uid) => byUid.get(uid)?.addedAt,
  }
}

function statusIn(row: Row | undefined): DeviceStatus | undefined {
  if (!row || row.timestamp === null) return undefined
  const { PeripheralUID, PeripheralType, timestamp: Timestamp, values } = row
  return { ...values, PeripheralUID, PeripheralType, Timestamp, updateAt: Timestamp }
}

/** A condition that only the age of its report decides for device `p` with status `s`, which has no alarm and no maintenance. */
const isPlain = (
  { tenant }: AttentionScope,
  now: number,
): Sql => sql`(s.timestamp is not null and p.thing_name is not null
  and not p.peripheral_type = any(${TYPES_WITH_OWN_STATE}::text[]) and p.warning_threshold is null and p.value_limits is null
  and not s.values ? 'Battery'
  and p.peripheral_uid not in (select a.peripheral_uid from alarms a
    where a.tenant = ${tenant} and a.cleared_at is null and a.peripheral_uid is not null)
  and p.peripheral_uid not in (select m.subject from maintenances m
    where m.tenant = ${tenant} and m.scope = 'device' and m.ended_at is null and m.until > ${now}::bigint))`

const OF_DEVICES = sql`peripherals p left join device_status s on s.tenant = p.tenant and s.peripheral_uid = p.peripheral_uid`

const readRows = (db: Db, scope: AttentionScope, condition: Sql): Promise<Row[]> =>
  db.query<Row>(sql`
    select p.peripheral_uid as "PeripheralUID", p.peripheral_type as "PeripheralType", p.peripheral_name as "PeripheralName",
      p.home_id as "HomeID", p.room_id as "RoomID", p.thing_name as "ThingName",
      p.power_meter_update_frequency as "PowerMeterUpdateFrequency", p.silent_after as "SilentAfter",
      p.parent_meter as "ParentMeter", p.warning_threshold as "WarningThreshold", p.value_limits as "ValueLimits",
      p.created_at as "addedAt", s.timestamp, s.values
    from ${OF_DEVICES} where p.tenant = ${scope.tenant} ${homeCondition(scope, sql`p.home_id`)} and ${condition}`)

/** Plain devices, grouped by what decides for them. */
const readAlikeRows = (db: Db, scope: AttentionScope, now: number): Promise<Row[]> =>
  db.query<Row>(sql`
    select min(p.peripheral_uid) as "PeripheralUID", p.peripheral_type as "PeripheralType", '' as "PeripheralName",
      p.home_id as "HomeID", 0 as "RoomID", p.thing_name as "ThingName",
      p.power_meter_update_frequency as "PowerMeterUpdateFrequency", p.silent_after as "SilentAfter",
      min(p.parent_meter) as "ParentMeter", null as "WarningThreshold", null as "ValueLimits",
      0 as "addedAt", min(s.timestamp) as timestamp, null as values, count(*)::int as "Alike"
    from ${OF_DEVICES} where p.tenant = ${scope.tenant} ${homeCondition(scope, sql`p.home_id`)} and ${isPlain(scope, now)}
    group by p.home_id, p.thing_name, p.peripheral_type, p.power_meter_update_frequency, p.silent_after, p.parent_meter is null`)

/** The current alarms that a person may see, the most urgent first. */
const readCurrentAlarms = (db: Db, scope: AttentionScope, isSeen: Sql, now: number): Promise<Alarm[]> =>
  db.query<Alarm>(sql`select ${columnsAt(now)} from ${ALARM_LIST_SOURCE} where a.tenant = ${scope.tenant} ${homeCondition(scope, sql`a.home_id`)}
    and ${isSeen} and ${IS_CURRENT} order by a.place desc limit ${MAX_ALARMS}::int`)

/** Current maintenances. */
const readMaintenances = (db: Db, scope: AttentionScope, now: number): Promise<Maintenance[]> =>
  db.query<Maintenance>(sql`select maintenance_id as "MaintenanceID", home_id as "HomeID", scope as "Scope", subject as "Subject",
      until as "Until", reason as "Reason", started_by as "By", started_at as "StartedAt"
    from maintenances where tenant = ${scope.tenant} ${homeCondition(scope, sql`home_id`)} and ended_at is null and until > ${now}::bigint`)

/** The meters with readings in quarantine. */
const readQuarantined = (db: Db, scope: AttentionScope): Promise<QuarantinedFact[]> =>
  db.query<QuarantinedFact>(sql`
    select m.home_id as "HomeID", m.peripheral_uid as "MeterID", coalesce(p.peripheral_name, m.peripheral_name) as "Name",
      coalesce(p.room_id, m.room_id) as "RoomID", count(*)::int as "Count", min(q.timestamp) as "Since"
    from quarantined_readings q join meters m on m.meter_id = q.meter_id
    left join peripherals p on p.tenant = m.tenant and p.peripheral_uid = split_part(m.peripheral_uid, '.', 1)
    where q.decision is null and m.tenant = ${scope.tenant} ${homeCondition(scope, sql`m.home_id`)}
    group by 1, 2, 3, 4`)

/** Features whose items are omitted without the right to read them. */
const ITEM_FEATURES = ['device', 'power_meter_alarm', 'electricity'] as const

const NO_DEVICES = { hubs: [], devices: [], statusOf: () => undefined }

/** Lists everything that needs attention, by the shared rule, as far as the person may see it. */
export const createListAttention =
  (ports: DemandPorts): Handler<typeof attention.listAttention> =>
  async ({ HomeID }, { db, actor, clock, homes: homesWithAccess }) => {
    const { tenant } = actor
    if (HomeID !== undefined) await findHome(db, tenant, HomeID)
    const now = clock.now()
    const scope = { tenant, homes: HomeID === undefined ? homesWithAccess() : [HomeID] }
    const scopeOf = (feature: (typeof ITEM_FEATURES)[number]): AttentionScope => {
      if (HomeID === undefined) return { tenant, homes: homesWithAccess(right(feature, 'Read')) }
      return { tenant, homes: may(actor, feature, 'Read', HomeID) ? [HomeID] : [] }
    }
    const canRead = (feature: (typeof ITEM_FEATURES)[number]) => scopeOf(feature).homes?.length !== 0
    const [devices, alarms, maintenances, quarantined, demands] = await Promise.all([
      canRead('device') ? readDevices(db, scopeOf('device'), now) : NO_DEVICES,
      readCurrentAlarms(db, scope, isVisibleTo(actor), now),
      readMaintenances(db, scope, now),
      canRead('electricity') ? readQuarantined(db, scopeOf('electricity')) : [],
      canRead('electricity')
        ? readDemands(
            db,
            ports,
            {
              ...scopeOf('electricity'),
              canSeeRules: (homeId) => may(actor, 'power_meter_alarm', 'Read', homeId),
            },
            now,
          )
        : [],
    ])
    const homes = canRead('device')
      ? [...new Set([...devices.devices, ...devices.hubs, ...alarms].map((item) => item.HomeID))]
      : []
    const { Items, ...summary } = attentionOf(
      { ...devices, alarms, maintenances, quarantined, demands, homes, connected: canRead('device') },
      now,
    )
    const count = (severity: Severity) => Items.filter(({ Severity }) => Severity === severity).length
    return {
      ...summary,
      Items: Items.slice(0, MAX_ATTENTION_ITEMS),
      Counts: { critical: count('critical'), warning: count('warning'), info: count('info') },
      AsOf: now,
      Without: ITEM_FEATURES.filter((feature) => !canRead(feature)),
    }
  }
