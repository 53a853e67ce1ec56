import { formatDay, formatMinute, parseDay } from '../time/periods.ts'

/** Fields of windows, seasons and versions that the checks use; defined in `tariff-terms.ts`. */
interface Window {
  FromMinute: number
  ThroughMinute: number
  Band: string
}
interface Season {
  From: string
  Through: string
  Windows: Readonly<Record<string, readonly Window[]>>
  Prices: Readonly<Record<string, number | undefined>>
  Tiers: readonly { ThroughKwh: number | null }[]
}
interface Version {
  ValidFrom: string
  ValidThrough: string | null
  Kind: 'tiered' | 'timeOfUse' | 'flat'
  Seasons: readonly Season[]
}

/** Reason to reject a tariff, beyond the validation of single fields. */
export interface TariffProblem {
  path: (string | number)[]
  reason: 'hole' | 'overlap' | 'required' | 'tooSmall'
}

/** Finds gaps and overlaps in a range that parts must cover exactly once; ends are exclusive. */
function faultsOf(
  parts: readonly { from: number; to: number }[],
  begin: number,
  end: number,
): { reason: 'hole' | 'overlap'; from: number; to: number }[] {
  const faults: { reason: 'hole' | 'overlap'; from: number; to: number }[] = []
  let covered = begin
  for (const { from, to } of parts.toSorted((a, b) => a.from - b.from)) {
    if (from > covered) faults.push({ reason: 'hole', from: covered, to: from })
    if (from < covered) faults.push({ reason: 'overlap', from, to: Math.min(covered, Math.max(to, from)) })
    covered = Math.max(covered, to)
  }
  if (covered < end) faults.push({ reason: 'hole', from: covered, to: end })
  return faults
}

/** Minutes of a day that the windows omit or repeat: `hole` or `overlap` at `09:00-10:00`. */
const problemsOfWindows = (windows: readonly Window[]): TariffProblem[] =>
  faultsOf(
    windows.map(({ FromMinute, ThroughMinute }) => ({ from: FromMinute, to: ThroughMinute })),
    0,
    1440,
  ).map(({ reason, from, to }) => ({ path: [`${formatMinute(from)}-${formatMinute(to)}`], reason }))

// A leap year.
const LEAP = parseDay('2024-01-01')
const NEXT = parseDay('2025-01-01')
const dateOf = (day: number): string => formatDay(day).slice(5)

/** Days of the year that the seasons omit or repeat: `hole` or `overlap` at `06-01/06-30`. */
export const problemsOfSeasons = (seasons: readonly Pick<Season, 'From' | 'Through'>[]): TariffProblem[] =>
  faultsOf(
    seasons.flatMap(({ From, Through }) => {
      const [from, to] = [parseDay(`2024-${From}`), parseDay(`2024-${Through}`) + 1]
      return from < to
        ? [{ from, to }]
        : [
            { from, to: NEXT },
            { from: LEAP, to },
          ]
    }),
    LEAP,
    NEXT,
  ).map(({ reason, from, to }) => ({ path: [`${dateOf(from)}/${dateOf(to - 1)}`], reason }))

const under = (path: TariffProblem['path'], problems: TariffProblem[]): TariffProblem[] =>
  problems.map((problem) => ({ ...problem, path: [...path, ...problem.path] }))

/** Contradictions within a version: windows, seasons, tiers, a band without a price. */
export function problemsOfVersion(version: Version): TariffProblem[] {
  const problems = under(['Seasons'], problemsOfSeasons(version.Seasons))
  if (version.ValidThrough !== null && version.ValidThrough < version.ValidFrom)
    problems.push({ path: ['ValidThrough'], reason: 'tooSmall' })
  for (const [i, season] of version.Seasons.entries())
    problems.push(...under(['Seasons', i], problemsOfSeason(version.Kind, season)))
  return problems
}

function problemsOfSeason(kind: Version['Kind'], season: Season): TariffProblem[] {
  if (kind === 'tiered') return under(['Tiers'], problemsOfTiers(season.Tiers))
  if (kind === 'flat')
    return season.Prices.flat === undefined ? [{ path: ['Prices', 'flat'], reason: 'required' }] : []
  const problems: TariffProblem[] = []
  const bands = new Set<string>()
  for (const [day, windows] of Object.entries(season.Windows)) {
    problems.push(...under(['Windows', day], problemsOfWindows(windows)))
    for (const [i, { FromMinute, ThroughMinute, Band }] of windows.entries()) {
      bands.add(Band)
      if (ThroughMinute <= FromMinute)
        problems.push({ path: ['Windows', day, i, 'ThroughMinute'], reason: 'tooSmall' })
    }
  }
  for (const band of bands)
    if (season.Prices[band] === undefined) problems.push({ path: ['Prices', band], reason: 'required' })
  return problems
}

/** Violations of the tier order: limits must increase, and the last tier has none. */
function problemsOfTiers(tiers: Season['Tiers']): TariffProblem[] {
  if (tiers.length === 0) return [{ path: [], reason: 'required' }]
  const problems: TariffProblem[] = []
  for (const [i, { ThroughKwh }] of tiers.entries()) {
    const last = i === tiers.length - 1
    const before = tiers[i - 1]?.ThroughKwh ?? 0
    if (last && ThroughKwh !== null) problems.push({ path: [i, 'ThroughKwh'], reason: 'hole' })
    if (!last && ThroughKwh === null) problems.push({ path: [i, 'ThroughKwh'], reason: 'required' })
    if (ThroughKwh !== null && ThroughKwh <= before)
      problems.push({ path: [i, 'ThroughKwh'], reason: 'tooSmall' })
  }
  return problems
}

/** Days that the versions omit or repeat: `hole` or `overlap` at `2025-01-01/2025-01-31`. */
export function problemsOfVersions(
  versions: readonly Pick<Version, 'ValidFrom' | 'ValidThrough'>[],
): TariffProblem[] {
  const parts = versions.map(({ ValidFrom, ValidThrough }) => ({
    from: parseDay(ValidFrom),
    to: ValidThrough === null ? Number.MAX_SAFE_INTEGER : parseDay(ValidThrough) + 1,
  }))
  const begin = Math.min(...parts.map(({ from }) => from))
  const end = Math.max(...parts.map(({ to }) => to))
  return faultsOf(parts, begin, end).map(({ reason, from, to }) => ({
    path: [`${formatDay(from)}/${to === Number.MAX_SAFE_INTEGER ? '' : formatDay(to - 1)}`],
    reason,
  }))
}
