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
import { type Direction, type Unit, unitOf } from './headings.ts'
import type { SeriesOrder } from './rows.ts'
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
type ReadingCore = Pick<Sources, 'raw' | 'order' | 'instants' | 'judged' | 'uneven'> & { kind: ImportKind }

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
  const named = metersByName(context.meters)
  const ofFile = context.fileNames
    .map((name) => named.get(normalizeName(name)))
    .find((uid) => uid !== undefined)
  // A file that is named after another meter than that of the page is nobody's.
  const isOtherFile = ofFile !== undefined && context.meter !== undefined && ofFile !== context.meter
  const only = isOtherFile
    ? undefined
    : (context.meter ?? ofFile ?? (context.meters.length === 1 ? context.meters[0]?.uid : undefined))
  const directions = new Set(raw.sources.map(({ direction }) => direction))
  const names = new Set(raw.sources.map(({ meterText, heading }) => meterText || heading))
  return raw.sources.map((source, series) => {
    const { heading, meterText, column, direction, directionText } = source
    const byName = named.get(normalizeName(meterText)) ?? named.get(normalizeName(withoutUnit(heading)))
    // One meter with its two directions, or one series: the site's only meter, or the one that the user came from.
    const isOne =
      raw.sources.length === 1 ||
      (raw.sources.length === directions.size && (meterText === '' || names.size === 1))
    const base = byName ?? (isOne ? only : undefined)
    const uid =
      base === undefined ? null : direction === 'export' && raw.sources.length > 1 ? `${base}.return` : base
    const isHeadingNeeded = meterText === '' || new Set(raw.sources.map((each) => each.heading)).size > 1
    const name = [meterText, directionText, isHeadingNeeded ? heading : '']
      .filter((text) => text !== '')
      .join(' · ')
    if (uid !== null)
      facts.add(
        'meter',
        uid,
        byName ? 'stated' : 'derived',
        byName ? 'name' : context.meter ? 'page' : ofFile ? 'fileName' : 'onlyMeter',
        name,
        name || null,
      )
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
