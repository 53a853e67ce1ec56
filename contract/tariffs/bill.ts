import type { Band, Capacity, SeasonName, TariffSeason, TariffVersion } from './tariff-terms.ts'

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

export const BILL_UNITS = ['month', 'kW', 'kWh', 'percent', 'bill'] as const

/** Bill line: Quantity (to the hundredth) × Price × Factor = Amount in NT$, to the cent. */
export interface BillLine {
  Item: BillItem
  /** Band, kind of contract, or kWh of this bill at which a tier begins; '' if there is only one. */
  Detail: string
  Season: SeasonName | null
  /** Start of validity of the tariff version, `2025-10-01`. */
  ValidFrom: string
  Quantity: number
  Unit: (typeof BILL_UNITS)[number]
  Price: number
  /** Months and fractions of months; doubled or tripled for demand above the contract. */
  Factor: number
  Amount: number
}

export interface Bill {
  Lines: BillLine[]
  /** NT$, sum of the lines. */
  Total: number
  /** Energy part of the total: tiers, bands and the surcharge. */
  Energy: number
}

/** Part of a period in one season of one tariff version, under one agreement. */
export interface BillPart {
  version: TariffVersion
  season: TariffSeason
  /** Agreement on these days; omitted if the same as for the whole bill. */
  terms?: BillTerms
  Days: number
  kWh: Partial<Record<Band, number>>
  /** Highest 15-minute mean, kW. */
  peakKw: Partial<Record<Band, number>>
}

export interface BillTerms {
  /** kW. */
  Capacities: Partial<Record<Capacity, number>>
  Phases: 'single' | 'three'
  /** Power factor of the period, 0 to 100 %; null if not billed. */
  PowerFactor: number | null
}

/** Terms of a bill without a contract, and of one whose parts state their own. */
export const NO_BILL_TERMS: BillTerms = { Capacities: {}, Phases: 'three', PowerFactor: null }

/** Rounds to the cent, halves away from zero; compensates for binary fractions just below a half, also in large sums. */
const cents = (value: number): number =>
  Math.round((value + Math.sign(value) * Math.max(1e-9, Math.abs(value) * HALVES)) * 100) / 100
const HALVES = 4 * Number.EPSILON
const sum = (values: readonly number[]): number => cents(values.reduce((total, one) => total + one, 0))

/**
 * Computes the bill of a period.
 *
 * Tiers are counted over the whole period, not by calendar month: with readings every two months, each tier has twice the kWh. A season
 * or price table that begins within the period divides it: each part gets a share of every tier by days, for its own measured kWh. If the
 * agreement changes within the period, the basic charge, contracts and excess demand are prorated by days, each against its own
 * agreement. Energy is not divided by agreement. The power factor is the mean over days in whole percent, an unbilled one counting as 80
 * %; days and charges of a tariff without a power factor are excluded.
 *
 * parts       of the period, in order; days without a tariff belong to none
 * periodDays  days of the whole period, to prorate monthly charges
 * months      months of the period: 1, 2, or less if it was cut short; multiplies tiers and monthly charges
 * terms       agreement for parts without their own
 * source      Taipower's tariff table of 2025-10-01: tiers double if the meter is read every two months. It does not say how a season
 *             divides a period; prorating by days is the assumed custom (docs/decisions/0010)
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
  // Tariffs without a power factor are excluded.
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

/** Builds a line. Rounds the quantity to the hundredth, so that the displayed values multiply to the amount. */
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

/** Groups consecutive parts with the same season and price table. */
function alike(parts: readonly BillPart[]): [BillPart, ...BillPart[]][] {
  const runs: [BillPart, ...BillPart[]][] = []
  for (const part of parts) {
    const run = runs.at(-1)
    if (run?.[0].version === part.version && run[0].season === part.season) run.push(part)
    else runs.push([part])
  }
  return runs
}

/** Sums the energy of parts, regardless of agreement. */
function together(run: readonly [BillPart, ...BillPart[]]): Used {
  const { version, season } = run[0]
  const kWh: BillPart['kWh'] = {}
  for (const part of run)
    for (const [band, energy] of Object.entries(part.kWh) as [Band, number][])
      kWh[band] = (kWh[band] ?? 0) + energy
  return { version, season, kWh }
}

/** Monthly charges, independent of use. */
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

/** Lines of a tiered tariff. Tiers end on a hundredth, so that their energy adds up to the total. */
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

/** Lines for contracts. Contracts for off-peak hours are free up to half of the sum of the others. */
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

/** Contract capacity in addition to the regular one: outside summer with two stages, in semi-peak hours with three. */
const beside = (kw: BillTerms['Capacities']): number => (kw.nonSummer ?? 0) + (kw.semiPeak ?? 0)

/** Demand limit in a band, and the rate above it; null if the season has no such contract. */
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
 * Lines for demand above the contract: twice the rate for the first 10 % of the contract, three times above. Ordered from busy bands to
 * idle ones; excess that an earlier band has paid for is not charged again.
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

/** Mean power factor weighted by days; null if none is billed. */
function meanPowerFactor(parts: readonly (readonly [days: number, percent: number | null])[]): number | null {
  const billed = new Set(parts.map(([, percent]) => percent))
  if (billed.size === 1) return parts[0]?.[1] ?? null
  const days = sum(parts.map(([of]) => of))
  return days === 0 ? null : cents(sum(parts.map(([of, percent]) => of * (percent ?? 80))) / days)
}

/** Billed power factor in whole percent, rounded down. */
export const billedPowerFactor = (percent: number): number => Math.floor(percent + 1e-9)

/**
 * Line for the power factor: +0.1 % for each 1 % below 80 %, −0.1 % for each 1 % above, up to 95 %; not applied to the basic charge and
 * excess demand.
 */
function powerFactorLines(lines: readonly BillLine[], last: BillPart, mean: number): BillLine[] {
  const base = sum(
    lines.filter(({ Item }) => Item !== 'basic' && Item !== 'overCapacity').map(({ Amount }) => Amount),
  )
  const percent = billedPowerFactor(mean)
  const points = 80 - Math.min(95, percent)
  return points === 0 ? [] : [line(last, 'powerFactor', String(percent), points, 'percent', base, 0.001)]
}
