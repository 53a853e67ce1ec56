import { randomUUID } from 'node:crypto'
import { alarms } from '../contract/alarms/calls.ts'
import { automation, AUTOMATION_TYPES } from '../contract/automation/automation.ts'
import { automations } from '../contract/automation/calls.ts'
import { Action } from '../contract/automation/action.ts'
import type { RequestOf, ResultsOf } from '../contract/kernel/define-endpoint.ts'
import type { RunCause } from '../contract/automation/run-states.ts'
import { runs } from '../contract/automation/run-calls.ts'
import { scene } from '../contract/automation/scene.ts'
import { bookings } from '../contract/bookings/calls.ts'
import { conferenceRoom } from '../contract/bookings/conference-room.ts'
import { peripheral } from '../contract/devices/peripheral.ts'
import { home as homeResource, type Home } from '../contract/homes/home.ts'
import { user } from '../contract/people/user.ts'
import { dayOf } from '../contract/time/periods.ts'
import { expandActions, loadTargets } from '../gateway/features/automation/targets/targets.ts'
import type { StoredReading } from '../gateway/features/alarms/state/alarm-rows.ts'
import { insertBookings, type StoredBooking } from '../gateway/features/bookings/store.ts'
import type { RunStep } from '../gateway/features/automation/runs/step.ts'
import { sunOf } from '../gateway/lib/sun.ts'
import { type Db, sql } from '../gateway/kernel/db.ts'
import { MEETINGS } from '../simulator/scenarios/office.ts'
import { chance } from '../simulator/scenarios/random.ts'
import { isWorkday, localTime, startOfDay } from '../simulator/scenarios/taiwan.ts'
import type { Call } from './api.ts'
import { copyRows } from './demo-backfill.ts'
import { type DemoLanguage, nameIn } from './demo-language.ts'

/* Past of what people and rules did: bookings, runs, alarms and the audit, as the gateway would have stored them. */

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
/** Number of days of bookings and runs, and of alarms. */
const DAYS = 62
const ALARM_DAYS = 390
const SEED = 1
/** Address of the people in the audit. */
const OFFICE_ADDRESS = '192.168.10.21'

type Rule = ResultsOf<typeof automation.operations.list>[number]

interface Person {
  CognitoId: string
  Email: string
  name: string
}

/** Row of the audit. */
interface Act {
  at: number
  by: Person
  path: string
  input: unknown
}

interface Context {
  db: Db
  /** Calls that return the names of the plan. */
  call: Call
  language: DemoLanguage
  tenant: string
  /** End of the past, epoch ms. */
  until: number
  owner: Person
  facility: Person
  operator: Person
  /** Collects the rows of the audit. */
  acts: Act[]
}

/** Stores the records of a company's past; `hasAlarms` is false for a demo without defects. */
export async function storeRecords(
  { db, call, tenant, until, language }: Pick<Context, 'db' | 'call' | 'tenant' | 'until' | 'language'>,
  hasAlarms: boolean,
): Promise<void> {
  const people = (await call(user.operations.list, {})).map(
    ({ CognitoId, Email, FirstName, LastName }): Person => ({
      CognitoId,
      Email,
      name: [FirstName, LastName]
        .filter(Boolean)
        .map((part) => nameIn(language, part))
        .join(' '),
    }),
  )
  const person = (role: string) => people.find(({ Email }) => Email.startsWith(`${role}@`)) as Person
  const [owner, facility, operator] = [person('owner'), person('facility'), person('operator')]
  const context: Context = { db, call, tenant, until, language, owner, facility, operator, acts: [] }
  const booked = await storeBookings(context)
  for (const site of await call(homeResource.operations.list, {})) {
    await storeRuns(context, site, booked)
    if (hasAlarms) await storeAlarms(context, site)
  }
  await storeActs(context)
}

/** Deletes what an interrupted run stored; the company has no other records of that time. */
export async function clearRecords(db: Db, tenant: string, until: number): Promise<void> {
  await db.query(sql`delete from automation_runs where tenant = ${tenant} and began_at < ${until}::bigint`)
  await db.query(
    sql`delete from alarms where tenant = ${tenant} and raised_at < ${until}::bigint and cleared_at is not null`,
  )
  await db.query(sql`delete from reservations where tenant = ${tenant} and end_timestamp <= ${until}::bigint`)
  await db.query(sql`delete from audit_log where tenant = ${tenant} and at < ${until}::bigint`)
}

const randomFor = (...keys: (string | number)[]): number => chance(SEED, 'records', ...keys)
const daysBefore = (until: number, count: number): number[] =>
  Array.from({ length: count }, (_, day) => startOfDay(until) - day * DAY)

/** Stores the past meetings; returns their rooms and times. */
async function storeBookings({ db, call, tenant, until, language, owner, facility, acts }: Context) {
  const booked: Pick<StoredBooking, 'ConferenceRoomID' | 'StartTimestamp' | 'EndTimestamp'>[] = []
  const rooms = await call(conferenceRoom.operations.list, {})
  const homes = await call(homeResource.operations.list, {})
  const nameOfRoom = new Map(
    rooms.map(({ ConferenceRoomID, ConferenceRoomName, HomeID, RoomID }) => [
      homes.find((site) => site.HomeID === HomeID)?.RoomList.find((room) => room.RoomID === RoomID)
        ?.RoomName ?? ConferenceRoomName,
      ConferenceRoomID,
    ]),
  )
  for (const [RoomName, ConferenceRoomID] of nameOfRoom) {
    const held = MEETINGS.filter((meeting) => meeting.RoomName === RoomName)
    const stored: StoredBooking[] = []
    for (const day of daysBefore(until, DAYS)) {
      const time = localTime(day)
      if (!isWorkday(time)) continue
      for (const { weekday, hour, minutes, ...meeting } of held) {
        const [Subject, Host] = [nameIn(language, meeting.Subject), nameIn(language, meeting.Host)]
        const StartTimestamp = day + hour * HOUR
        if (weekday !== time.weekday || StartTimestamp + minutes * MINUTE > until) continue
        const isReleased = randomFor(RoomName, time.day, hour, 'released') < 0.06
        const EndTimestamp = StartTimestamp + (isReleased ? 15 : minutes) * MINUTE
        const by = randomFor(RoomName, hour, 'by') < 0.6 ? facility : owner
        const Attendees = [owner.Email, facility.Email]
        stored.push({
          RecordID: randomUUID(),
          ConferenceRoomID,
          StartTimestamp,
          EndTimestamp,
          Subject,
          Description: '',
          Host,
          Attendees,
          Private: false,
          SeriesID: null,
          Sequence: 0,
          BookedBy: by.CognitoId,
          BookedByEmail: by.Email,
          CheckedInAt: isReleased
            ? null
            : StartTimestamp + Math.round(randomFor(day, hour, 'in') * 5) * MINUTE,
          ReleasedAt: isReleased ? EndTimestamp : null,
          RecurrenceID: null,
          Reminded: true,
        })
        acts.push({
          at: StartTimestamp - DAY - Math.round(randomFor(RoomName, day, 'ahead') * 4 * HOUR),
          by,
          path: bookings.add.path,
          input: {
            ConferenceRoomID,
            StartTimestamp,
            EndTimestamp: StartTimestamp + minutes * MINUTE,
            Subject,
            Host,
            Attendees,
          },
        })
      }
    }
    await insertBookings(db, tenant, ConferenceRoomID, stored)
    booked.push(...stored)
  }
  return booked
}

/** A past run of a rule or a scene. */
interface PastRun {
  subject: { AutomationID: string; AutomationType: number } | { SceneID: string }
  name: string
  cause: RunCause
  by: string | null
  plannedAt: number | null
  beganAt: number
  actions: readonly Action[]
  order: string
  owner: string | null
}

/** Past runs of a home's rules and scenes. */
async function pastRuns(
  context: Context,
  site: Home,
  booked: Awaited<ReturnType<typeof storeBookings>>,
): Promise<PastRun[]> {
  const { call, until, operator, acts } = context
  const { HomeID } = site
  const found: PastRun[] = []
  for (const AutomationType of AUTOMATION_TYPES)
    for (const rule of await call(automation.operations.list, { AutomationType, HomeID }))
      if (rule.Actions.length > 0)
        for (const { cause, at, isPlanned } of rule.Conditions
          ? await triggeredTimes(context, rule)
          : timesOf(rule, site, until, booked))
          found.push({
            subject: { AutomationID: rule.AutomationID, AutomationType },
            name: rule.AutomationName,
            cause,
            by: null,
            plannedAt: isPlanned ? at : null,
            beganAt: at,
            actions: parseActions(rule.Actions),
            order: rule.Order ?? 'together',
            owner: rule.OwnerID,
          })
  for (const { SceneID, SceneName, Actions, Order } of await call(scene.operations.list, { HomeID }))
    for (const day of daysBefore(until, DAYS)) {
      if (!isWorkday(localTime(day)) || randomFor(SceneName, day, 'scene') > 0.35) continue
      const beganAt = Math.round(day + (9 + 9 * randomFor(SceneName, day, 'hour')) * HOUR)
      if (beganAt > until - HOUR) continue
      found.push({
        subject: { SceneID },
        name: SceneName,
        cause: 'person',
        by: operator.name,
        plannedAt: null,
        beganAt,
        actions: parseActions(Actions),
        order: Order ?? 'together',
        owner: null,
      })
      acts.push({ at: beganAt, by: operator, path: runs.runScene.path, input: { HomeID, SceneID } })
    }
  return found
}

/** Stores the past runs of a home's rules and scenes. */
async function storeRuns(
  context: Context,
  site: Home,
  booked: Awaited<ReturnType<typeof storeBookings>>,
): Promise<void> {
  const { db, tenant, language } = context
  const { HomeID } = site
  const found = await pastRuns(context, site, booked)
  const targets = await loadTargets(
    db,
    { tenant, homeId: HomeID },
    found.flatMap(({ actions }) => actions),
  )
  const rows = found.map((run) => {
    const steps = expandActions(run.actions, targets).map(({ uid, values, after }, i): RunStep => {
      const isFailed = randomFor(run.name, run.beganAt, uid) < 0.004
      return {
        n: i + 1,
        uid,
        values,
        after,
        catchUp: false,
        end: {
          state: isFailed ? 'failed' : 'confirmed',
          reason: isFailed ? 'hubOffline' : null,
          at: run.beganAt + 900 + 40 * i,
        },
      }
    })
    const failed = steps.filter(({ end }) => end?.state === 'failed').length
    const state = failed === 0 ? 'done' : failed === steps.length ? 'failed' : 'partly'
    return { ...run, runId: randomUUID(), steps, state }
  })
  await copyRows(
    db,
    'automation_runs',
    [
      ...[
        'tenant',
        'run_id',
        'home_id',
        'automation_id',
        'automation_type',
        'scene_id',
        'name',
        'cause',
        'by_name',
      ],
      ...['owner_id', 'planned_at', 'state', 'began_at', 'ended_at', 'action_order', 'planned', 'actions'],
    ],
    rows.map(({ subject, steps, runId, ...run }) => [
      tenant,
      runId,
      HomeID,
      'SceneID' in subject ? null : subject.AutomationID,
      'SceneID' in subject ? null : subject.AutomationType,
      'SceneID' in subject ? subject.SceneID : null,
      nameIn(language, run.name),
      run.cause,
      run.by,
      run.owner,
      run.plannedAt,
      run.state,
      run.beganAt,
      run.beganAt + 1_500,
      run.order,
      JSON.stringify(run.actions),
      JSON.stringify(steps),
    ]),
  )
  await copyRows(
    db,
    'run_devices',
    ['tenant', 'run_id', 'peripheral_uid', 'began_at'],
    rows.flatMap(({ runId, beganAt, steps }) =>
      [...new Set(steps.map(({ uid }) => uid))].map((uid) => [tenant, runId, uid, beganAt]),
    ),
  )
}

const parseActions = (actions: readonly unknown[]): Action[] => actions.map((one) => Action.parse(one))

interface RunTime {
  cause: RunCause
  at: number
  isPlanned: boolean
}

/** Past times at which a rule ran by its schedule or bookings. */
function timesOf(
  rule: Rule,
  site: Home,
  until: number,
  booked: Awaited<ReturnType<typeof storeBookings>>,
): RunTime[] {
  const { Schedule, Booking } = rule
  // A run in the last hour could be the one that the rules themselves plan now.
  const isPast = ({ at }: { at: number }) => at < until - HOUR
  if (Booking) {
    const held = booked.filter(({ ConferenceRoomID }) => ConferenceRoomID === Booking.ConferenceRoomID)
    const timeOf = ({ StartTimestamp, EndTimestamp }: (typeof held)[number]) =>
      Booking.When === 'before'
        ? StartTimestamp - (Booking.Minutes ?? 0) * MINUTE
        : Booking.When === 'release'
          ? EndTimestamp + (Booking.Minutes ?? 0) * MINUTE
          : StartTimestamp + (Booking.Minutes ?? 0) * MINUTE
    return held.map((one) => ({ cause: 'booking' as const, at: timeOf(one), isPlanned: true })).filter(isPast)
  }
  const days = daysBefore(until, DAYS)
  if (Schedule && 'Weekdays' in Schedule) {
    const sun = sunOf(site)
    return days
      .filter((day) => {
        const time = localTime(day)
        return Schedule.Weekdays.includes(time.weekday) && (Schedule.Days !== 'workdays' || isWorkday(time))
      })
      .flatMap((day) => {
        const { At } = Schedule
        const minutes = typeof At === 'number' ? day + At * MINUTE : undefined
        const sunTime = typeof At === 'number' ? undefined : sun(dayOf(day, site.TimeZone))?.[At.Sun]
        const offset = typeof At === 'number' ? 0 : At.Offset * MINUTE
        const at =
          minutes ?? (sunTime === undefined ? undefined : Math.round(sunTime / MINUTE) * MINUTE + offset)
        return at === undefined ? [] : [{ cause: 'schedule' as const, at, isPlanned: true }]
      })
      .filter(isPast)
  }
  return []
}

/** Days of a dry run: those of which the states of devices are stored. */
const TRIED_DAYS = 14

/** Past times at which a rule's conditions were met, by the dry run that a person would see. */
async function triggeredTimes({ call, until }: Context, rule: Rule): Promise<RunTime[]> {
  const draft = Object.fromEntries(
    Object.entries(rule).filter(([field]) => field in automations.tryAutomation.input.shape),
  ) as RequestOf<typeof automations.tryAutomation>
  const { Runs } = await call(automations.tryAutomation, { ...draft, Days: TRIED_DAYS })
  const cause = rule.AutomationType === 4 ? ('alarm' as const) : ('condition' as const)
  return Runs.filter(({ At }) => At < until - HOUR).map(({ At }) => ({ cause, at: At, isPlanned: false }))
}

/** A past alarm's source, as `Alarm` in the contract. */
interface AlarmSource {
  kind: 'silent' | 'hubLost' | 'rule'
  source: string
  uid?: string
  type?: string
  thing?: string
  rule?: Rule
  /** Name of the device or hub; null for a rule. */
  name: string | null
}
const ALARM_KINDS = ['rule', 'silent', 'hubLost'] as const
/** Share of a home's days with an alarm. */
const ALARM_SHARE = 0.1

/** Stores alarms that are over: of silent devices, lost hubs and rules. */
async function storeAlarms(context: Context, { HomeID, HomeName }: Home): Promise<void> {
  const { db, tenant, until, facility, operator, acts } = context
  const sources = await readAlarmSources(context, HomeID)
  const rows: ReturnType<typeof alarmRow>[] = []
  for (const day of daysBefore(until, ALARM_DAYS).slice(1)) {
    const random = (what: string) => randomFor(HomeName, day, what)
    if (random('alarm') > ALARM_SHARE) continue
    const kind = ALARM_KINDS[Math.floor(random('kind') * ALARM_KINDS.length)]
    const candidates = sources.filter((source) => source.kind === kind)
    const source = candidates[Math.floor(random('source') * candidates.length)]
    if (!source) continue
    const raisedAt = Math.round(day + (8 + 12 * random('hour')) * HOUR)
    const lasts = (5 + 80 * random('minutes')) * MINUTE
    const by = random('by') < 0.5 ? facility : operator
    const acknowledged =
      random('acknowledged') < 0.7 ? { by: by.name, at: Math.round(raisedAt + lasts * 0.4) } : undefined
    const AlarmID = randomUUID()
    const clearedAt = Math.round(raisedAt + lasts)
    rows.push(alarmRow(source, { tenant, HomeID, AlarmID, raisedAt, clearedAt, acknowledged }))
    if (acknowledged)
      acts.push({ at: acknowledged.at, by, path: alarms.acknowledgeAlarm.path, input: { HomeID, AlarmID } })
  }
  await copyRows(db, 'alarms', ALARM_COLUMNS, rows)
}

async function readAlarmSources({ call, language }: Context, HomeID: string): Promise<AlarmSource[]> {
  const { Peripherals, Things } = await call(peripheral.operations.list, { HomeID })
  const rules = await call(automation.operations.list, { AutomationType: 4, HomeID })
  return [
    ...Peripherals.map(({ PeripheralUID, PeripheralType, PeripheralName }): AlarmSource => ({
      kind: 'silent',
      source: `silent:${PeripheralUID}`,
      uid: PeripheralUID,
      type: PeripheralType,
      name: nameIn(language, PeripheralName),
    })),
    ...Things.map(({ ThingName, DeviceName }): AlarmSource => ({
      kind: 'hubLost',
      source: `hubLost:${ThingName}`,
      thing: ThingName,
      name: nameIn(language, DeviceName),
    })),
    ...rules.map((rule): AlarmSource => {
      const uid = rule.Conditions?.PeripheralUIDs[0]?.PeripheralUID
      const device = Peripherals.find(({ PeripheralUID }) => PeripheralUID === uid)
      return {
        kind: 'rule',
        source: `rule:${rule.AutomationID}`,
        rule: { ...rule, AutomationName: nameIn(language, rule.AutomationName) },
        name: null,
        ...(device && { uid: device.PeripheralUID, type: device.PeripheralType }),
      }
    }),
  ]
}

const ALARM_COLUMNS = [
  ...['alarm_id', 'tenant', 'home_id', 'source', 'kind', 'peripheral_uid', 'peripheral_type', 'thing_name'],
  ...[
    'automation_id',
    'automation_name',
    'subject_name',
    'severity',
    'values',
    'readings',
    'raises',
    'raised_at',
  ],
  ...['reported_at', 'acknowledged_by', 'acknowledged_at', 'cleared_at', 'told'],
]

interface AlarmLife {
  tenant: string
  HomeID: string
  AlarmID: string
  raisedAt: number
  clearedAt: number
  acknowledged: { by: string; at: number } | undefined
}

/** Row of an alarm that is over, in the order of `ALARM_COLUMNS`. */
function alarmRow(
  { kind, source, uid, type, thing, rule, name }: AlarmSource,
  { tenant, HomeID, AlarmID, raisedAt, clearedAt, acknowledged }: AlarmLife,
) {
  return [
    ...[AlarmID, tenant, HomeID, source, kind, uid, type, thing],
    ...[rule?.AutomationID, rule?.AutomationName, name],
    kind === 'hubLost' ? 'critical' : (rule?.Alarm?.Severity ?? 'warning'),
    '{}',
    JSON.stringify(rule ? readingsOf(rule) : []),
    JSON.stringify([raisedAt]),
    ...[raisedAt, clearedAt, acknowledged?.by, acknowledged?.at, clearedAt, true],
  ]
}

/** Readings of a rule's alarm, a little beyond its limit. */
function readingsOf({ Conditions }: Rule): StoredReading[] {
  const [condition] = Conditions?.PeripheralUIDs ?? []
  if (typeof condition?.Status !== 'number' || condition.Logical === 'changed') return []
  const { Field, Logical, Status: Limit } = condition
  const value = Limit * (Logical === '<' ? 0.6 : 1.06)
  return [{ Field, Logical, Limit, Value: value, Peak: value, CrossesAt: null, Raised: value }]
}

const storeActs = ({ db, tenant, acts }: Context): Promise<void> =>
  copyRows(
    db,
    'audit_log',
    ['tenant', 'at', 'cognito_id', 'by_name', 'ip', 'request_id', 'path', 'input'],
    acts
      .toSorted((a, b) => a.at - b.at)
      .map(({ at, by, path, input }) => [
        tenant,
        at,
        by.CognitoId,
        by.name,
        OFFICE_ADDRESS,
        randomUUID(),
        path,
        JSON.stringify(input),
      ]),
  )
