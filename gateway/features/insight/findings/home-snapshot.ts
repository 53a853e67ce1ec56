import type { HeadlineGap } from '../../../../contract/findings/calls.ts'
import { formatDay, quartersOfDay, startOfDay } from '../../../../contract/time/periods.ts'
import { resolvedShare } from '../../../domain/energy/resolved-hours.ts'
import type { DetectedFinding, DetectedPlace, PreviousFinding } from '../logic/detected.ts'
import { EVIDENCE } from '../logic/evidence.ts'
import type { FindingKind } from '../../../../contract/findings/finding-life.ts'
import { CLAIM_DAYS, type Claim, type ClaimedMeter } from '../../../../contract/findings/saving.ts'
import { type Db, sql } from '../../../store/db.ts'
import { memoize } from '../../../lib/memoize.ts'
import type {
  HomeClock,
  InsightPorts,
  LoadDay,
  MeterDayFeatures,
  SavingBills,
  StandingMeter,
} from '../ports.ts'

/** A device that findings look at beside meters. */
export interface RoomDevice {
  PeripheralUID: string
  type: string
  name: string
  RoomID: number
}

/** Looks for what a kind finds in a home. */
export type FindingDetector = (look: HomeSnapshot) => Promise<DetectedFinding[]>

/** Everything that kinds look at of a home, up to a day; each is read when it is first asked for. */
export interface HomeSnapshot {
  db: Db
  tenant: string
  home: HomeClock
  /** The claimed days: the last 28 whole ones, the last exclusive; as `dayOf` numbers days. */
  from: number
  end: number
  now: number
  ports: InsightPorts
  meters: readonly StandingMeter[]
  /** Those of them that stand above none, of loads. */
  leaves: readonly StandingMeter[]
  /** What the home bought on the claimed days. */
  profile: ReadonlyMap<number, LoadDay>
  bills: SavingBills | null
  /** The share of the claimed days that is measured, as the home's prices ask for it: by the hour where they depend on it. */
  share: number
  /** Data missing for any statement about the claimed days of the home; null if nothing is missing. */
  lack: Lack | null
  offPeakDays: ReadonlySet<number>
  /** By MeterID, over the last 120 days, in order. */
  features(): Promise<ReadonlyMap<string, readonly MeterDayFeatures[]>>
  /** The energy of some meters on the claimed days, by MeterID and day; what was read once is not read again. */
  loads(ids: readonly string[]): Promise<ReadonlyMap<string, ReadonlyMap<number, LoadDay>>>
  devices(): Promise<readonly RoomDevice[]>
  /** What is remembered of a kind and place. */
  remembered(kind: FindingKind, place: DetectedPlace): PreviousFinding
}

/** Data missing for a home, or for a part of what is examined. */
export type Lack = Omit<HeadlineGap, 'HomeID'>

/** Days that features are read of. */
const FEATURE_DAYS = 113

interface LookOptions {
  db: Db
  ports: InsightPorts
  tenant: string
  home: HomeClock
  /** The last day, exclusive. */
  end: number
  now: number
}

/** Begins to look at a home. */
export async function createHomeSnapshot({
  db,
  ports,
  tenant,
  home,
  end,
  now,
}: LookOptions): Promise<HomeSnapshot> {
  const from = end - CLAIM_DAYS
  const { energy } = ports
  const meters = await energy.standingMeters(tenant, home)
  const above = new Set(meters.map(({ parent }) => parent))
  const memory = await remembering(db, tenant, home.HomeID)
  const profile = await energy.loadProfile(tenant, home, from, end)
  const billing = await ports.billingOf(db, tenant, home)
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
    leaves: meters.filter(({ MeterID, role }) => role === 'load' && !above.has(MeterID)),
    profile,
    bills: await ports.savingBillsOf(tenant, home),
    share,
    lack: lackOf(await energy.firstDay(tenant, home), from, end, share, profile),
    offPeakDays: billing.offPeakDays,
    features: memoize(() => energy.dayFeatures(tenant, home, end - FEATURE_DAYS, end)),
    async loads(ids) {
      const missing = ids.filter((id) => !read.has(id))
      if (missing.length) {
        const found = await energy.loadOfEach(tenant, home, from, end, new Set(missing))
        for (const id of missing) read.set(id, found.get(id) ?? new Map())
      }
      return new Map(ids.map((id) => [id, read.get(id) as ReadonlyMap<number, LoadDay>]))
    },
    devices: memoize(() =>
      db.query<RoomDevice>(sql`
        select peripheral_uid as "PeripheralUID", peripheral_type as type, peripheral_name as name, coalesce(room_id, 0) as "RoomID"
        from peripherals where tenant = ${tenant} and home_id = ${home.HomeID} order by 1`),
    ),
    remembered: (kind, place) => memory.get(findingKey(kind, place)) ?? { memory: null, factor: 1 },
  }
}

/** One text for a kind and a place. */
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

/** The intervals of the claimed days, by their beginnings, epoch ms, day by day. */
export const startsOf = (look: Pick<HomeSnapshot, 'from' | 'end' | 'home'>): number[][] =>
  claimedDays(look).map((day) => {
    const start = startOfDay(day, look.home.zone)
    return Array.from({ length: quartersOfDay(day, look.home.zone) }, (_, i) => start + i * 900_000)
  })

/** Energy by day as one row of intervals. */
export function withoutGaps(days: readonly ArrayLike<number>[]): Float64Array {
  const all = new Float64Array(days.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const day of days) {
    all.set(Array.from(day), at)
    at += day.length
  }
  return all
}

/** Energy of which no meter saw when it was bought is known as well as the meters that it follows from. */
const knownOf = ({ isUnmetered, known, complete }: LoadDay): number => (isUnmetered ? known : complete)

/**
 * The share of some days that is measured, 0 to 1: measured, between two readings on time or corrected, but not estimated.
 *
 * byHour  counts only hours that were measured, or corrected by the hour or less
 */
export function measuredShare(days: Iterable<LoadDay>, byHour: boolean): number {
  let [measured, total] = [0, 0]
  for (const day of days) {
    measured += byHour && !day.isUnmetered ? resolvedShare([day]) * day.total : knownOf(day)
    total += day.total
  }
  return total ? Math.min(1, measured / total) : 0
}

/** Whether the hours of the claimed days of a meter are measured well enough for a finding: all of them, also before it was there. */
export function hasHours(look: HomeSnapshot, of: ReadonlyMap<number, LoadDay> | undefined): boolean {
  let [resolved, due] = [0, 0]
  for (const day of claimedDays(look)) {
    due += quartersOfDay(day, look.home.zone)
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
  const have = first === undefined ? 0 : Math.max(0, end - first)
  if (have < EVIDENCE.days)
    return {
      Reason: 'days',
      Have: have,
      Needed: EVIDENCE.days,
      EnoughOn: first === undefined ? null : formatDay(first + EVIDENCE.days),
    }
  if (share >= EVIDENCE.share) return null
  // Each whole day from now on takes the place of one of these.
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
 * Data missing to examine the meters of a home one by one: for nine in ten of its loads, nine in ten of the claimed days must be
 * measured, and the hours of as many nights. With less, "nothing found" would say more than is known.
 */
export async function lacksOfMeters(look: HomeSnapshot): Promise<Lack[]> {
  const loads = look.meters.filter(({ role }) => role === 'load')
  if (loads.length === 0) return []
  const features = await look.features()
  const least = EVIDENCE.share * EVIDENCE.days
  const enough = (isEnough: (day: MeterDayFeatures) => boolean) =>
    loads.filter(
      ({ MeterID }) =>
        (features.get(MeterID) ?? []).filter((day) => day.day >= look.from && isEnough(day)).length >= least,
    ).length
  const lack = (Reason: Lack['Reason'], Have: number): Lack[] =>
    Have < EVIDENCE.share * loads.length ? [{ Reason, Have, Needed: loads.length, EnoughOn: null }] : []
  const days = lack(
    'meters',
    enough(({ known }) => known >= EVIDENCE.share),
  )
  // Who lacks the days lacks their nights as well.
  return days.length
    ? days
    : lack(
        'nights',
        enough(({ baseKw }) => baseKw !== null),
      )
}

/** The claimed meters with all that stand above them, and what each counted on the claimed days. */
export async function claimedMeters(
  look: HomeSnapshot,
  claims: readonly Pick<Claim, 'meter'>[],
): Promise<ClaimedMeter[]> {
  const known = new Map(look.meters.map((meter) => [meter.MeterID, meter]))
  const wanted = new Set<string>()
  for (const { meter } of claims)
    for (
      let at = known.get(meter);
      at && !wanted.has(at.MeterID);
      at = at.parent === null ? undefined : known.get(at.parent)
    )
      wanted.add(at.MeterID)
  const loads = await look.loads([...wanted])
  return [...wanted].map((MeterID) => ({
    meter: MeterID,
    parent: known.get(MeterID)?.parent ?? null,
    kWh: withoutGaps(
      claimedDays(look).map(
        (day) => loads.get(MeterID)?.get(day)?.kWh ?? new Float64Array(quartersOfDay(day, look.home.zone)),
      ),
    ),
  }))
}
