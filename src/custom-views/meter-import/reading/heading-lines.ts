import type { Grid } from '../../../lib/spreadsheet/grid.ts'
import { cellText, detectFormats } from './time.ts'

/** Maximum number of lines above the body that are headings. */
export const MAX_HEADING_LINES = 3

export const isFullDate = (text: string): boolean =>
  text.length >= 8 && /\d\D\d/.test(text) && detectFormats([text]).read > 0

/** Lines of annotations that InfluxDB writes above the headings. */
const ANNOTATION = /^#(?:group|datatype|default|constant)\b/i

/** Headings of times in the upper of two lines of headings. */
const TIME_HEAD =
  /^(?:time|date|datum|zeit|uhrzeit|fecha|hora|data|ora|heure|horodat\w*|timestamp|start|end|from|von|period|日期|時間|時刻|日時|年月日)(?!\s*(?:zone|offset|of|range|printed|generated|created|exported))/i

/** Headings of the columns, joined from the lines right above the body, and the text above them. */
export function headingsOf(grid: Grid, first: number, width: number, body: Grid, timeColumn: number) {
  const lines: number[] = []
  const bodyWidth = body.reduce((widest, line) => Math.max(widest, line.length), 0)
  let texts: string[][] = []
  for (let line = first - 1; line >= 0 && lines.length < MAX_HEADING_LINES; line--) {
    const cells = (grid[line] ?? []).map(cellText)
    const filled = cells.filter((text) => text !== '').length
    if (filled === 0) {
      if (lines.length > 0) break
      continue
    }
    const [start = ''] = cells
    // Comments and annotations are no headings; dates in a line are those of a title.
    const isComment = ANNOTATION.test(start) || (start.startsWith('#') && filled === 1)
    if (isComment || cells.some(isFullDate)) {
      if (lines.length > 0) break
      continue
    }
    const below = Array.from({ length: width }, (_, column) => texts.some((each) => each[column]))
    // A label and its value above the headings, such as a time zone or a contract, are a title.
    const label = cells[timeColumn] ?? ''
    const isLabel = label !== '' && below[timeColumn] === true && !TIME_HEAD.test(label)
    if (isLabel && !isMergedLine(cells, below, timeColumn)) break
    // A title has one cell or two; only the first line above the body, and a line of merged cells, may be that short.
    if (
      lines.length > 0 &&
      !isMergedLine(cells, below, timeColumn) &&
      (filled < Math.max(2, bodyWidth / 2) || filled > bodyWidth)
    )
      break
    lines.unshift(line)
    texts = [mergedTexts(cells, below), ...texts]
  }
  const headings = Array.from({ length: width }, (_, column) =>
    texts
      .map((each) => each[column] ?? '')
      .filter((text) => text !== '')
      .join(' '),
  )
  const titleLines = grid.slice(0, lines[0] ?? first).map((line) => line.map(cellText))
  const title = titleLines
    .flat()
    .filter((text) => text !== '')
    .join(' ')
    .slice(0, 4_000)
  const headingCells = Array.from({ length: width }, (_, column) =>
    lines.map((line) => cellText(grid[line]?.[column])),
  )
  return { headings, headingCells, headLine: lines, title, titleLines }
}

/**
 * Whether a line above other headings has merged cells, each above several of them. The heading of the times is merged with the blank
 * below it, or blank above its own.
 *
 * below  columns that have a heading below this line
 */
function isMergedLine(cells: readonly string[], below: readonly boolean[], timeColumn: number): boolean {
  const groups = cells.flatMap((text, column) => (column === timeColumn || text === '' ? [] : [column]))
  if (groups.length === 0 || !groups.some((column) => below[column])) return false
  if ((cells[timeColumn] ?? '') !== '') return below[timeColumn] === false
  return groups.every((column) => column > timeColumn && (!below[column] || (cells[column + 1] ?? '') === ''))
}

/** Texts of a line of headings; a cell that is merged over several headings is the text of all of them. */
function mergedTexts(cells: readonly string[], below: readonly boolean[]): string[] {
  let group = ''
  return below.map((hasHeading, column) => {
    const own = cells[column] ?? ''
    if (own !== '' || !hasHeading) group = hasHeading ? own : ''
    return own || group
  })
}
