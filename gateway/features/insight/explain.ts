import { isDeepStrictEqual } from 'node:util'
import type { insight, LineState } from '../../../contract/energy/insight-calls.ts'
import type { InputOf, ResultsOf } from '../../../contract/kernel/define-endpoint.ts'
import {
  type ChangeInput,
  type ChangeLine,
  type ChangeComponent,
  explainChange,
  type SlotEnergy,
} from '../../../contract/tariffs/explain-change.ts'
import { leastComputed } from '../../../contract/energy/meter-data-calls.ts'
import { insteadOf } from '../../../contract/energy/compared-days.ts'
import { dayOf, formatDay } from '../../../contract/time/periods.ts'
import { weatherChange, weatherEffectOf } from './logic/weather-effect.ts'
import { PRICED_DAY_TYPES } from '../../../contract/tariffs/tariff-terms.ts'
import type { Handler } from '../../kernel/context.ts'
import type { Clock } from '../../kernel/ports.ts'
import { comparedDays, type DayWindow, daysTouched } from './days.ts'
import { centsOf, type BillDivision, divisionOf, peaksOf, windowsOf } from './earlier-prices.ts'
import { quartersOf } from './load-profile.ts'
import type { HomeClock } from '../../domain/homes/find-home.ts'
import type { BoughtByMember, EnergyOfHomes, InsightPorts, LoadDay, MemberLine } from './logic/ports.ts'

type Call = (typeof insight)['explainChange']
type Weather = ResultsOf<Call>['Weather']

/** Maximum number of days of one comparison. */
const MAX_DAYS = 400
/** Minimum share of days with a known temperature, on either side, for the weather to be considered. */
const WEATHER_KNOWN = 0.8

/** One side of a comparison. */
interface Side extends BoughtByMember {
  days: DayWindow
  /** Energy bought, by day. */
  loads: ReadonlyMap<number, LoadDay>
}

/** §ExplainChange. */
export const explainHandler =
  (clock: Pick<Clock, 'now'>, { energy, readBilling }: InsightPorts): Handler<Call> =>
  async (input, { db, actor }): Promise<ResultsOf<Call>> => {
    const { tenant } = actor
    const home = await energy.readHome(tenant, input.HomeID)
    const HasBalance = await energy.hasBalance(tenant, home)
    const requestedDays = daysTouched(input.From, input.To, home.zone, MAX_DAYS)
    const billing = await readBilling(db, tenant, home)
    const today = dayOf(clock.now(), home.zone)
    const percents: (number | undefined)[] = []
    const loadOf = async ({ from, end }: DayWindow) => {
      percents.push(await energy.computedPercent(tenant, home, from, end))
      return energy.loadProfile(tenant, home, from, end)
    }
    let Against = input.Against
    let days = comparedDays(requestedDays, Against, today)
    if (!days) return { Now: null, Base: null, Against, HasBalance, Rows: [], Weather: 'unknown' }
    let before = await loadOf(days.base)
    if (Against.startsWith('lastYear') && !isAnyKnown(before)) {
      Against = insteadOf(requestedDays)
      days = comparedDays(requestedDays, Against, today) as NonNullable<typeof days>
      before = await loadOf(days.base)
    }
    const loads = { base: before, now: await loadOf(days.now) }
    const amounts = {
      base: centsOf(days.base, billing, loads.base),
      now: centsOf(days.now, billing, loads.now),
    }
    const isPriced = amounts.base !== null && amounts.now !== null
    const division = divisionOf(days.base, days.now, billing, isPriced)
    const members = (side: 'base' | 'now') =>
      membersOf(energy, tenant, home, input.By, division, side, days[side])
    const base: Side = { days: days.base, loads: loads.base, ...(await members('base')) }
    const now: Side = { days: days.now, loads: loads.now, ...(await members('now')) }
    const { change, lineOf } = inputOf(division, base, now)
    // Weather changes the consumption of a home, not its generation.
    const used = HasBalance
      ? await energy.loadProfile(tenant, home, base.days.from, base.days.end, 'consumption')
      : base.loads
    const weather = await readWeather(energy, tenant, home, division, base, now, change, used)
    const rows = explainChange({
      ...change,
      weather: weather.byLine,
      prices: isPriced
        ? {
            months: division.months,
            parts: division.parts,
            bandOf: division.bandOf,
            peaks: {
              base: peaksOf(division, days.base, division.partOf.base, loads.base, home.zone),
              now: peaksOf(division, days.now, division.partOf.now, loads.now, home.zone),
            },
            amounts: { base: amounts.base as number, now: amounts.now as number },
          }
        : null,
    })
    return {
      Now: periodOf(now, amounts.now),
      Base: periodOf(base, amounts.base),
      Against,
      HasBalance,
      Rows: mergeRows(rows, lineOf, statesOf(base, now)),
      Weather: weather.said,
      PeakDays: billing.lackingPeakDays(
        [days.base, days.now].map(({ from, end }) => ({ FromDay: from, EndDay: end })),
      ),
      ComputedPercent: leastComputed(percents),
    }
  }

const isAnyKnown = (loads: ReadonlyMap<number, LoadDay>): boolean =>
  [...loads.values()].some(({ known }) => known > 0)

/** Energy of each meter of each line, by slot of a side. */
const membersOf = (
  energy: EnergyOfHomes,
  tenant: string,
  home: HomeClock,
  by: InputOf<Call>['By'],
  division: BillDivision,
  side: 'base' | 'now',
  { from, end }: DayWindow,
): Promise<BoughtByMember> => {
  const parts = Math.max(1, division.parts.length)
  const days = Array.from({ length: end - from }, (_, i) => {
    const day = from + i
    const place = division.partOf[side](day) * PRICED_DAY_TYPES.length + division.kindOf(day)
    return { day, windows: windowsOf(division, place, day, quartersOf(day, home.zone), home.zone) }
  })
  const slots = parts * PRICED_DAY_TYPES.length * division.cells.length
  return energy.boughtByMember(tenant, home, by, days, slots)
}

/** Both sides line by line, each meter of a line by itself, and the line that each belongs to. */
function inputOf(
  division: BillDivision,
  base: Side,
  now: Side,
): { change: Omit<ChangeInput, 'weather' | 'prices'>; lineOf: ReadonlyMap<string, MemberLine> } {
  const [kinds, cells] = [PRICED_DAY_TYPES.length, division.cells.length]
  const places = Math.max(1, division.parts.length) * kinds
  const [previous, current] = [byKey(base.members), byKey(now.members)]
  const lineOf = new Map([...base.members, ...now.members].map((member) => [member.key, member]))
  const energyOf = (member: MemberLine | undefined): SlotEnergy => ({
    kWh: member?.kWh ?? new Float64Array(places * cells),
    known: ofPlaces(member?.known, places, cells),
    due: ofPlaces(member?.due, places, cells),
  })
  const lines = [...lineOf.keys()].map((key): ChangeLine => ({
    key,
    isFlow: lineOf.get(key)?.isFlow ?? false,
    base: energyOf(previous.get(key)),
    now: energyOf(current.get(key)),
  }))
  const count = ({ days }: Side, partOf: (day: number) => number) => {
    const counts = new Int32Array(places)
    for (let day = days.from; day < days.end; day++)
      (counts[partOf(day) * kinds + division.kindOf(day)] as number) += 1
    return counts
  }
  return {
    change: {
      parts: places / kinds,
      kinds,
      cells,
      days: { base: count(base, division.partOf.base), now: count(now, division.partOf.now) },
      lines,
      lacking:
        base.lacking || now.lacking
          ? {
              base: base.lacking ?? new Float64Array(places * cells),
              now: now.lacking ?? new Float64Array(places * cells),
            }
          : undefined,
    },
    lineOf,
  }
}

const byKey = (members: readonly MemberLine[]) => new Map(members.map((member) => [member.key, member]))

/** Sums counts of slots by place; the counts of a day may all be in its first slot. */
function ofPlaces(counts: Float64Array | undefined, places: number, cells: number): Float64Array {
  const sums = new Float64Array(places)
  if (counts)
    for (const [slot, count] of counts.entries()) (sums[Math.floor(slot / cells)] as number) += count
  return sums
}

/**
 * Change of each line due to the weather, if it is known: distributed over all lines, including untracked energy, in
 * proportion to their consumption; 0 for flows.
 *
 * loads  consumption of the home in the earlier period
 */
async function readWeather(
  energy: EnergyOfHomes,
  tenant: string,
  home: HomeClock,
  { kindOf }: BillDivision,
  base: Side,
  now: Side,
  { lines }: Pick<ChangeInput, 'lines'>,
  loads: ReadonlyMap<number, LoadDay>,
): Promise<{ said: Weather; byLine: number[] | undefined }> {
  const outdoor = {
    base: await energy.readOutdoor(tenant, home, base.days.from, base.days.end),
    now: await energy.readOutdoor(tenant, home, now.days.from, now.days.end),
  }
  const isKnown = (known: ReadonlyMap<number, number>, { from, end }: DayWindow) =>
    known.size >= WEATHER_KNOWN * (end - from)
  if (!isKnown(outdoor.base, base.days) || !isKnown(outdoor.now, now.days))
    return { said: 'unknown', byLine: undefined }
  const effect = weatherEffectOf(
    [...outdoor.base].flatMap(([day, celsius]) => {
      const load = loads.get(day)
      if (!load || load.complete < 0.9 * load.total) return []
      return [{ kWh: load.kWh.reduce((sum, one) => sum + one, 0), celsius, kind: kindOf(day) }]
    }),
  )
  if (!effect) return { said: 'noEffect', byLine: undefined }
  const length = now.days.end - now.days.from
  const change = weatherChange(effect, [...outdoor.base.values()], [...outdoor.now.values()], length)
  const used = lines.map(({ isFlow, base: of }) => (isFlow ? 0 : of.kWh.reduce((sum, one) => sum + one, 0)))
  const all = used.reduce((sum, one) => sum + one, 0)
  return { said: 'counted', byLine: used.map((one) => (all > 0 ? (one / all) * change : 0)) }
}

/** Energy and cost of a side, and the share of its intervals that is known. */
function periodOf({ days, loads, members, lacking }: Side, cents: number | null): ResultsOf<Call>['Now'] {
  let [known, complete, total] = [0, 0, 0]
  for (const load of loads.values()) {
    known += load.known
    complete += load.complete
    total += load.total
  }
  const sum = (kWh: Float64Array) => kWh.reduce((of, one) => of + one, 0)
  return {
    From: formatDay(days.from),
    Through: formatDay(days.end - 1),
    kWh: members.reduce((of, { kWh }) => of + sum(kWh), lacking ? sum(lacking) : 0),
    Amount: cents === null ? null : cents / 100,
    Known: total ? Math.min(1, known / total) : 0,
    Complete: total ? Math.min(1, complete / total) : 0,
  }
}

/** Key of the row that a member is summed into. */
const rowKey = ({ line, isFlow }: Pick<MemberLine, 'line' | 'isFlow'>): string =>
  `${isFlow ? 'flow' : 'line'}/${line}`

/** State of each member: that of its line, or `moved` if its meter was part of another line in the other period. */
function statesOf(base: Side, now: Side): (member: MemberLine) => LineState {
  const withData = ({ members }: Side) =>
    members.filter(({ known, due }) => known.some((one) => one > 0) || due.some((one) => one > 0))
  const sides = [withData(base), withData(now)] as const
  const [previous, current] = sides.map((members) => new Set(members.map(rowKey))) as [
    Set<string>,
    Set<string>,
  ]
  const [previousLines, currentLines] = sides.map((members) => {
    const lines = new Map<string, Set<string>>()
    for (const member of members)
      lines.set(member.meter, (lines.get(member.meter) ?? new Set()).add(rowKey(member)))
    return lines
  }) as [Map<string, Set<string>>, Map<string, Set<string>>]
  return (member) => {
    const [before, after] = [previousLines.get(member.meter), currentLines.get(member.meter)]
    if (before && after && !isDeepStrictEqual(before, after)) return 'moved'
    const key = rowKey(member)
    return previous.has(key) === current.has(key) ? 'changed' : current.has(key) ? 'new' : 'removed'
  }
}

/** Removes negligible rows, e.g. remainders of rounding; adds their amounts to the largest row. */
function withoutCrumbs(rows: readonly ChangeComponent[]): ChangeComponent[] {
  const isLine = ({ kind }: ChangeComponent) => kind === 'line' || kind === 'flow'
  const isSomething = (row: ChangeComponent) =>
    Math.abs(row.kWh) > 1e-6 ||
    (row.cents !== null && (isLine(row) ? Math.abs(row.cents) > 5 : row.cents !== 0))
  const shownRows = rows.filter(isSomething)
  const restCents = rows.reduce((sum, row) => (isSomething(row) ? sum : sum + (row.cents ?? 0)), 0)
  if (restCents === 0) return shownRows
  const size = (row: ChangeComponent) => Math.abs(row.cents ?? 0)
  const largest = (shownRows.length ? shownRows : rows).reduce((largestSoFar, row) =>
    size(row) > size(largestSoFar) ? row : largestSoFar,
  )
  const more = { ...largest, cents: (largest.cents ?? 0) + restCents }
  return shownRows.length ? shownRows.map((row) => (row === largest ? more : row)) : [more]
}

/** Sums the meters of a line into one row, and those that moved into another. */
function mergeRows(
  rows: readonly ChangeComponent[],
  memberOf: ReadonlyMap<string, MemberLine>,
  stateOf: (member: MemberLine) => LineState,
): ResultsOf<Call>['Rows'] {
  const found = new Map<string, ChangeComponent>()
  for (const row of rows) {
    const member = row.kind === 'line' || row.kind === 'flow' ? memberOf.get(row.key) : undefined
    const one: ChangeComponent = member
      ? { ...row, key: member.line, state: stateOf(member) }
      : { ...row, key: '', state: null }
    const id = `${one.kind}/${one.key}/${one.state === 'moved'}`
    const before = found.get(id)
    found.set(
      id,
      before
        ? {
            ...before,
            kWh: before.kWh + row.kWh,
            cents: before.cents === null || row.cents === null ? null : before.cents + row.cents,
          }
        : one,
    )
  }
  const all = withoutCrumbs([...found.values()])
  const largest = (kind: ChangeComponent['kind']) =>
    all.filter((row) => row.kind === kind).toSorted((a, b) => Math.abs(b.kWh) - Math.abs(a.kWh))
  const first = all.filter(({ kind }) => !['line', 'flow', 'demand', 'prices'].includes(kind))
  const last = all.filter(({ kind }) => kind === 'demand' || kind === 'prices')
  return [...first, ...largest('line'), ...largest('flow'), ...last].map(
    ({ kind, key, state, kWh, cents }) => ({
      Kind: kind,
      Key: key,
      State: state,
      kWh,
      Amount: cents === null ? null : cents / 100,
    }),
  )
}
