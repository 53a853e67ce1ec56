import sax, { type Tag } from 'sax'
import { FileRefused } from './file-fault.ts'
import { MAX_LINES } from './grid.ts'

/** Maximum depth of elements: a feed has eight levels. */
const MAX_DEPTH = 32
/** Maximum length of the text of an element in characters. */
const MAX_TEXT_LENGTH = 10_000
/** Number of characters that are parsed at a time. */
const CHUNK_LENGTH = 2 ** 20

/** An entry of an Atom feed, with its links as paths. */
export interface AtomEntry {
  /** Name of the element that it contains: UsagePoint, MeterReading, ReadingType, IntervalBlock … */
  kind: string
  title: string
  self: string
  up: string
  related: string[]
}

/** Meaning of readings; fields have the names and codes of ESPI. */
export type ReadingType = Partial<Record<TypeField, number>>
const TYPE_FIELDS = [
  'accumulationBehaviour',
  'flowDirection',
  'intervalLength',
  'powerOfTenMultiplier',
  'uom',
] as const
type TypeField = (typeof TYPE_FIELDS)[number]

export interface EspiReading {
  entry: AtomEntry
  /** Line in the file, from 1. */
  line: number
  /** Epoch seconds. */
  start: number | undefined
  /** Seconds. */
  duration: number | undefined
  value: number | undefined
  quality: number | undefined
  /** Start and value as written. */
  text: string
}

export interface EspiFeed {
  entries: AtomEntry[]
  types: Map<AtomEntry, ReadingType>
  readings: EspiReading[]
}

/** Root elements of files that are read. */
const ROOTS = ['feed', 'entry']

/** Entries and readings of an ESPI feed. Errors: FileRefused. */
export function parseEspi(text: string): EspiFeed {
  const feed: EspiFeed = { entries: [], types: new Map(), readings: [] }
  const parser = sax.parser(true, { position: true })
  const reader = createFeedReader(feed, () => parser.line + 1)
  Object.assign(parser, {
    ondoctype() {
      throw new FileRefused('xmlEntities')
    },
    onerror() {
      throw new FileRefused('notRead')
    },
    onopentag: reader.open,
    ontext: reader.addText,
    oncdata: reader.addText,
    onclosetag: reader.close,
  } satisfies FeedHandlers)
  try {
    for (let at = 0; at < text.length; at += CHUNK_LENGTH) parser.write(text.slice(at, at + CHUNK_LENGTH))
    parser.close()
  } catch (error) {
    throw error instanceof FileRefused ? error : new FileRefused('notRead')
  }
  if (!feed.entries.some(({ kind }) => kind === 'IntervalBlock')) throw new FileRefused('unknownXml')
  return feed
}

/** Handlers of the parser's events that a feed needs. */
interface FeedHandlers {
  ondoctype: () => void
  onerror: () => void
  onopentag: (tag: Tag) => void
  ontext: (text: string) => void
  oncdata: (text: string) => void
  onclosetag: () => void
}

const emptyEntry = (): AtomEntry => ({ kind: '', title: '', self: '', up: '', related: [] })

/** Texts of an interval reading, by the names of its elements. */
const READING_FIELDS = ['start', 'duration', 'value', 'quality'] as const
type ReadingTexts = Record<(typeof READING_FIELDS)[number], string>
const emptyReading = (): ReadingTexts => ({ start: '', duration: '', value: '', quality: '' })

/** Handlers of the parser's events, which collect what readings need. */
function createFeedReader(feed: EspiFeed, lineNow: () => number) {
  const path: string[] = []
  let text = ''
  let entry = emptyEntry()
  let reading = emptyReading()
  let line = 0
  const parent = () => path.at(-1) ?? ''

  const open = ({ name: fullName, attributes }: Tag) => {
    const name = localName(fullName)
    if (path.length >= MAX_DEPTH || (path.length === 0 && !ROOTS.includes(name)))
      throw new FileRefused('unknownXml')
    text = ''
    if (name === 'entry') entry = emptyEntry()
    else if (name === 'link' && parent() === 'entry') addLink(entry, attributes)
    else if (parent() === 'content') entry.kind = name
    else if (name === 'IntervalReading') {
      reading = emptyReading()
      line = lineNow()
    }
    path.push(name)
  }

  const close = () => {
    const name = path.pop() ?? ''
    const value = text.trim()
    text = ''
    if (name === 'entry') feed.entries.push(entry)
    else if (name === 'title' && parent() === 'entry') entry.title = value
    else if (parent() === 'ReadingType') setType(feed, entry, name, value)
    else if (name === 'IntervalReading') addReading()
    else if (path.includes('IntervalReading')) {
      const field = READING_FIELDS.find((known) => known === name)
      // A reading may state several qualities, of which the first is kept.
      if (field && reading[field] === '') reading[field] = value
    }
  }

  const addReading = () => {
    if (feed.readings.length >= MAX_LINES) throw new FileRefused('tooManyRows')
    feed.readings.push({
      entry,
      line,
      start: numberOf(reading.start),
      duration: numberOf(reading.duration),
      value: numberOf(reading.value),
      quality: numberOf(reading.quality),
      text: `${reading.start} ${reading.value}`,
    })
  }

  const addText = (more: string) => {
    if (text.length + more.length > MAX_TEXT_LENGTH) throw new FileRefused('tooWide')
    text += more
  }
  return { open, close, addText }
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1)

function setType(feed: EspiFeed, entry: AtomEntry, name: string, value: string): void {
  const field = TYPE_FIELDS.find((known) => known === name)
  const number = numberOf(value)
  if (!field || number === undefined) return
  feed.types.set(entry, { ...feed.types.get(entry), [field]: number })
}

function addLink(entry: AtomEntry, attributes: Record<string, string>): void {
  const path = (attributes['href'] ?? '').replace(/^https?:\/\/[^/]*/i, '').replace(/^\/|\/$/g, '')
  if (attributes['rel'] === 'self') entry.self = path
  else if (attributes['rel'] === 'up') entry.up = path
  else if (attributes['rel'] === 'related') entry.related.push(path)
}

const INTEGER = /^[+-]?\d{1,15}(?:\.\d+)?$/
const numberOf = (text: string): number | undefined => (INTEGER.test(text) ? Number(text) : undefined)
