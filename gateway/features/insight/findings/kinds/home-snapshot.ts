import type { HeadlineGap } from '../../../../../contract/findings/calls.ts'
import { formatDay, quartersOfDay, startOfDay } from '../../../../../contract/time/periods.ts'
import { resolvedShare, FEATURE_DAYS } from '../../../../domain/energy/resolved-hours.ts'
import {
  type DetectedFinding,
  type DetectedPlace,
  type PreviousFinding,
  EVIDENCE,
} from '../../logic/detected.ts'
import {
  type FindingKind,
  CLAIM_DAYS,
  type Claim,
  type ClaimedMeter,
} from '../../../../../contract/findings/finding-life.ts'
import { type Db, sql } from '../../../../kernel/db.ts'
import type { HomeClock } from '../../../../domain/homes/find-home.ts'
import type {
  InsightPorts,
  LoadDay,
  MeterDayFeatures,
  SavingBills,
  StandingMeter,
  YearBills,
} from '../../logic/ports.ts'

/** Runs the work on the first call, and returns the same promise from then on. */
function memoize<T>(task: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined
  return () => (result ??= task())
}

/** A device that findings use in addition to meters. */
export interface RoomDevice {
  PeripheralUID: string
  type: string
  name: string
  RoomID: number
}

/** Detector of one kind of finding in a home. */
export type FindingDetector = (snapshot: HomeSnapshot) => Promise<DetectedFinding[]>

/** Data of a home up to a day that detectors use; the methods read on first use. */
export interface HomeSnapshot {
  db: Db
  tenant: string
  home: HomeClock
  /** The claimed days: the last 28 finished ones, the last exclusive; as `dayOf` numbers days. */
  from: number
  end: number
  now: number
  ports: InsightPorts
  meters: readonly StandingMeter[]
  /** Load meters without a meter below them. */
  leafMeters: readonly StandingMeter[]
  /** Energy that the home bought on the claimed days. */
  profile: ReadonlyMap<number, LoadDay>
  bills: SavingBills | null
  /** Measured share of the claimed days; by the hour if the home's prices depend on it. */
  share: number
  /** Data missing for any statement about the claimed days of the home; null if nothing is missing. */
  lack: Lack | null
  offPeakDays: ReadonlySet<number>
  /** Daily features by MeterID, of the last `FEATURE_DAYS` days, in order. */
  features(): Promise<ReadonlyMap<string, readonly MeterDayFeatures[]>>
  /** Energy of some meters on the claimed days, by MeterID and day; cached. */
  loads(ids: readonly string[]): Promise<ReadonlyMap<string, ReadonlyMap<number, LoadDay>>>
  devices(): Promise<readonly RoomDevice[]>
  /** Previous finding of a kind and place. */
  previousFinding(kind: FindingKind, place: DetectedPlace): PreviousFinding
}

/** The bills of 12 months; undefined if they allow no advice. */
export const adviceYear = ({ bills }: Pick<HomeSnapshot, 'bills'>): YearBills | undefined =>
  bills?.year && bills.year.refusal === null ? bills.year : undefined

/** Data missing for a home, or for a part of the examination. */
export type Lack = Omit<HeadlineGap, 'HomeID'>

interface SnapshotOptions {
  db: Db
  ports: InsightPorts
  tenant: string
  home: HomeClock
  /** The last day, exclusive. */
  end: number
  now: number
}

/** Reads the basic data of a home; the rest is read on demand. */
export async function createHomeSnapshot({
  db,
  ports,
  tenant,
  home,
  end,
  now,
}: SnapshotOptions): Promise<HomeSnapshot> {
  const from = end - CLAIM_DAYS
  const { energy } = ports
  const meters = await energy.readStandingMeters(tenant, home)
  const above = new Set(meters.map(({ parent }) => parent))
  const memory = await remembering(db, tenant, home.HomeID)
  const profile = await energy.loadProfile(tenant, home, from, end)
  const billing = await ports.readBilling(db, tenant, home)
  const share = measuredShare(profile.values(), billing.versionOn(end - 1)?.Kind === 'timeOfUse')
  const read = new Map<string, ReadonlyMap<number, LoadDay>>()
  return {
    db,
    tenant,
    home,
    from,
    end,
    now,
    ports,
    meters,
    leafMeters: meters.filter(({ MeterID, role }) => role === 'load' && !above.has(MeterID)),
    profile,
    bills: await ports.readSavingBills(tenant, home),
    share,
    lack: lackOf(await energy.readFirstDay(tenant, home), from, end, share, profile),
    offPeakDays: billing.offPeakDays,
    features: memoize(() => energy.readDayFeatures(tenant, home, end - FEATURE_DAYS, end)),
    async loads(ids) {
      const missing = ids.filter((id) => !read.has(id))
      if (missing.length) {
        const found = await energy.readLoads(tenant, home, from, end, new Set(missing))
        for (const id of missing) read.set(id, found.get(id) ?? new Map())
      }
      return new Map(ids.map((id) => [id, read.get(id) as ReadonlyMap<number, LoadDay>]))
    },
    devices: memoize(() =>
      db.query<RoomDevice>(sql`
        select peripheral_uid as "PeripheralUID", peripheral_type as type, peripheral_name as name, coalesce(room_id, 0) as "RoomID"
        from peripherals where tenant = ${tenant} and home_id = ${home.HomeID} order by 1`),
    ),
    previousFinding: (kind, place) => memory.get(findingKey(kind, place)) ?? { memory: null, factor: 1 },
  }
}

/** Key of a kind and place. */
export const findingKey = (kind: string, { RoomID, MeterID }: DetectedPlace): string =>
  JSON.stringify([kind, RoomID, MeterID])

async function remembering(db: Db, tenant: string, HomeID: string): Promise<Map<string, PreviousFinding>> {
  const rows = await db.query<DetectedPlace & PreviousFinding & { kind: string }>(sql`
    select coalesce(f.kind, t.kind) as kind, coalesce(f.room_id, t.room_id) as "RoomID",
      coalesce(f.meter_id, t.meter_id) as "MeterID", f.memory, coalesce(t.factor, 1) as factor
    from (select * from findings where tenant = ${tenant} and home_id = ${HomeID} and is_live) f
    full join (select * from finding_thresholds where tenant = ${tenant} and home_id = ${HomeID}) t
      on t.kind = f.kind and coalesce(t.room_id, -1) = coalesce(f.room_id, -1) and coalesce(t.meter_id, '') = coalesce(f.meter_id, '')`)
  return new Map(
    rows.map(({ kind, memory, factor, ...place }) => [findingKey(kind, place), { memory, factor }]),
  )
}

/** The claimed days in order. */
export const claimedDays = ({ from, end }: Pick<HomeSnapshot, 'from' | 'end'>): number[] =>
  Array.from({ length: end - from }, (_, i) => from + i)

/** Start times of the intervals of the claimed days, epoch ms, by day. */
export const startsOf = (snapshot: Pick<HomeSnapshot, 'from' | 'end' | 'home'>): number[][] =>
  claimedDays(snapshot).map((day) => {
    const start = startOfDay(day, snapshot.home.zone)
    return Array.from({ length: quartersOfDay(day, snapshot.home.zone) }, (_, i) => start + i * 900_000)
  })

/** Concatenates the intervals of days. */
export function withoutGaps(days: readonly ArrayLike<number>[]): Float64Array {
  const all = new Float64Array(days.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const day of days) {
    all.set(Array.from(day), at)
    at += day.length
  }
  return all
}

/** Estimated unmetered energy counts as known, as far as the meters that it is derived from are known. */
const knownOf = ({ isUnmetered, known, complete }: LoadDay): number => (isUnmetered ? known : complete)

/**
 * The measured share of some days, 0 to 1: measured, between two readings on time or corrected, but not estimated.
 *
 * byHour  counts only hours that were measured, or corrected at hourly or finer resolution
 */
export function measuredShare(days: Iterable<LoadDay>, byHour: boolean): number {
  let [measured, total] = [0, 0]
  for (const day of days) {
    measured += byHour && !day.isUnmetered ? resolvedShare([day]) * day.total : knownOf(day)
    total += day.total
  }
  return total ? Math.min(1, measured / total) : 0
}

/** Whether the hours of a meter are measured well enough for a finding; days before its installation count as missing. */
export function hasHours(snapshot: HomeSnapshot, of: ReadonlyMap<number, LoadDay> | undefined): boolean {
  let [resolved, due] = [0, 0]
  for (const day of claimedDays(snapshot)) {
    due += quartersOfDay(day, snapshot.home.zone)
    const hours = of?.get(day)?.resolved ?? []
    for (let i = 0; i < hours.length; i++) resolved += hours[i] as number
  }
  return due > 0 && resolved / due >= EVIDENCE.share
}

/** Finds the data that a home is missing for any statement about some days. */
function lackOf(
  first: number | undefined,
  from: number,
  end: number,
  share: number,
  profile: ReadonlyMap<number, LoadDay>,
): Lack | null {
  const availableDays = first === undefined ? 0 : Math.max(0, end - first)
  if (availableDays < EVIDENCE.days)
    return {
      Reason: 'days',
      Have: availableDays,
      Needed: EVIDENCE.days,
      EnoughOn: first === undefined ? null : formatDay(first + EVIDENCE.days),
    }
  if (share >= EVIDENCE.share) return null
  // Each finished day from now on replaces one of these.
  const days = Math.ceil((EVIDENCE.share - share) * EVIDENCE.days)
  const hasGaps = [...profile.values()].some((day) => day.total > 0 && knownOf(day) < day.total)
  return {
    Reason: 'coverage',
    Have: share,
    Needed: EVIDENCE.share,
    EnoughOn: hasGaps ? formatDay(from + EVIDENCE.days + days) : null,
  }
}

/**
 * Data missing to examine the meters of a home one by one: for nine in ten of its loads, nine in ten of the claimed
 * days must be measured, and the hours of as many nights. With less, "nothing found" would say more than is known.
 */
export async function lacksOfMeters(snapshot: HomeSnapshot): Promise<Lack[]> {
  const loads = snapshot.meters.filter(({ role }) => role === 'load')
  if (loads.length === 0) return []
  const features = await snapshot.features()
  const minDays = EVIDENCE.share * EVIDENCE.days
  const countMeters = (isEnough: (day: MeterDayFeatures) => boolean) =>
    loads.filter(
      ({ MeterID }) =>
        (features.get(MeterID) ?? []).filter((day) => day.day >= snapshot.from && isEnough(day)).length >=
        minDays,
    ).length
  const lack = (Reason: Lack['Reason'], Have: number): Lack[] =>
    Have < EVIDENCE.share * loads.length ? [{ Reason, Have, Needed: loads.length, EnoughOn: null }] : []
  const days = lack(
    'meters',
    countMeters(({ known }) => known >= EVIDENCE.share),
  )
  // Without enough days there are not enough nights either.
  return days.length
    ? days
    : lack(
        'nights',
        countMeters(({ baseKw }) => baseKw !== null),
      )
}

/** The claimed meters with all meters above them, and their energy on the claimed days. */
export async function claimedMeters(
  snapshot: HomeSnapshot,
  claims: readonly Pick<Claim, 'meter'>[],
): Promise<ClaimedMeter[]> {
  const known = new Map(snapshot.meters.map((meter) => [meter.MeterID, meter]))
  const meterIds = new Set<string>()
  for (const { meter } of claims)
    for (
      let at = known.get(meter);
      at && !meterIds.has(at.MeterID);
      at = at.parent === null ? undefined : known.get(at.parent)
    )
      meterIds.add(at.MeterID)
  const loads = await snapshot.loads([...meterIds])
  return [...meterIds].map((MeterID) => ({
    meter: MeterID,
    parent: known.get(MeterID)?.parent ?? null,
    kWh: withoutGaps(
      claimedDays(snapshot).map(
        (day) =>
          loads.get(MeterID)?.get(day)?.kWh ?? new Float64Array(quartersOfDay(day, snapshot.home.zone)),
      ),
    ),
  }))
}
