/** Texts in a report's language, from the namespaces `report`, `tariff` and `energy` of the locales. */
export interface ReportWords {
  /** Translates a key and fills in values; `count` selects the plural form. */
  text(key: string, values?: Readonly<Record<string, string | number>>): string
  has(key: string): boolean
}

/** Text, number, or null if unknown. */
export type Cell = string | number | null

/** Table column: numbers have `decimals`, texts have none. Numbers, and texts that represent one (12.3 %), are right-aligned. */
export interface ReportColumn {
  title: string
  decimals?: number
  isFigure?: true
}

/** Whether a column is right-aligned. */
export const isFigure = ({ decimals, isFigure: isNumeric }: ReportColumn): boolean =>
  decimals !== undefined || isNumeric === true

export interface ReportTable {
  columns: readonly ReportColumn[]
  rows: readonly (readonly Cell[])[]
  /** Totals row. */
  foot?: readonly Cell[]
}

/** Bars next to those of the year before. */
export interface ReportChart {
  /** Accessible description. */
  title: string
  unit: string
  bars: readonly { label: string; value: number | null; before: number | null }[]
}

export interface ReportSection {
  /** Unique among the sections. */
  key: string
  title: string
  chart?: ReportChart
  table?: ReportTable
  notes: readonly string[]
  /** Omitted from emails: long, and shown on the page. */
  isDetail?: boolean
}

/** Text form of a report. Pages, emails and workbooks render it, so that all have the same content. */
export interface ReportDocument {
  title: string
  /** Site and period. */
  subtitle: string
  /** Facts on every page: time of computation, coverage, factor and source. */
  facts: readonly string[]
  /** Whole sentences, most important first. */
  summary: readonly string[]
  sections: readonly ReportSection[]
}

/** Formats a cell for pages and emails; a dash for null. */
export function formatCell(cell: Cell | undefined, { decimals = 0 }: ReportColumn): string {
  if (cell === null || cell === undefined) return '—'
  if (typeof cell === 'string') return cell
  return cell.toLocaleString('en-US', { minimumFractionDigits: decimals, maximumFractionDigits: decimals })
}
