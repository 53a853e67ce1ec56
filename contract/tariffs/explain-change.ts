import { CHANGE_KINDS, type ChangeKind, type LineState } from '../energy/insight-calls.ts'
import { NO_BILL_TERMS, type BillPart, type BillTerms, billOf } from './bill.ts'
import type { Band, TariffSeason, TariffVersion } from './tariff-terms.ts'

/** Flows that make a site's purchased energy differ from its consumption. */
export const FLOW_LINES = ['generation', 'storage', 'export'] as const
export type FlowLine = (typeof FLOW_LINES)[number]

/** One row. The kWh of all rows add up to the change, and so do the amounts, to the cent. */
export interface ChangeComponent {
  kind: ChangeKind
  /** Key of a line or a flow; '' for others. */
  key: string
  state: LineState | null
  kWh: number
  /** Integer cents of NT$; null if a day of either period has no price. */
  cents: number | null
}

/** Part of the earlier period: days of one bill, one season of one price table, and one agreement. */
export interface EarlierPart {
  /** Index of its bill. */
  bill: number
  version: TariffVersion
  season: TariffSeason
  terms: BillTerms
}

/** Pricing of the earlier period, applied to other energy too. Each day of the later period replaces one of the earlier, in order. */
export interface EarlierPrices {
  /** Months of each bill, or of its part within the period. */
  months: readonly number[]
  parts: readonly EarlierPart[]
  bandOf(part: number, kind: number, cell: number): Band
  /** Demand by part, kW: then, and now in the same hours. */
  peaks: { base: readonly BillPart['peakKw'][]; now: readonly BillPart['peakKw'][] }
  /** Costs of both periods in cents, each at its own prices. */
  amounts: { base: number; now: number }
}

/** Line in both periods, by slot: (part × kinds of days + kind) × cells of the day + cell. */
export interface ChangeLine {
  key: string
  /** Whether the line is a flow of a balance; more generation has the sign of less purchased energy. */
  isFlow?: boolean
  base: SlotEnergy
  now: SlotEnergy
}

export interface SlotEnergy {
  /** Measured kWh of each slot. */
  kWh: Float64Array
  /** Known and due intervals of each part and kind of day. */
  known: ArrayLike<number>
  due: ArrayLike<number>
}

export interface ChangeInput {
  /** Number of parts, kinds of days, and cells per day. */
  parts: number
  kinds: number
  cells: number
  /** Days of each part and kind: in the earlier period, and those of the later period that replace them. */
  days: { base: ArrayLike<number>; now: ArrayLike<number> }
  /** Lines that add up to the explained energy. */
  lines: readonly ChangeLine[]
  /**
   * Difference by slot between the lines and the purchased energy if that is not completely known, kWh, for each period; undefined if the
   * purchased energy consists of the lines alone.
   */
  lacking?: { base: Float64Array; now: Float64Array } | undefined
  /** Effect of the present weather on each line, kWh; undefined if unknown. */
  weather: readonly number[] | undefined
  /** Null if a day of either period has no price. */
  prices: EarlierPrices | null
}

/** Rounding tolerance, kWh. */
const NOTHING = 1e-6

/**
 * Explains why a period used and cost more or less than another. From the earlier period, it changes the days to the later ones, then the
 * weather, each line of energy, the demand and the prices, so that the steps add up by construction. All but the last step use the
 * earlier period's tariff. Differences in coverage are a row of their own: a silent meter is not a saving.
 *
 * Calendar: each kind of day keeps its daily energy and gets the later number of days. A line's amount is the cost of its kWh at the mean
 * of the marginal prices between both periods, so the order of the lines does not matter. At a site with a balance, the lines are its
 * consumption and, with their signs, its flows: together its purchased energy.
 *
 * returns  nonzero rows in the order of CHANGE_KINDS, the largest lines first
 */
export function explainChange(input: ChangeInput): ChangeComponent[] {
  const places = Array.from({ length: input.parts * input.kinds }, (_, place) => place)
  const likeOf = places.map((place) => alikeDays(input, place, (one) => input.days.base[one] as number))
  const lines = input.lines.map((line, i) => stepsOf(input, line, likeOf, input.weather?.[i] ?? 0))
  const sum = (of: (line: Steps) => Float64Array, lacking?: Float64Array) =>
    addUp([...lines.map(of), ...(lacking ? [lacking] : [])], slotsOf(input))
  const [base, whole, calendar, weather, now, counted] = [
    sum((line) => line.base, input.lacking?.base),
    sum((line) => line.whole),
    sum((line) => line.calendar),
    sum((line) => line.weather),
    sum((line) => line.now),
    sum((line) => line.counted, input.lacking?.now),
  ]
  const rows: ChangeComponent[] = [
    row('coverage', total(whole) - total(base) + total(counted) - total(now)),
    row('calendar', total(calendar) - total(whole)),
    row('weather', total(weather) - total(calendar)),
    ...lines.map((line, i) => ({
      ...row(input.lines[i]?.isFlow ? 'flow' : 'line', total(line.now) - total(line.weather)),
      key: input.lines[i]?.key ?? '',
      state: stateOf(input.lines[i] as ChangeLine),
    })),
    row('demand', 0),
    row('prices', 0),
  ]
  if (input.prices) price(input, input.prices, rows, { base, whole, calendar, weather, now, counted }, lines)
  return rows
    .filter(({ kWh, cents }) => Math.abs(kWh) > NOTHING || (cents !== null && cents !== 0))
    .toSorted(
      (a, b) =>
        CHANGE_KINDS.indexOf(a.kind) - CHANGE_KINDS.indexOf(b.kind) || Math.abs(b.kWh) - Math.abs(a.kWh),
    )
}

const row = (kind: ChangeKind, kWh: number): ChangeComponent => ({
  kind,
  key: '',
  state: null,
  kWh,
  cents: null,
})
const slotsOf = ({ parts, kinds, cells }: ChangeInput): number => parts * kinds * cells
const total = (slots: Float64Array): number => slots.reduce((sum, one) => sum + one, 0)

function addUp(all: readonly Float64Array[], slots: number): Float64Array {
  const sum = new Float64Array(slots)
  for (const one of all) for (let i = 0; i < slots; i++) (sum[i] as number) += one[i] as number
  return sum
}

const stateOf = ({ base, now }: ChangeLine): LineState => {
  const isThere = ({ due, known }: SlotEnergy) =>
    total(Float64Array.from(due)) + total(Float64Array.from(known)) > 0
  return !isThere(base) && isThere(now) ? 'new' : isThere(base) && !isThere(now) ? 'removed' : 'changed'
}

/** Energy of a line at each step, by slot. */
interface Steps {
  /** As measured, and with missing energy added. */
  base: Float64Array
  whole: Float64Array
  /** With the later number of days of each kind, and then with the later weather. */
  calendar: Float64Array
  weather: Float64Array
  /** Later period with missing energy added, and as measured. */
  now: Float64Array
  counted: Float64Array
}

/**
 * Computes the steps of a line.
 *
 * likeOf  for each place, the places of the earlier period with similar days
 */
function stepsOf(
  input: ChangeInput,
  line: ChangeLine,
  likeOf: readonly (readonly number[])[],
  byWeather: number,
): Steps {
  const { days } = input
  const [base, now] = [completed(input, line.base, days.base), completed(input, line.now, days.now)]
  // If a side has no data although it is due, fill it from the other side, or else from its own other days.
  const whole = filled(input, base, [now, base])
  const later = filled(input, now, [base, now])
  const calendar = onCalendar(input, likeOf, whole)
  const used = total(calendar)
  const weather = calendar.map((kWh) => (Math.abs(used) > NOTHING ? kWh + (kWh / used) * byWeather : kWh))
  return { base: line.base.kWh, whole, calendar, weather, now: later, counted: line.now.kWh }
}

/** Energy with partly known places completed; a place is the days of one part and kind. */
interface Completed {
  kWh: Float64Array
  days: ArrayLike<number>
  /** Places without data although it is due. */
  silent: readonly boolean[]
}

function completed(
  { cells }: ChangeInput,
  { kWh, known, due }: SlotEnergy,
  days: ArrayLike<number>,
): Completed {
  const silent = Array.from(known, (is, place) => is === 0 && (due[place] as number) > 0)
  const full = kWh.map((counted, slot) => {
    const place = Math.floor(slot / cells)
    const [is, should] = [known[place] as number, due[place] as number]
    return is > 0 && should > is ? counted * (should / is) : counted
  })
  return { kWh: full, days, silent }
}

/** Fills silent places from the first source with similar days. */
function filled(input: ChangeInput, of: Completed, from: readonly Completed[]): Float64Array {
  const { cells } = input
  const kWh = Float64Array.from(of.kWh)
  for (const [place, isSilent] of of.silent.entries()) {
    const count = of.days[place] as number
    if (!isSilent || count === 0) continue
    for (const other of from) {
      const like = alikeDays(input, place, (one) =>
        (other.days[one] as number) > 0 && !other.silent[one] ? 1 : 0,
      )
      if (like.length === 0) continue
      for (let cell = 0; cell < cells; cell++)
        kWh[place * cells + cell] = meanOfDays(input, other.kWh, other.days, like, cell) * count
      break
    }
  }
  return kWh
}

/** Mean energy of a day of some places in a cell. */
function meanOfDays(
  { cells }: ChangeInput,
  kWh: Float64Array,
  days: ArrayLike<number>,
  places: readonly number[],
  cell: number,
): number {
  const used = places.reduce((sum, place) => sum + (kWh[place * cells + cell] as number), 0)
  const of = places.reduce((sum, place) => sum + (days[place] as number), 0)
  return of > 0 ? used / of : 0
}

/** Energy of the earlier period with the later number of days. */
function onCalendar(
  input: ChangeInput,
  likeOf: readonly (readonly number[])[],
  whole: Float64Array,
): Float64Array {
  const { cells, days } = input
  const sum = new Float64Array(slotsOf(input))
  for (const [place, like] of likeOf.entries()) {
    const count = days.now[place] as number
    if (count === 0) continue
    const isSame = like[0] === place && days.base[place] === count
    for (let cell = 0; cell < cells; cell++) {
      const slot = place * cells + cell
      sum[slot] = isSame ? (whole[slot] as number) : meanOfDays(input, whole, days.base, like, cell) * count
    }
  }
  return sum
}

/** Places with days, most similar first: the place itself, its kind in other parts, other kinds of its part, or all. */
function alikeDays(
  { parts, kinds }: ChangeInput,
  place: number,
  daysOf: (place: number) => number,
): number[] {
  const all = Array.from({ length: parts * kinds }, (_, one) => one).filter((one) => daysOf(one) > 0)
  const choices = [
    all.filter((one) => one === place),
    all.filter((one) => one % kinds === place % kinds),
    all.filter((one) => Math.floor(one / kinds) === Math.floor(place / kinds)),
    all,
  ]
  return choices.find((places) => places.length > 0) ?? []
}

type Energies = Record<'base' | 'whole' | 'calendar' | 'weather' | 'now' | 'counted', Float64Array>

/** Sets the cost of each row, in cents that add up exactly. */
function price(
  input: ChangeInput,
  prices: EarlierPrices,
  rows: ChangeComponent[],
  energy: Energies,
  lines: readonly Steps[],
): void {
  const { days } = input
  const { peaks, amounts } = prices
  const centsOf = (kWh: Float64Array, of: ArrayLike<number>, demand: EarlierPrices['peaks']['base']) =>
    billedCents(input, prices, bandsOf(input, prices, kWh), of, demand)
  const base = centsOf(energy.base, days.base, peaks.base)
  const whole = centsOf(energy.whole, days.base, peaks.base)
  const calendar = centsOf(energy.calendar, days.now, peaks.base)
  const weather = centsOf(energy.weather, days.now, peaks.base)
  const ofLines = centsOf(energy.now, days.now, peaks.base)
  const now = centsOf(energy.now, days.now, peaks.now)
  const counted = centsOf(energy.counted, days.now, peaks.now)
  const put = (kind: ChangeKind, cents: number) => {
    for (const one of rows) if (one.kind === kind) one.cents = cents
  }
  put('coverage', whole - base + counted - now)
  put('calendar', calendar - whole)
  put('weather', weather - calendar)
  put('demand', now - ofLines)
  put('prices', amounts.now - counted - (amounts.base - base))
  const shares = shareOfLines(input, prices, energy, lines)
  const split = inCents(shares, ofLines - weather)
  const ofLine = rows.filter(({ kind }) => kind === 'line' || kind === 'flow')
  for (const [i, one] of ofLine.entries()) one.cents = split[i] as number
}

type ByPart = readonly Partial<Record<Band, number>>[]

function bandsOf({ parts, kinds, cells }: ChangeInput, { bandOf }: EarlierPrices, kWh: Float64Array): ByPart {
  return Array.from({ length: parts }, (_, part) => {
    const bands: Partial<Record<Band, number>> = {}
    for (let kind = 0; kind < kinds; kind++)
      for (let cell = 0; cell < cells; cell++) {
        const band = bandOf(part, kind, cell)
        bands[band] = (bands[band] ?? 0) + (kWh[(part * kinds + kind) * cells + cell] as number)
      }
    return bands
  })
}

/** Bills of the period at the earlier prices, in cents. */
function billedCents(
  input: ChangeInput,
  prices: EarlierPrices,
  energy: ByPart,
  days: ArrayLike<number>,
  peaks: EarlierPrices['peaks']['base'],
): number {
  let cents = 0
  for (let bill = 0; bill < prices.months.length; bill++)
    cents += oneBill(input, prices, bill, energy, days, peaks)
  return cents
}

/** A single bill at the earlier prices, in cents. */
function oneBill(
  { kinds }: ChangeInput,
  { months, parts }: EarlierPrices,
  bill: number,
  energy: ByPart,
  days: ArrayLike<number>,
  peaks: EarlierPrices['peaks']['base'],
): number {
  const of = parts.flatMap((part, i): BillPart[] => {
    if (part.bill !== bill) return []
    let Days = 0
    for (let kind = 0; kind < kinds; kind++) Days += days[i * kinds + kind] as number
    if (Days === 0) return []
    const { version, season, terms } = part
    return [{ version, season, terms, Days, kWh: energy[i] ?? {}, peakKw: peaks[i] ?? {} }]
  })
  const whole = of.reduce((sum, { Days }) => sum + Days, 0)
  if (whole === 0) return 0
  return Math.round(billOf(of, whole, months[bill] as number, NO_BILL_TERMS).Total * 100)
}

/** Number of sampling points for prices between the earlier energy and the later. */
const STEPS = 8

/** Cost of each line's change: its kWh by part and band × the mean marginal price. */
function shareOfLines(
  input: ChangeInput,
  prices: EarlierPrices,
  { weather, now }: Energies,
  lines: readonly Steps[],
): number[] {
  const [from, to] = [bandsOf(input, prices, weather), bandsOf(input, prices, now)]
  const mean = meanPrices(input, prices, from, to)
  return lines.map((line) => {
    const change = bandsOf(
      input,
      prices,
      line.now.map((kWh, slot) => kWh - (line.weather[slot] as number)),
    )
    return change.reduce(
      (sum, bands, part) =>
        sum + entriesOf(bands).reduce((of, [band, kWh]) => of + kWh * (mean[part]?.[band] ?? 0), 0),
      0,
    )
  })
}

/** Mean marginal price by part and band between two energies, cents per kWh. */
function meanPrices(input: ChangeInput, prices: EarlierPrices, from: ByPart, to: ByPart): ByPart {
  const means = from.map((): Partial<Record<Band, number>> => ({}))
  for (let step = 0; step < STEPS; step++) {
    const at = from.map((bands, part) => {
      const between: Partial<Record<Band, number>> = {}
      for (const [band, kWh] of entriesOf({ ...bands, ...to[part] })) {
        const [was, is] = [bands[band] ?? 0, to[part]?.[band] ?? kWh]
        between[band] = Math.max(0, was + (is - was) * ((step + 0.5) / STEPS))
      }
      return between
    })
    for (const [part, bands] of at.entries())
      for (const [band, kWh] of entriesOf(bands)) {
        // A difference large enough that rounding is negligible, and small enough to cross few price steps.
        const by = Math.max(50, kWh / 100)
        const [low, high] = [Math.max(0, kWh - by), kWh + by]
        const centsAt = (energy: number) =>
          oneBill(
            input,
            prices,
            prices.parts[part]?.bill ?? 0,
            at.map((one, i) => (i === part ? { ...one, [band]: energy } : one)),
            input.days.now,
            prices.peaks.base,
          )
        const of = means[part] as Partial<Record<Band, number>>
        of[band] = (of[band] ?? 0) + (centsAt(high) - centsAt(low)) / (high - low) / STEPS
      }
  }
  return means
}

const entriesOf = (bands: Partial<Record<Band, number>>) => Object.entries(bands) as [Band, number][]

/** Distributes a total in integer cents: the difference is shared by size, and the last cents go to the largest. */
function inCents(amounts: readonly number[], whole: number): number[] {
  const size = amounts.reduce((sum, one) => sum + Math.abs(one), 0)
  const lack = whole - amounts.reduce((sum, one) => sum + one, 0)
  const cents = amounts.map((one) =>
    Math.round(one + (size > 0 ? (Math.abs(one) / size) * lack : lack / amounts.length)),
  )
  const left = whole - cents.reduce((sum, one) => sum + one, 0)
  const largest = amounts.reduce(
    (best, one, i) => (Math.abs(one) > Math.abs(amounts[best] ?? 0) ? i : best),
    0,
  )
  if (cents.length) cents[largest] = (cents[largest] as number) + left
  return cents.map((one) => one + 0)
}
