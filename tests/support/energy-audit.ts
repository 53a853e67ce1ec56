// Independent calculation of the expected responses from meter counters. It shares no code with the product's rules.
import { stream } from '../../simulator/scenarios/random.ts'

const QUARTER = 900_000
const HOUR = 4 * QUARTER
const DAY = 24 * HOUR

export const AUDITED = { from: Date.UTC(2025, 8, 7, 16), now: Date.UTC(2025, 10, 3, 2, 7) }
export const ZONES = [
  'Asia/Taipei',
  'Europe/Berlin',
  'Asia/Kathmandu',
  'America/Santiago',
  'Australia/Lord_Howe',
] as const

/** Counter value at a time, kWh. */
export interface ShownReading {
  at: number
  kwh: number
}

export interface AuditedMeter {
  uid: string
  /** Index of the parent meter in the list. */
  parent: number | null
  room: 'default' | 'other'
  /** Valid readings, ascending; a replacement has two at the same time, and the second starts again. */
  counted: (ShownReading & { restarts?: true })[]
  /** All reported readings including faulty ones, in order of arrival. */
  arrivingReadings: ShownReading[]
  /** Times of implausible readings, which are still undecided. */
  quarantined: number[]
  replacement: { at: number; oldKwh: number; newKwh: number } | null
  corrections: { from: number; to: number; kwh: number; sharing: 'even' | 'shape'; undone: boolean }[]
  /** Time at which the device was removed. */
  removedAt: number | null
}

export interface AuditedTariff {
  validFrom: string
  /** Contract capacity from this day on. */
  regular: number
  powerFactor: number | null
  phases: 'single' | 'three'
  plan: AuditedPlan
}

type Band = 'peak' | 'semiPeak' | 'offPeak' | 'flat'
type DayType = 'weekday' | 'saturday' | 'offPeakDay'
interface AuditedSeason {
  name: 'summer' | 'nonSummer'
  prices: Partial<Record<Band, number>>
  /** Ends of windows, minutes. */
  windows: Record<DayType, [through: number, band: Band][]>
  tiers: [through: number | null, price: number][]
  regularRate: number | null
}
export interface AuditedPlan {
  name: string
  kind: 'timeOfUse' | 'tiered' | 'flat'
  powerFactor: boolean
  /** Successive price tables. */
  versions: {
    from: string
    basic: { single: number; three: number }
    surcharge: [over: number, price: number] | null
    minimum: number
    /** Day of the year on which summer ends. */
    summerThrough: string
    summer: AuditedSeason
    nonSummer: AuditedSeason
  }[]
}

export interface AuditedHome {
  zone: string
  /** Initial time zone. */
  firstZone: string
  meters: AuditedMeter[]
  tariffs: AuditedTariff[]
  billingDay: number
  billingMonths: 1 | 2
  carbon: number
}

/** Days in the analysed period that Taipower lists as off-peak: Teachers' Day, Mid-Autumn, National and Retrocession Day. */
const HOLIDAYS = new Set(['2025-09-28', '2025-10-06', '2025-10-10', '2025-10-25'])

type Random = () => number
const randomInt = (random: Random, from: number, to: number) => from + Math.floor(random() * (to - from + 1))
const oneOf = <T>(random: Random, items: readonly T[]): T => items[Math.floor(random() * items.length)] as T
const cent = (value: number) => Math.round(value * 100) / 100

/** Randomly generated home. */
export function inventHome(seed: number): AuditedHome {
  const random = stream(seed)
  const meters: AuditedMeter[] = []
  const count = randomInt(random, 1, 5)
  for (let i = 0; i < count; i++) {
    const parent = i > 0 && random() < 0.6 ? randomInt(random, 0, i - 1) : null
    meters.push(inventMeter(random, `s${seed}m${i}`, parent, random() < 0.25))
  }
  const plans = Array.from({ length: 2 }, (_, i) => inventPlan(random, `Plan ${seed}.${i}`))
  const tariffs: AuditedTariff[] = [oneOf(random, ['2025-01-01', '2025-01-01', '2025-09-21'])].map(
    (validFrom) => inventTerms(random, validFrom, plans[0] as AuditedPlan),
  )
  if (random() < 0.6)
    tariffs.push(
      inventTerms(
        random,
        `2025-10-${randomInt(random, 1, 28)}`.replace(/-(\d)$/, '-0$1'),
        oneOf(random, plans),
      ),
    )
  const zone = oneOf(random, ZONES)
  return {
    zone,
    firstZone: random() < 0.5 ? zone : oneOf(random, ZONES),
    meters,
    tariffs,
    billingDay: randomInt(random, 1, 28),
    billingMonths: oneOf(random, [1, 2]),
    carbon: oneOf(random, [0.494, 0.467]),
  }
}

const inventTerms = (random: Random, validFrom: string, plan: AuditedPlan): AuditedTariff => ({
  validFrom,
  regular: randomInt(random, 0, 40),
  powerFactor: random() < 0.5 ? null : randomInt(random, 60, 100),
  phases: oneOf(random, ['single', 'three']),
  plan,
})

function inventPlan(random: Random, name: string): AuditedPlan {
  const kind = oneOf(random, ['timeOfUse', 'timeOfUse', 'tiered', 'flat'] as const)
  const windows = (): [number, Band][] => {
    const cuts = Array.from({ length: randomInt(random, 0, 3) }, () => randomInt(random, 1, 95) * 15)
    return [...new Set([...cuts, 1440])]
      .toSorted((a, b) => a - b)
      .map((through) => [through, oneOf(random, ['peak', 'semiPeak', 'offPeak'] as const)])
  }
  const price = () => cent(0.5 + random() * 8)
  const season = (of: AuditedSeason['name']): AuditedSeason => {
    const steps = [randomInt(random, 50, 200), randomInt(random, 201, 600)]
    return {
      name: of,
      prices: kind === 'flat' ? { flat: price() } : { peak: price(), semiPeak: price(), offPeak: price() },
      windows: { weekday: windows(), saturday: windows(), offPeakDay: windows() },
      tiers: kind === 'tiered' ? [...steps, null].map((through) => [through, price()]) : [],
      regularRate: random() < 0.7 ? cent(100 + random() * 200) : null,
    }
  }
  const version = (from: string): AuditedPlan['versions'][number] => ({
    from,
    basic: { single: cent(random() * 100), three: cent(random() * 300) },
    surcharge: random() < 0.4 ? [randomInt(random, 100, 600), price()] : null,
    minimum: random() < 0.3 ? randomInt(random, 50, 5_000) : 0,
    summerThrough: oneOf(random, ['09-30', '10-15', '10-20']),
    summer: season('summer'),
    nonSummer: season('nonSummer'),
  })
  const changes = random() < 0.4 ? [`2025-10-${randomInt(random, 10, 28)}`] : []
  return {
    name,
    kind,
    powerFactor: random() < 0.7,
    versions: ['2020-01-01', ...changes].map(version),
  }
}

function inventMeter(random: Random, uid: string, parent: number | null, isRemoved: boolean): AuditedMeter {
  const { from, now } = AUDITED
  const cadence = oneOf(random, [5, 15, 15, 30, 60]) * 60_000
  const aligned = random() < 0.5
  const end = isRemoved ? from + randomInt(random, 20, 50) * DAY + randomInt(random, 0, 95) * QUARTER : now
  const counted: AuditedMeter['counted'] = []
  const faults: ShownReading[] = []
  let at = from + randomInt(random, 0, 12 * 24) * HOUR
  // In thousandths of a kWh.
  let counter = randomInt(random, 500_000, 5_000_000)
  const resetAt = random() < 0.4 ? from + randomInt(random, 15, 50) * DAY : Infinity
  const isRecorded = random() < 0.6
  let replacement: AuditedMeter['replacement'] = null
  let hasReset = false
  const power = randomInt(random, 200, 6_000)
  while (at < end) {
    counted.push({ at, kwh: counter / 1000 })
    const hole = random() < 0.004 ? randomInt(random, 2 * 60, 8 * 24 * 60) * 60_000 : 0
    const step = cadence + hole + (aligned ? 0 : randomInt(random, 0, cadence / 3))
    const next = aligned ? Math.ceil((at + step) / cadence) * cadence : at + step
    const usedWh = Math.round((power * (0.2 + 1.6 * random()) * (next - at)) / HOUR)
    if (!hasReset && next >= resetAt && next < end && counted.length > 5 && hole === 0) {
      hasReset = true
      const begin = randomInt(random, 0, 2_000)
      const until = counter + Math.round(usedWh / 3)
      if (isRecorded) {
        // Between two readings, or exactly at the old meter's last or the new one's first.
        const [moment, oldKwh] = oneOf(random, [
          [at + Math.floor((next - at) / 2), until],
          [at, counter],
          [next, until],
        ] as const)
        const newKwh = moment === next ? begin + Math.round(usedWh / 2) : begin
        replacement = { at: moment, oldKwh: oldKwh / 1000, newKwh: newKwh / 1000 }
        counted.push({ at: moment, kwh: oldKwh / 1000 }, { at: moment, kwh: newKwh / 1000, restarts: true })
      }
      counter = begin + Math.round(usedWh / 2)
    } else {
      counter += usedWh
      // An implausibly high reading, and a counter that was misread once.
      if (counted.length > 5 && hole === 0 && next < end && next - at > 2 * 60_000) {
        const draw = random()
        const moment = at + 60_000
        if (draw < 0.01) faults.push({ at: moment, kwh: 1e7 + counter })
        else if (draw < 0.02 && (counted.at(-1)?.kwh ?? 0) > 100) faults.push({ at: moment, kwh: 0.5 })
      }
    }
    at = next
  }
  const stored = counted.filter(
    (reading) => reading.at !== replacement?.at || isStored(reading, counted, replacement),
  )
  const arriving = [...stored.map(({ at: moment, kwh }) => ({ at: moment, kwh })), ...faults]
  const shuffle = oneOf(random, ['not', 'weeks', 'all'])
  const key = ({ at: moment }: ShownReading) =>
    shuffle === 'not' ? moment : shuffle === 'weeks' ? Math.floor(moment / (7 * DAY)) % 3 : random()
  const inOrder = arriving
    .toSorted((a, b) => a.at - b.at)
    .map((one) => ({ one, place: key(one) }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ one }) => one)
  return {
    uid,
    parent,
    room: oneOf(random, ['default', 'other']),
    counted,
    quarantined: faults.map(({ at: moment }) => moment),
    arrivingReadings: [...inOrder, ...inOrder.filter(() => random() < 0.02)],
    replacement,
    corrections: inventCorrections(random, counted),
    removedAt: isRemoved ? end : null,
  }
}

/** Whether a reading at the time of a replacement is stored: only one that a meter itself reported is. */
const isStored = (
  one: ShownReading & { restarts?: true },
  counted: AuditedMeter['counted'],
  replacement: AuditedMeter['replacement'],
): boolean => {
  if (one.restarts || !replacement) return false
  const sameTime = counted.filter(({ at }) => at === one.at)
  const place = sameTime.indexOf(one)
  // [reported, old, new] or [old, new, reported]; [old, new] alone was not reported.
  return sameTime.length > 2 && (sameTime[0] === one ? !sameTime[1]?.restarts : place === sameTime.length - 1)
}

function inventCorrections(random: Random, counted: readonly ShownReading[]): AuditedMeter['corrections'] {
  const [first, last] = [counted[0]?.at ?? 0, counted.at(-1)?.at ?? 0]
  const corrections: AuditedMeter['corrections'] = []
  let from = Math.ceil((first - randomInt(random, 0, 30) * HOUR) / QUARTER)
  for (;;) {
    // Some begin where another ends, within a day.
    from += random() < 0.5 ? 0 : randomInt(random, 1, 20 * 96)
    const to = from + randomInt(random, 1, oneOf(random, [4, 96, 300]))
    if (to * QUARTER > last || corrections.length > 5) return corrections
    corrections.push({
      from: from * QUARTER,
      to: to * QUARTER,
      kwh: randomInt(random, 0, 400_000) / 1000,
      sharing: oneOf(random, ['even', 'shape']),
      undone: random() < 0.25,
    })
    from = to
  }
}

/** 15-minute interval of a meter. */
interface Interval {
  kwh: number
  letter: 'm' | 'b' | 'e' | 'c' | 'q' | '-'
  fell: number
}

/** Whether the energy up to a reading is on time: at most one and a half times the usual duration around it. */
function isOnTime(counted: readonly ShownReading[], place: number): boolean {
  const moments = [...new Set(counted.map(({ at }) => at))]
  const index = moments.indexOf(counted[place]?.at ?? 0)
  const gaps = moments.map((at, i) => at - (moments[i - 1] ?? at))
  const neighbours = gaps.slice(Math.max(1, index - 4), index + 5).toSorted((a, b) => a - b)
  const median = neighbours[Math.ceil(neighbours.length / 2) - 1] ?? 0
  const usualGapMs = neighbours.length < 3 ? QUARTER : Math.min(DAY, Math.max(QUARTER, median))
  return (gaps[index] ?? 0) <= 1.5 * usualGapMs
}

/** Expected content of each interval of a meter, keyed by its start. */
export function intervalsOf({ counted, corrections, quarantined }: AuditedMeter): Map<number, Interval> {
  const all = new Map<number, Interval>()
  const at = (begin: number): Interval => {
    const known = all.get(begin) ?? { kwh: 0, letter: '-', fell: 0 }
    all.set(begin, known)
    return known
  }
  const unknown = new Set<number>()
  const begins = (moment: number) => Math.floor(moment / QUARTER) * QUARTER
  const ends = (moment: number) => Math.ceil(moment / QUARTER) * QUARTER - QUARTER
  for (const [i, now] of counted.entries()) {
    const before = counted[i - 1]
    if (!before || now.restarts || now.at <= before.at) continue
    if (now.kwh < before.kwh) {
      at(ends(now.at)).fell += 1
      // The energy of the span is unknown, so the quarters in which it begins and ends are not fully known.
      unknown.add(ends(now.at))
      if (before.at % QUARTER) unknown.add(begins(before.at))
      continue
    }
    const letter = isOnTime(counted, i) ? 'b' : 'e'
    const rate = (now.kwh - before.kwh) / (now.at - before.at)
    for (let begin = begins(before.at); begin <= ends(now.at); begin += QUARTER) {
      const one = at(begin)
      one.kwh += rate * (Math.min(now.at, begin + QUARTER) - Math.max(before.at, begin))
      if (one.letter === '-') one.letter = letter
    }
    if (before.at % QUARTER) at(begins(before.at)).letter = 'm'
    at(ends(now.at)).letter = 'm'
  }
  for (const begin of unknown) at(begin).letter = 'q'
  for (const moment of quarantined) {
    const one = all.get(ends(moment))
    if (one && one.letter !== '-') one.letter = 'q'
  }
  const raw = new Map([...all].map(([begin, { kwh }]) => [begin, kwh]))
  for (const { from, to, kwh, sharing, undone } of corrections) {
    if (undone) continue
    let shape = 0
    for (let begin = from; begin < to; begin += QUARTER) shape += raw.get(begin) ?? 0
    const parts = (to - from) / QUARTER
    for (let begin = from; begin < to; begin += QUARTER) {
      const one = at(begin)
      one.kwh = kwh * (sharing === 'shape' && shape > 0 ? (raw.get(begin) ?? 0) / shape : 1 / parts)
      one.letter = 'c'
    }
  }
  return all
}

/** Local time. */
export interface Wall {
  date: string
  minute: number
  /** 0 is Sunday. */
  weekday: number
}

/** Clock of a zone, queried from the runtime for every quarter of an hour. */
export function wallOf(zone: string): (at: number) => Wall {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' })
  const known = new Map<number, Wall>()
  return (at) => {
    const there = known.get(at)
    if (there) return there
    const [date = '', time = ''] = format.format(at).split(' ')
    const [hours = 0, minutes = 0] = time.split(':').map(Number)
    const wall = { date, minute: hours * 60 + minutes, weekday: new Date(`${date}T00:00:00Z`).getUTCDay() }
    known.set(at, wall)
    return wall
  }
}

const nextDate = (date: string, days = 1): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) + days * DAY).toISOString().slice(0, 10)

/** Quarters of each day between two dates, both inclusive. */
export function daysOf(wall: (at: number) => Wall, first: string, last: string): Map<string, number[]> {
  const days = new Map<string, number[]>()
  for (let date = first; date <= last; date = nextDate(date)) days.set(date, [])
  const from = Date.parse(`${first}T00:00:00Z`) - 15 * HOUR
  const to = Date.parse(`${last}T00:00:00Z`) + 2 * DAY
  for (let at = from; at < to; at += QUARTER) days.get(wall(at).date)?.push(at)
  return days
}

/** Tariff and price table of a day. */
function tableOn(tariffs: readonly AuditedTariff[], date: string) {
  const tariff = tariffs.findLast(({ validFrom }) => validFrom <= date)
  const version = tariff?.plan.versions.findLast(({ from }) => from <= date)
  if (!tariff || !version) return undefined
  const summer = date.slice(5) >= '06-01' && date.slice(5) <= version.summerThrough
  return { tariff, version, season: summer ? version.summer : version.nonSummer }
}

const bandAt = (season: AuditedSeason, kind: AuditedPlan['kind'], { date, minute, weekday }: Wall): Band => {
  if (kind !== 'timeOfUse') return 'flat'
  const type = weekday === 0 || HOLIDAYS.has(date) ? 'offPeakDay' : weekday === 6 ? 'saturday' : 'weekday'
  return (season.windows[type].find(([through]) => minute < through) as [number, Band])[1]
}

const tiersOf = (kwh: number, tiers: AuditedSeason['tiers'], share: number): number => {
  let [charge, below] = [0, 0]
  for (const [through, price] of tiers) {
    const top = through === null ? Infinity : through * share
    if (kwh > below) charge += (Math.min(kwh, top) - below) * price
    below = top
  }
  return charge
}

/** Days of the bill that contains a date; the end is exclusive. */
export function billOn(
  home: Pick<AuditedHome, 'billingDay' | 'billingMonths'>,
  date: string,
): [from: string, end: string] {
  const [year, month, day] = date.split('-').map(Number) as [number, number, number]
  let first = year * 12 + month - 1 - (day < home.billingDay ? 1 : 0)
  // January, March …: an even number of months.
  if (home.billingMonths === 2 && first % 2) first -= 1
  const text = (months: number) =>
    `${Math.floor(months / 12)}-${String((months % 12) + 1).padStart(2, '0')}-${String(home.billingDay).padStart(2, '0')}`
  return [text(first), text(first + home.billingMonths)]
}

/** Part of a bill with one season and one price table. */
interface BillSpan {
  season: AuditedSeason
  version: AuditedPlan['versions'][number]
  plan: AuditedPlan
  dates: string[]
  /** Days under each contract, in order. */
  agreed: { tariff: AuditedTariff; dates: string[] }[]
}

function spansOf(home: AuditedHome, from: string, end: string): BillSpan[] {
  const spans: BillSpan[] = []
  for (let date = from; date < end; date = nextDate(date)) {
    const table = tableOn(home.tariffs, date)
    if (!table) continue
    const { tariff, version, season } = table
    let span = spans.at(-1)
    if (span?.season !== season)
      spans.push((span = { season, version, plan: tariff.plan, dates: [], agreed: [] }))
    span.dates.push(date)
    const last = span.agreed.at(-1)
    if (last?.tariff === tariff) last.dates.push(date)
    else span.agreed.push({ tariff, dates: [date] })
  }
  return spans
}

export interface Audit {
  wall: (at: number) => Wall
  days: Map<string, number[]>
  /** The home's kWh in an interval. */
  homeAt: (at: number) => number
}

/** NT$ per kWh in each interval that has a price. */
export function pricesOf(home: AuditedHome, { wall, days, homeAt }: Audit): (at: number) => number | null {
  const monthly = new Map<AuditedSeason, Map<string, number>>()
  const extra = (date: string, season: AuditedSeason): number => {
    const [from, end] = billOn(home, date)
    const known = monthly.get(season)?.get(from)
    if (known !== undefined) return known
    const all = Math.round((Date.parse(end) - Date.parse(from)) / DAY)
    const span = spansOf(home, from, end).filter((one) => one.season === season)
    const dates = span.flatMap((one) => one.dates)
    const { version, plan } = span[0] as BillSpan
    const share = (dates.length / all) * home.billingMonths
    const kwh = dates.flatMap((one) => days.get(one) ?? []).reduce((sum, at) => sum + homeAt(at), 0)
    const tiers = plan.kind === 'tiered' ? tiersOf(kwh, season.tiers, share) : 0
    const overKwh = version.surcharge
      ? Math.max(0, kwh - version.surcharge[0] * share) * version.surcharge[1]
      : 0
    const price =
      kwh < 1e-9 ? (plan.kind === 'tiered' ? (season.tiers[0]?.[1] ?? 0) : 0) : (tiers + overKwh) / kwh
    monthly.set(season, (monthly.get(season) ?? new Map<string, number>()).set(from, price))
    return price
  }
  return (at) => {
    const wallTime = wall(at)
    const table = tableOn(home.tariffs, wallTime.date)
    if (!table) return null
    const { tariff, season } = table
    const ownRate =
      tariff.plan.kind === 'tiered' ? 0 : (season.prices[bandAt(season, tariff.plan.kind, wallTime)] ?? 0)
    return ownRate + extra(wallTime.date, season)
  }
}

const rounded = (value: number): number => {
  const [cents, sign] = [Math.abs(value) * 100, Math.sign(value)]
  return (sign * Math.round(cents + 1e-6)) / 100
}

/** NT$ of the bill that contains a date, computed as docs/energy.md describes. */
export function totalOf(home: AuditedHome, { wall, days, homeAt }: Audit, date: string): number {
  const [from, end] = billOn(home, date)
  const all = Math.round((Date.parse(end) - Date.parse(from)) / DAY)
  const amounts: number[] = []
  let checkedCount = 0
  const factors: [days: number, percent: number | null][] = []
  let minimum = 0
  for (const { season, version, plan, dates, agreed } of spansOf(home, from, end)) {
    const months = (of: readonly string[]) => (of.length / all) * home.billingMonths
    const usedByBand = new Map<Band, number>()
    const peaks = agreed.map(({ dates: of }) => {
      const highest = new Map<Band, number>()
      for (const at of of.flatMap((one) => days.get(one) ?? [])) {
        const [band, kwh] = [bandAt(season, plan.kind, wall(at)), homeAt(at)]
        usedByBand.set(band, (usedByBand.get(band) ?? 0) + kwh)
        highest.set(band, Math.max(highest.get(band) ?? 0, kwh * 4))
      }
      return highest
    })
    const adjusted: number[] = []
    for (const [i, { tariff, dates: of }] of agreed.entries()) {
      amounts.push(rounded(version.basic[tariff.phases] * months(of)))
      factors.push(...(plan.powerFactor ? [[of.length, tariff.powerFactor] as [number, number | null]] : []))
      if (season.regularRate === null || tariff.regular === 0) continue
      adjusted.push(rounded(tariff.regular * season.regularRate * months(of)))
      // Only the hours of the regular contract have a rate here.
      const excess = Math.max(peaks[i]?.get('peak') ?? 0, peaks[i]?.get('flat') ?? 0) - tariff.regular
      if (excess <= 0) continue
      const tenth = rounded(Math.min(excess, tariff.regular / 10))
      amounts.push(rounded(tenth * season.regularRate * 2 * months(of)))
      const remainder = rounded(excess - Math.min(excess, tariff.regular / 10))
      amounts.push(rounded(remainder * season.regularRate * 3 * months(of)))
    }
    const total = rounded([...usedByBand.values()].reduce((sum, amount) => sum + amount, 0))
    if (plan.kind === 'tiered') {
      let below = 0
      for (const [through, price] of season.tiers) {
        const top = through === null ? Infinity : rounded(through * months(dates))
        if (total > below) adjusted.push(rounded(rounded(Math.min(total, top) - below) * price))
        below = top
      }
    } else
      for (const [band, kwh] of usedByBand)
        if (kwh > 0) adjusted.push(rounded(rounded(kwh) * (season.prices[band] ?? 0)))
    if (version.surcharge) {
      const allowed = rounded(version.surcharge[0] * months(dates))
      if (total > allowed) adjusted.push(rounded(rounded(total - allowed) * version.surcharge[1]))
    }
    amounts.push(...adjusted)
    if (plan.powerFactor) checkedCount += adjusted.reduce((sum, amount) => sum + amount, 0)
    minimum = version.minimum
  }
  const billed = new Set(factors.map(([, percent]) => percent))
  const counted = factors.reduce((sum, [of]) => sum + of, 0)
  const meanAmount =
    billed.size === 0
      ? null
      : billed.size === 1
        ? (factors[0]?.[1] ?? null)
        : rounded(factors.reduce((sum, [of, percent]) => sum + of * (percent ?? 80), 0) / counted)
  if (meanAmount !== null)
    amounts.push(rounded(((80 - Math.min(95, Math.floor(meanAmount))) / 1000) * rounded(checkedCount)))
  return Math.max(rounded(amounts.reduce((sum, amount) => sum + amount, 0)), minimum)
}
