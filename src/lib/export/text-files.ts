import { FIELD_UNITS, formatIso, formatWall, formatCell, type ExportPlan, type Rows } from './table.ts'

/** Marks a CSV as UTF-8 for spreadsheets. */
export const BYTE_ORDER_MARK = '\uFEFF'
/** Start of a cell that spreadsheets would evaluate as a formula; some also accept full-width signs. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/

/** Text as a CSV cell: quoted if necessary, and with a leading apostrophe if a spreadsheet would evaluate it. */
export function csvText(text: string): string {
  const safe = FORMULA.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) || safe !== safe.trim() ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** Parts of a text file in the order in which they are written. */
export interface TextFile {
  head(meter: number): string
  rows(rows: Rows, first: boolean): string
  tail: string
}

/** CSV for spreadsheets (RFC 4180): byte-order mark, header, one line per row; numbers are not quoted. */
export function csvFile(plan: ExportPlan): TextFile {
  const { zone, columns, decimals } = plan
  const places = columns.map(({ field }) => plan.fields.indexOf(field))
  const stride = plan.fields.length + 1
  return {
    head: () =>
      `${BYTE_ORDER_MARK}${[plan.timeHeading, plan.isoHeading, ...columns.map(({ heading }) => heading)].map(csvText).join(',')}\r\n`,
    rows(rows) {
      let text = ''
      for (let at = 0; at < rows.length; at += stride) {
        const timestamp = rows[at] as number
        text += `${formatWall(timestamp, zone)},${formatIso(timestamp, zone)}`
        for (const [index, place] of places.entries()) {
          const { field, marks } = columns[index] as (typeof columns)[number]
          const value = rows[at + 1 + place] as number
          if (marks) text += `,${csvText(marks[value]?.word ?? '')}`
          else text += Number.isNaN(value) ? ',' : `,${formatCell(value, field, decimals)}`
        }
        text += '\r\n'
      }
      return text
    },
    tail: '',
  }
}

/** JSON with wire names: metadata with the units of the fields, then rows; null if there is no value. */
export function jsonFile(plan: ExportPlan): TextFile {
  const { zone, columns, decimals } = plan
  const places = columns.map(({ field }) => plan.fields.indexOf(field))
  const stride = plan.fields.length + 1
  const Units = Object.fromEntries(
    columns.flatMap(({ field, unit = FIELD_UNITS[field] }) => (unit ? [[field, unit]] : [])),
  )
  return {
    head: (meter) =>
      `${JSON.stringify({ ...plan.about, ...plan.meters[meter], TimeZone: zone, Units }).slice(0, -1)},"Rows":[`,
    rows(rows, first) {
      let text = ''
      for (let at = 0; at < rows.length; at += stride) {
        const timestamp = rows[at] as number
        text += `${first && at === 0 ? '' : ','}\n{"Timestamp":${timestamp},"Time":"${formatIso(timestamp, zone)}"`
        for (const [index, place] of places.entries()) {
          const { field, marks } = columns[index] as (typeof columns)[number]
          const value = rows[at + 1 + place] as number
          const json = marks
            ? JSON.stringify(marks[value]?.name ?? null)
            : Number.isNaN(value)
              ? 'null'
              : formatCell(value, field, decimals)
          text += `,"${field}":${json}`
        }
        text += '}'
      }
      return text
    },
    tail: '\n]}\n',
  }
}
