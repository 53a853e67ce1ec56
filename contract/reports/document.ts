/** The words of a report's language, from the namespaces `report`, `tariff` and `energy` of the locales. */
export interface ReportWords {
  /** A text filled with values; `count` chooses its plural form. */
  text(key: string, values?: Readonly<Record<string, string | number>>): string
  has(key: string): boolean
}

/** A text, a figure, or nothing that is known. */
export type Cell = string | number | null

/** A column of a table: figures have so many decimals, texts have none. Figures, and texts that are one (12.3 %), end at a line. */
export interface ReportColumn {
  title: string
  decimals?: number
  isFigure?: true
}

/** Whether a column ends at a line. */
export const isFigure = ({ decimals, isFigure: is }: ReportColumn): boolean =>
  decimals !== undefined || is === true

export interface ReportTable {
  columns: readonly ReportColumn[]
  rows: readonly (readonly Cell[])[]
  /** What the rows come to. */
  foot?: readonly Cell[]
}

/** Bars beside those of the year before. */
export interface ReportChart {
  /** What it shows, for who cannot see it. */
  title: string
  unit: string
  bars: readonly { label: string; value: number | null; before: number | null }[]
}

export interface ReportSection {
  /** Of its own among the sections. */
  key: string
  title: string
  chart?: ReportChart
  table?: ReportTable
  notes: readonly string[]
  /** Left out of letters: long, and on the page. */
  isDetail?: boolean
}

/** A report in words: pages, letters and workbooks draw this, so that all say the same. */
export interface ReportDocument {
  title: string
  /** Whose and of when. */
  subtitle: string
  /** What stands on every page: as of, coverage, factor and source. */
  facts: readonly string[]
  /** Whole sentences: what matters first. */
  summary: readonly string[]
  sections: readonly ReportSection[]
}

/** Figures as pages and letters write them; a dash for nothing that is known. */
export function formatCell(cell: Cell | undefined, { decimals = 0 }: ReportColumn): string {
  if (cell === null || cell === undefined) return '—'
  if (typeof cell === 'string') return cell
  return cell.toLocaleString('en-US', { minimumFractionDigits: decimals, maximumFractionDigits: decimals })
}
