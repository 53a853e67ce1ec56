import type { DecodedText } from './decode-text.ts'
import { FileRefused } from './file-fault.ts'
import {
  addRow,
  createRecordRows,
  openedRecords,
  LONG_HEADING,
  type OpenedFile,
  type RecordRows,
  skipRecord,
} from './grid.ts'
import { type AtomEntry, type EspiFeed, type EspiReading, type ReadingType, parseEspi } from './espi-feed.ts'

/**
 * Reads a Green Button file (ESPI, NAESB REQ.21): a row for each reading, with times in UTC. Its local time parameters only state how
 * people see those times. Readings of a counter have no `To`.
 *
 * errors  FileRefused: `xmlEntities` for a document type, `unknownXml` for other XML
 */
export function readGreenButton({ text, encoding }: DecodedText): OpenedFile {
  const feed = parseEspi(text)
  const rows = createRecordRows(LONG_HEADING)
  const links = linkEntries(feed)
  for (const reading of feed.readings) addReading(rows, reading, links.get(reading.entry))
  if (rows.grid.length === 1) throw new FileRefused('empty')
  return openedRecords(rows, 'greenButton', encoding)
}

/** Units by their number in ESPI (UnitSymbolKind). */
const UNITS: ReadonlyMap<number, string> = new Map([
  [5, 'A'],
  [29, 'V'],
  [31, 'J'],
  [33, 'Hz'],
  [38, 'W'],
  [42, 'm³'],
  [61, 'VA'],
  [63, 'var'],
  [65, 'cos φ'],
  [71, 'VAh'],
  [72, 'Wh'],
  [73, 'varh'],
  [106, 'Ah'],
  [119, 'ft³'],
  [128, 'US gal'],
  [132, 'Btu'],
  [134, 'L'],
  [169, 'therm'],
])
/** Forward is what the customer receives, reverse what is fed into the grid. */
const DIRECTIONS: ReadonlyMap<number, string> = new Map([
  [1, 'import'],
  [4, 'net'],
  [19, 'export'],
  [20, 'total'],
])
/** Bulk quantity, continuously cumulative, cumulative: what a register shows. */
const COUNTERS: ReadonlySet<number> = new Set([1, 2, 3])
/** Quality of a reading, with the characters that NEM12 uses: actual, estimated, substituted. */
const QUALITIES: ReadonlyMap<number, string> = new Map([
  [0, 'A'],
  [7, 'S'],
  [8, 'E'],
  [9, 'E'],
  [10, 'questionable'],
  [11, 'derived'],
  [12, 'E'],
  [13, 'mixed'],
  [14, 'A'],
  [15, 'normalized'],
  [16, 'other'],
  [17, 'A'],
  [18, 'A'],
  [19, 'A'],
])

/** Meter and type of the readings of an entry. */
interface ReadingSource {
  meter: string
  type: ReadingType
}

function addReading(rows: RecordRows, reading: EspiReading, source: ReadingSource | undefined): void {
  const { line, start, value, text } = reading
  if (!source) return skipRecord(rows, line, 'noReadingType', text)
  const { type, meter } = source
  const isCounter = COUNTERS.has(type.accumulationBehaviour ?? 0)
  const seconds = reading.duration ?? type.intervalLength
  const from = isoOf(start)
  const to = isCounter
    ? ''
    : isoOf(start === undefined || seconds === undefined ? undefined : start + seconds)
  if (from === undefined || to === undefined) return skipRecord(rows, line, 'noTime', text)
  if (value === undefined) return skipRecord(rows, line, 'notNumber', text)
  const unit = type.uom === undefined ? '' : (UNITS.get(type.uom) ?? `ESPI ${type.uom}`)
  const direction = DIRECTIONS.get(type.flowDirection ?? 0) ?? ''
  const quality = QUALITIES.get(reading.quality ?? -1) ?? ''
  addRow(rows, line, [
    from,
    to,
    meter,
    scale(value, type.powerOfTenMultiplier ?? 0),
    unit,
    direction,
    quality,
  ])
}

/** Product with a power of ten; divides for negative ones, which are inexact as factors. */
const scale = (value: number, exponent: number): number =>
  exponent < 0 ? value / 10 ** -exponent : value * 10 ** exponent

/** Maximum of a time in epoch seconds, in the year 9999. */
const MAX_SECONDS = 253_402_300_799

function isoOf(seconds: number | undefined): string | undefined {
  if (seconds === undefined || seconds < 0 || seconds > MAX_SECONDS) return undefined
  return `${new Date(Math.round(seconds) * 1000).toISOString().slice(0, 19)}Z`
}

/** Meter and reading type of each entry of intervals, by the links between the entries of the feed. */
function linkEntries({ entries, types }: EspiFeed): Map<AtomEntry, ReadingSource> {
  const ofKind = (kind: string) => entries.filter((entry) => entry.kind === kind)
  const meterReadings = ofKind('MeterReading')
  const typeEntries = ofKind('ReadingType')
  const names = nameMeters(meterReadings, ofKind('UsagePoint'))
  const sources = new Map<AtomEntry, ReadingSource>()
  for (const block of ofKind('IntervalBlock')) {
    const meterReading = parentOf(block, meterReadings)
    const related = typeEntries.find((entry) => meterReading?.related.includes(entry.self))
    const typeEntry = related ?? (typeEntries.length === 1 ? typeEntries[0] : undefined)
    const type = typeEntry && types.get(typeEntry)
    if (type) sources.set(block, { type, meter: (meterReading && names.get(meterReading)) ?? '' })
  }
  return sources
}

/** Entry below which another is: by its links, or the only one. */
function parentOf(entry: AtomEntry, parents: readonly AtomEntry[]): AtomEntry | undefined {
  const linked = parents.find(
    ({ self, related }) =>
      related.includes(entry.self) ||
      (entry.up !== '' && (entry.up === self || related.includes(entry.up))) ||
      (self !== '' && (entry.up.startsWith(`${self}/`) || entry.self.startsWith(`${self}/`))),
  )
  return linked ?? (parents.length === 1 ? parents[0] : undefined)
}

/** Distinct names of meter readings: the title of the usage point, and if there are several also their own. */
function nameMeters(
  meterReadings: readonly AtomEntry[],
  usagePoints: readonly AtomEntry[],
): Map<AtomEntry, string> {
  const names = new Map<AtomEntry, string>()
  const usedNames = new Set<string>()
  for (const meterReading of meterReadings) {
    const place = parentOf(meterReading, usagePoints)?.title ?? ''
    const titles = meterReadings.length === 1 && place !== '' ? [place] : [place, meterReading.title]
    const title = [...new Set(titles)].filter((text) => text !== '').join(' · ') || meterReading.self
    let name = title
    for (let number = 2; usedNames.has(name); number++) name = `${title} ${number}`
    usedNames.add(name)
    names.set(meterReading, name)
  }
  return names
}
