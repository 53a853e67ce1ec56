import { toTraditional } from './chinese.ts'
import { isUnitAlone, measureOf, type Measure, UNIT_HEAD } from './headings.ts'
import { isNumber } from './numbers.ts'
import { zonesOf, type ZoneGroups } from './zone-words.ts'

/** Cells of each line above the headings. */
type TitleLines = readonly (readonly string[])[]

const ZONE_LABEL =
  /時區|time ?zone|(?<![a-z])tz(?![a-z])|zeitzone|fuseau(?: horaire)?|huso(?: horario)?|zona horaria|fuso(?: orario| horário)?|tijdzone|(?:utc|gmt) ?(?:offset|時差)|offset (?:from|to) utc|時差/i
/** Words before a zone that occur elsewhere, too. */
const TIMES_IN =
  /(?<![a-z])times? (?:(?:is|are) )?(?:shown |given |stated )?in(?![a-z])|(?<![a-z])zeiten in(?![a-z])/i
/** Values of such a label that mean the site's own zone. */
const LOCAL = /^(?:the )?(?:local|site|plant|lokal|本地|當地|現場)/i
const DATE = /\d{4}[-/.]\d{1,2}(?:[-/.]\d{1,2})?|\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4}/g
/** Zone behind a period. */
const OFFSET_BEHIND = /\d\s*[[(（]?(?:utc|gmt|[a-z]+\/[a-z_]+)/i
const BRACKETS = /[[(（]([^[\]()（）]*)[\])）]/g
const UNIT_LABEL = new RegExp(
  `(?:${UNIT_HEAD.source})(?:\\s+of\\s+measure(?:ment)?)?(?:\\s+(?:is|are|in))*[\\s:：=]*`,
  'i',
)
const IN_UNIT = /(?<![a-z])in\s+([^\s,;.]+)\s*(?=$|[,;.)\]）])/gi

/** A statement of a title, and the cell that contains it. */
export interface TitleStatement<Value> {
  value: Value
  text: string
}

/** Texts behind a label: in its cell, or else in the next cell, and in the cell below. */
export function labelled(lines: TitleLines, label: RegExp): TitleStatement<string>[] {
  return lines.flatMap((line, at) =>
    line.flatMap((cell, column) => {
      const match = label.exec(toTraditional(cell))
      if (!match) return []
      const rest = cell.slice(match.index + match[0].length).replace(/^[\s:：=()（）]+/, '')
      const texts =
        rest === '' ? [line.slice(column + 1).find((text) => text !== ''), lines[at + 1]?.[column]] : [rest]
      return texts
        .filter((text) => text !== undefined && text !== '')
        .map((value) => ({ value: value as string, text: rest === '' ? `${cell} ${value}` : cell }))
    }),
  )
}

/**
 * Unit that a title states: behind a label such as 單位, or else alone in a cell, in brackets, or behind "in". A unit behind a figure is
 * that of the figure, and one before a figure, too.
 *
 * returns  undefined without a unit, or with several
 */
export function titleMeasure(lines: TitleLines): TitleStatement<Measure> | undefined {
  const ofLabels = labelled(lines, UNIT_LABEL).flatMap(({ value, text }) =>
    measuresOf(value.split(/[,;、|]/), text),
  )
  return only(ofLabels) ?? (ofLabels.length > 0 ? undefined : only(lines.flatMap(loneUnits)))
}

function loneUnits(line: readonly string[]): TitleStatement<Measure>[] {
  return line.flatMap((cell, at) => {
    const next = line.slice(at + 1).find((text) => text !== '')
    if (isNumber(next)) return []
    if (isUnitAlone(cell)) return /\d/.test(cell) ? [] : measuresOf([cell], cell)
    const bracketed = [...cell.matchAll(BRACKETS)].filter(
      (match) =>
        !/\d\s*$/.test(cell.slice(0, match.index)) &&
        !/^[\s:：=]*\d/.test(cell.slice(match.index + match[0].length)),
    )
    // A single character in brackets may be part of a name.
    const texts = [...bracketed, ...cell.matchAll(IN_UNIT)]
      .map(([, text = '']) => text)
      .filter((text) => text.trim().length > 1 || text === '度')
    return measuresOf(texts, cell)
  })
}

const measuresOf = (texts: readonly string[], text: string): TitleStatement<Measure>[] =>
  texts.flatMap((each) => {
    const value = isUnitAlone(each) ? measureOf(each) : undefined
    return value ? [{ value, text }] : []
  })

const only = (found: readonly TitleStatement<Measure>[]): TitleStatement<Measure> | undefined =>
  found.every(({ value }) => value.unit === found[0]?.value.unit && value.scale === found[0]?.value.scale)
    ? found[0]
    : undefined

/** Zones that a title states, and whether it is about the times of the table. A zone behind a timestamp is that of the timestamp. */
export function titleZones(
  lines: TitleLines,
): (TitleStatement<ZoneGroups> & { isSure: boolean }) | undefined {
  const labels = labelled(lines, ZONE_LABEL).filter(({ value }) => !LOCAL.test(value))
  for (const { value, text } of [...labels, ...labelled(lines, TIMES_IN)]) {
    const zones = zonesOf(/^[+−-]?\d{1,2}(?::?\d{2})?$/.test(value) ? `(${value})` : value)
    if (zones) return { value: zones, text, isSure: true }
  }
  const [unreadable] = labels
  if (unreadable) return { value: [], text: unreadable.text, isSure: true }
  // A lone UTC, or one behind the first and last time of a report, may be that of something else: it is asked.
  for (const cell of lines.flat()) {
    const dates = [...cell.matchAll(DATE)].length
    if (dates === 1) continue
    const isStated =
      dates === 0 &&
      (/^[[(（]?(?:[a-z_]+\/[a-z_/]+|utc)[\])）]?$/i.test(cell.trim()) ||
        /(?<![a-z])(?:utc|gmt)\s?[+−-]\s?\d/i.test(cell))
    const isMentioned =
      isStated || /(?<![a-z])utc(?![a-z])/i.test(cell) || (dates > 1 && OFFSET_BEHIND.test(cell))
    const value = isMentioned ? zonesOf(cell) : undefined
    if (value) return { value, text: cell, isSure: isStated }
  }
  return undefined
}
