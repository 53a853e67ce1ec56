import type { Band, Capacity, SeasonName, TariffSeason, TariffVersion } from './tariff-terms.ts'

/** What a line of a bill charges for. */
export const BILL_ITEMS = [
  'basic',
  'capacity',
  'energy',
  'tier',
  'surcharge',
  'overCapacity',
  'powerFactor',
  'minimum',
  'feedIn',
] as const
export type BillItem = (typeof BILL_ITEMS)[number]

/** What the quantity of a line counts. */
export const BILL_UNITS = ['month', 'kW', 'kWh', 'percent', 'bill'] as const

/** One line: Quantity (to the hundredth) × Price × Factor = Amount in NT$, to the cent. */
export interface BillLine {
  Item: BillItem
  /** The band, the kind of contract, or the kWh of this bill at which a tier begins; '' where there is but one. */
  Detail: string
  Season: SeasonName | null
  /** Of the version that says so, `2025-10-01`. */
  ValidFrom: string
  Quantity: number
  Unit: (typeof BILL_UNITS)[number]
  Price: number
  /** How much of a period: months and parts of months; 2 or 3 times as much beyond what is agreed. */
  Factor: number
  Amount: number
}

export interface Bill {
  Lines: BillLine[]
  /** NT$, the sum of the lines. */
  Total: number
  /** Of it for energy: tiers, bands and what is beyond 2,000 kWh. */
  Energy: number
}

/** What of a period falls under one season of one version and one agreement. */
export interface BillPart {
  version: TariffVersion
  season: TariffSeason
  /** What was agreed on these days; left out where it is what the whole bill has. */
  terms?: BillTerms
  Days: number
  kWh: Partial<Record<Band, number>>
  /** The highest mean of 15 minutes, kW. */
  peakKw: Partial<Record<Band, number>>
}

/** What a person has agreed on with the power company. */
export interface BillTerms {
  /** kW. */
  Capacities: Partial<Record<Capacity, number>>
  Phases: 'single' | 'three'
  /** Of the period, 0 to 100 %; null where it is not billed. */
  PowerFactor: number | null
}

/** To the cent, halves away from zero: what binary fractions leave below a half is made up for, in large sums too. */
const cents = (value: number): number =>
  Math.round((value + Math.sign(value) * Math.max(1e-9, Math.abs(value) * HALVES)) * 100) / 100
const HALVES = 4 * Number.EPSILON
const sum = (values: readonly number[]): number => cents(values.reduce((total, one) => total + one, 0))

/**
 * The bill of a period.
 *
 * Tiers are counted over the whole period, not by the month of the calendar: where the meter is read every two months each
 * has twice the kWh. A season or another price table that begins within the period divides it: each part has the share of
 * every tier that it has of the days, for the kWh that were counted in it. Where what was agreed changes within the period,
 * the charge for being connected, contracts and what is beyond them are shared by days, each against its own agreement; energy
 * is not divided by it, and the power factor is the mean of the days in whole per cent, in which one that is not billed counts as 80 %; days of a
 * tariff that knows none, and what they cost, are left out.
 *
 * parts       of the period in order; days without a tariff are in none
 * periodDays  of the whole period, for what is charged by the month: each part bears its share by days
 * months      of the period, 1 or 2, or less where it was cut short: tiers and what is charged by the month count so many times
 * terms       of the days that have none of their own
 * source      Taipower's tariff table of 2025-10-01: tiers double when the meter is read every two months. It does not say how
 *             a season divides a period; by days is its custom, as far as we know (docs/decisions/0010)
 */
export function billOf(
  parts: readonly BillPart[],
  periodDays: number,
  months: number,
  terms: BillTerms,
): Bill {
  const monthsOf = ({ Days }: Pick<BillPart, 'Days'>) => (Days / periodDays) * months
  const termsOf = (part: BillPart) => part.terms ?? terms
  const runs = alike(parts).map((run) => ({
    run,
    lines: [
      ...run.flatMap((part) => standingLines(part, monthsOf(part), termsOf(part))),
      ...energyLines(together(run), months * (sum(run.map(({ Days }) => Days)) / periodDays)),
      ...run.flatMap((part) => overLines(part, monthsOf(part), termsOf(part).Capacities)),
    ],
  }))
  const lines = runs.flatMap((one) => one.lines)
  const last = parts.at(-1)
  // Tariffs that know no power factor have no part in it.
  const judged = runs.filter(({ run }) => run[0].version.PowerFactor)
  const judgedParts = judged.flatMap(({ run }) => run)
  const factor = meanPowerFactor(judgedParts.map((part) => [part.Days, termsOf(part).PowerFactor]))
  const lastJudged = judgedParts.at(-1)
  if (lastJudged && factor !== null)
    lines.push(
      ...powerFactorLines(
        judged.flatMap((one) => one.lines),
        lastJudged,
        factor,
      ),
    )
  const due = sum(lines.map(({ Amount }) => Amount))
  if (last && due < last.version.MinimumBill)
    lines.push(line(last, 'minimum', '', 1, 'bill', cents(last.version.MinimumBill - due), 1))
  return {
    Lines: lines,
    Total: sum(lines.map(({ Amount }) => Amount)),
    Energy: sum(lines.filter(({ Item }) => ENERGY.has(Item)).map(({ Amount }) => Amount)),
  }
}
const ENERGY: ReadonlySet<BillItem> = new Set(['energy', 'tier', 'surcharge'])

/** Energy and demand count to the hundredth, so that what a line shows multiplies to its amount. */
function line(
  { version, season }: Pick<BillPart, 'version' | 'season'>,
  Item: BillItem,
  Detail: string,
  quantity: number,
  Unit: BillLine['Unit'],
  Price: number,
  Factor: number,
): BillLine {
  const Quantity = cents(quantity)
  return {
    Item,
    Detail,
    Season: season.Season,
    ValidFrom: version.ValidFrom,
    Quantity,
    Unit,
    Price,
    Factor,
    Amount: cents(Quantity * Price * Factor),
  }
}

/** Parts of one season and price table that follow each other. */
function alike(parts: readonly BillPart[]): [BillPart, ...BillPart[]][] {
  const runs: [BillPart, ...BillPart[]][] = []
  for (const part of parts) {
    const run = runs.at(-1)
    if (run?.[0].version === part.version && run[0].season === part.season) run.push(part)
    else runs.push([part])
  }
  return runs
}

/** The energy of parts whatever was agreed. */
function together(run: readonly [BillPart, ...BillPart[]]): Used {
  const { version, season } = run[0]
  const kWh: BillPart['kWh'] = {}
  for (const part of run)
    for (const [band, energy] of Object.entries(part.kWh) as [Band, number][])
      kWh[band] = (kWh[band] ?? 0) + energy
  return { version, season, kWh }
}

/** What is charged by the month, whatever is used. */
function standingLines(part: BillPart, months: number, terms: BillTerms): BillLine[] {
  const basic = part.version.BasicCharge[terms.Phases]
  return [
    ...(basic > 0 ? [line(part, 'basic', terms.Phases, 1, 'month', basic, months)] : []),
    ...capacityLines(part, months, terms.Capacities),
  ]
}

type Used = Pick<BillPart, 'version' | 'season' | 'kWh'>

function energyLines(part: Used, months: number): BillLine[] {
  const { version, season } = part
  const lines: BillLine[] = []
  const total = sum(Object.values(part.kWh))
  if (version.Kind === 'tiered') lines.push(...tierLines(part, total, months))
  else
    for (const [band, kWh] of Object.entries(part.kWh) as [Band, number][])
      if (kWh > 0) lines.push(line(part, 'energy', band, kWh, 'kWh', season.Prices[band] ?? 0, 1))
  const { Surcharge } = version
  const allowed = cents((Surcharge?.OverKwh ?? 0) * months)
  if (Surcharge && total > allowed)
    lines.push(line(part, 'surcharge', String(allowed), total - allowed, 'kWh', Surcharge.Price, 1))
  return lines
}

/** Tiers end on a hundredth, so that what is in them adds up to all. */
function tierLines(part: Used, total: number, months: number): BillLine[] {
  const lines: BillLine[] = []
  let from = 0
  for (const { ThroughKwh, Price } of part.season.Tiers) {
    const through = ThroughKwh === null ? Infinity : cents(ThroughKwh * months)
    const kWh = Math.min(total, through) - from
    if (kWh > 0) lines.push(line(part, 'tier', String(from), kWh, 'kWh', Price, 1))
    from = through
  }
  return lines
}

/** Contracts for hours of less load cost nothing up to half of the others together. */
function capacityLines(
  { version, season }: BillPart,
  months: number,
  kw: BillTerms['Capacities'],
): BillLine[] {
  const part = { version, season }
  const rates = season.CapacityRates
  const lines: BillLine[] = []
  for (const capacity of ['regular', 'nonSummer', 'semiPeak'] as const) {
    const [agreed, rate] = [kw[capacity] ?? 0, rates[capacity]]
    if (rate !== undefined && agreed > 0)
      lines.push(line(part, 'capacity', capacity, agreed, 'kW', rate, months))
  }
  const half = 0.5 * ((kw.regular ?? 0) + beside(kw))
  const beyond = (kw.saturdaySemiPeak ?? 0) + (kw.offPeak ?? 0) - half
  if (rates.offPeak !== undefined && beyond > 0)
    lines.push(line(part, 'capacity', 'offPeak', beyond, 'kW', rates.offPeak, months))
  return lines
}

/** Beside the regular contract: outside summer with two stages, in semi-peak hours with three. */
const beside = (kw: BillTerms['Capacities']): number => (kw.nonSummer ?? 0) + (kw.semiPeak ?? 0)

/** What demand may be in the hours of a band, and which rate counts beyond; null where the season has no such contract. */
export function agreedFor(
  band: Band,
  { CapacityRates: rates }: TariffSeason,
  kw: BillTerms['Capacities'],
): { limit: number; rate: number } | null {
  const regular = kw.regular ?? 0
  const outside = regular + (rates.nonSummer === undefined ? 0 : (kw.nonSummer ?? 0))
  const busy = regular + beside(kw)
  const of = (limit: number, rate: number | undefined) => (rate === undefined ? null : { limit, rate })
  if (band === 'peak' || band === 'flat') return of(outside, rates.regular)
  if (band === 'semiPeak') return of(busy, rates.semiPeak)
  const saturday = busy + (kw.saturdaySemiPeak ?? 0)
  if (band === 'saturdaySemiPeak') return of(saturday, rates.saturdaySemiPeak)
  return of(saturday + (kw.offPeak ?? 0), rates.offPeak)
}

/**
 * Demand beyond what is agreed: twice the rate for the first tenth of the contract, three times beyond. From busy hours
 * to idle ones; an excess that an earlier band has paid for is not paid again.
 */
function overLines(part: BillPart, months: number, kw: BillTerms['Capacities']): BillLine[] {
  const lines: BillLine[] = []
  let paid = 0
  for (const band of ['peak', 'flat', 'semiPeak', 'saturdaySemiPeak', 'offPeak'] as const) {
    const agreed = agreedFor(band, part.season, kw)
    const peak = part.peakKw[band]
    if (!agreed || peak === undefined || !(kw.regular && kw.regular > 0)) continue
    const excess = peak - agreed.limit - paid
    if (excess <= 0) continue
    const tenth = Math.min(excess, agreed.limit / 10)
    lines.push(line(part, 'overCapacity', band, tenth, 'kW', agreed.rate, 2 * months))
    if (excess > tenth)
      lines.push(line(part, 'overCapacity', band, excess - tenth, 'kW', agreed.rate, 3 * months))
    paid += excess
  }
  return lines
}

/** Of days with their power factors; null where none is billed. */
function meanPowerFactor(parts: readonly (readonly [days: number, percent: number | null])[]): number | null {
  const billed = new Set(parts.map(([, percent]) => percent))
  if (billed.size === 1) return parts[0]?.[1] ?? null
  const days = sum(parts.map(([of]) => of))
  return days === 0 ? null : cents(sum(parts.map(([of, percent]) => of * (percent ?? 80))) / days)
}

/** The power factor that is billed, in whole per cent: what is beyond the last whole one does not count. */
export const billedPowerFactor = (percent: number): number => Math.floor(percent + 1e-9)

/** 0.1 % more for each 1 % under 80 %, and less for each above, up to 95 %; not of what connects and what exceeds. */
function powerFactorLines(lines: readonly BillLine[], last: BillPart, mean: number): BillLine[] {
  const base = sum(
    lines.filter(({ Item }) => Item !== 'basic' && Item !== 'overCapacity').map(({ Amount }) => Amount),
  )
  const percent = billedPowerFactor(mean)
  const points = 80 - Math.min(95, percent)
  return points === 0 ? [] : [line(last, 'powerFactor', String(percent), points, 'percent', base, 0.001)]
}
