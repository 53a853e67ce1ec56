import type { ImportKind } from '../../../../contract/meters/meter-import.ts'
import {
  disambiguateNames,
  FILE_NAME,
  safeFileName,
  SHEET_NAME,
  sheetNames,
} from '../../../lib/export/file-names.ts'
import type { OpenedFile } from '../../../lib/spreadsheet/grid.ts'
import type { Facts, MeterName, ReadingContext } from './facts.ts'
import { type Direction, type Unit, unitOf, UNITS } from './headings.ts'
import { isGeneration, sourceName } from './row-signs.ts'
import type { RawRows, SeriesOrder } from './rows.ts'
import type { Step } from './time.ts'
import { energyOf, type Sources } from './value-facts.ts'

/** Figures of one meter in a file. */
export interface Series {
  name: string
  column: number
  direction: Direction | undefined
  unit: Unit
  /** Undefined for counter readings and for rows with their own ends. */
  step: Step | undefined
  rows: number
  /** First and last time in the file, epoch ms. */
  from: number
  through: number
  /** Energy: the sum of intervals, or the increase of a counter. */
  kWh: number
  /** Meter that the file or the site determines; null if the user must choose. */
  uid: string | null
}

/** Reading without its series. */
type ReadingCore = Pick<
  Sources,
  'raw' | 'order' | 'instants' | 'endInstants' | 'lengths' | 'classifications' | 'uneven'
> & {
  kind: ImportKind
}

/** Texts beside the cells that may name the only meter of a file: its own name, and that of its sheet. */
export const meterNamesOf = (file: OpenedFile, { fileName = '' }: ReadingContext) => ({
  fileNames: [file.joined ? '' : (file.sheets[file.sheet] ?? ''), fileName.replace(/\.[^.]*$/, '')],
})

export function describeSeries(
  core: ReadingCore,
  units: readonly Unit[],
  steps: readonly (Step | undefined)[],
  context: ReadingContext & { fileNames: readonly string[] },
  facts: Facts,
): Series[] {
  const { raw, order, instants, kind } = core
  const found = findMeters(raw, units, context)
  const isHeadingNeeded = new Set(raw.sources.map((each) => each.heading)).size > 1
  return raw.sources.map((source, series) => {
    const { column, direction } = source
    const name = sourceName(source, isHeadingNeeded)
    const { uid, evidence } = found[series] as FoundMeter
    if (uid !== null)
      facts.add('meter', uid, evidence === 'name' ? 'stated' : 'derived', evidence, name, name || null)
    const { from, to } = order.spans[series] as SeriesOrder['spans'][number]
    return {
      name,
      column,
      direction,
      unit: units[series] ?? 'kWh',
      step: kind === 'counter' ? undefined : steps[series],
      rows: to - from,
      from: instants[order.order[from] as number] ?? 0,
      through: instants[order.order[to - 1] as number] ?? 0,
      kWh: energyOf(core, series, units[series] ?? 'kWh', steps[series]),
      uid,
    }
  })
}

/** Heading without the unit behind it, `1F (kWh)`. */
const withoutUnit = (heading: string): string =>
  heading.replace(/\s*[[(（][^[\](（)）]*[\])）]\s*$/, (unit) => (unitOf(unit) ? '' : unit))

interface FoundMeter {
  uid: string | null
  evidence: string
}

/**
 * Meter of each series: that of its name; of one series, or of one with its other direction, that of the page or the file, or the site's
 * only meter. The user chooses where two series would be the same meter's, such as its use and its net energy.
 */
function findMeters(
  { sources }: RawRows,
  units: readonly Unit[],
  context: ReadingContext & { fileNames: readonly string[] },
): FoundMeter[] {
  const named = metersByName(context.meters)
  const ofFile = context.fileNames
    .map((name) => named.get(normalizeName(name)))
    .find((uid) => uid !== undefined)
  // A file that is named after another meter than that of the page is nobody's.
  const isOtherFile = ofFile !== undefined && context.meter !== undefined && ofFile !== context.meter
  const chosen = isOtherFile ? undefined : (context.meter ?? ofFile)
  const siteMeter = isOtherFile || context.meters.length !== 1 ? undefined : context.meters[0]?.uid
  const [first] = sources
  const directions = new Set(sources.map(({ direction }) => direction))
  const names = new Set(sources.map(({ meterText }) => meterText))
  // A net series does not say which of its signs is which direction.
  const isSigned = sources.some(({ sign }) => sign !== undefined)
  const isOne =
    sources.length === 1 ||
    (sources.length === 2 &&
      directions.has('import') &&
      directions.has('export') &&
      names.size === 1 &&
      !isSigned)
  // What is returned may be that of the plant's meter or of the grid's; what a plant generates is not the site's only meter's.
  const isUnknown = sources.length === 1 && first?.direction === 'export'
  const isOwn = sources.length === 1 && first !== undefined && isGeneration(first)
  const only = !isOne || isUnknown ? undefined : (chosen ?? (isOwn ? undefined : siteMeter))
  const found = sources.map((source, series): FoundMeter => {
    const { heading, meterText, direction, sign } = source
    const byText = named.get(normalizeName(meterText))
    const byHeading = named.get(normalizeName(withoutUnit(heading)))
    const isPowerToo =
      UNITS[units[series] ?? 'kWh'].isPower &&
      sources.some((other, at) => other.meterText === meterText && !UNITS[units[at] ?? 'kWh'].isPower)
    const base = byText ?? byHeading ?? only
    if (base === undefined || sign !== undefined || (byText !== undefined && isPowerToo))
      return { uid: null, evidence: '' }
    const isReturn = direction === 'export' && (sources.length > 1 || byText !== undefined)
    return {
      uid: isReturn ? `${base}.return` : base,
      evidence:
        byText !== undefined || byHeading !== undefined
          ? 'name'
          : context.meter
            ? 'page'
            : ofFile
              ? 'fileName'
              : 'onlyMeter',
    }
  })
  return found.map((each) =>
    found.filter(({ uid }) => uid === each.uid).length === 1 ? each : { uid: null, evidence: '' },
  )
}

/** Whether a heading is the name of a meter of the site, with or without a unit behind it. */
export function createIsMeter(meters: readonly MeterName[]): (heading: string) => boolean {
  const names = new Set(meters.flatMap(({ uid, name }) => [normalizeName(uid), normalizeName(name)]))
  names.delete('')
  return (heading) => names.has(normalizeName(heading)) || names.has(normalizeName(withoutUnit(heading)))
}

/** Normalized name for comparison: width, case and surrounding blanks are ignored. */
export const normalizeName = (text: string): string => text.normalize('NFKC').trim().toLowerCase()

/**
 * Meters by id and by name, also as files and sheets of an export are named after them; a name shared by two meters identifies none.
 */
export function metersByName(meters: readonly MeterName[]): Map<string, string | undefined> {
  const byName = new Map<string, string | undefined>()
  const set = (name: string, uid: string) => {
    const known = byName.get(name)
    byName.set(name, byName.has(name) && known !== uid ? undefined : uid)
  }
  const list = meters.map(({ uid, name }) => ({ PeripheralUID: uid, PeripheralName: name }))
  const [files, sheets] = [FILE_NAME, SHEET_NAME].map((length) => disambiguateNames(list, length))
  for (const [at, { uid, name }] of meters.entries())
    for (const text of new Set([name, safeFileName(files?.[at] ?? ''), ...sheetNames([sheets?.[at] ?? ''])]))
      set(normalizeName(text), uid)
  for (const { uid } of meters) byName.set(normalizeName(uid), uid)
  byName.delete('')
  return byName
}
