import { formatAxis } from '../../../contract/kernel/numbers.ts'
import {
  formatCell,
  isFigure,
  type ReportDocument,
  type ReportSection,
  type ReportTable,
  type ReportWords,
  type ReportChart,
} from '../../../contract/reports/document.ts'
import { useCompany } from '../../data/personal.ts'
import type { Language } from '../../lib/i18n/words.ts'
import styles from './report.module.css'
import page from '../../ui/page/page.module.css'

/** Size and margins of the drawing, in its own units. */
const [WIDTH, HEIGHT] = [720, 200]
const [LEFT, BOTTOM, TOP] = [48, 22, 8]
const PLOT = HEIGHT - BOTTOM - TOP
/** Steps of the axis: 1, 2 or 5 times a power of ten. */
const NICE_FACTORS = [1, 2, 5, 10]
const LINES = 4

/** Highest line of an axis, and distance between its lines. */
function axisOf(maxValue: number): { top: number; step: number } {
  if (maxValue <= 0) return { top: 1, step: 1 }
  const power = 10 ** Math.floor(Math.log10(maxValue / LINES))
  const step = power * (NICE_FACTORS.find((factor) => factor * power * LINES >= maxValue) ?? 10)
  return { top: step * Math.ceil(maxValue / step), step }
}

/**
 * Bar of each day with an outline of the same day a year before, distinguishable without color. A day without data has a hatched background
 * and no bar.
 */
function ReportBars({ chart, words }: { chart: ReportChart; words: ReportWords }) {
  const { bars, title, unit } = chart
  const values = bars.flatMap(({ value, before }) => [value ?? 0, before ?? 0])
  const { top, step } = axisOf(Math.max(0, ...values))
  const width = (WIDTH - LEFT) / Math.max(1, bars.length)
  const y = (value: number) => TOP + PLOT * (1 - value / top)
  const lines = Array.from({ length: Math.round(top / step) + 1 }, (_, i) => i * step)
  const isUnknown = bars.some(({ value }) => value === null)
  return (
    <figure className={styles.figureBox}>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={title}>
        <defs>
          <pattern id="report-unknown" width="6" height="6" patternUnits="userSpaceOnUse">
            <path d="M0 6L6 0" className={styles.hatch} />
          </pattern>
        </defs>
        {lines.map((value) => (
          <g key={value}>
            <line x1={LEFT} x2={WIDTH} y1={y(value)} y2={y(value)} className={styles.grid} />
            <text x={LEFT - 6} y={y(value) + 4} textAnchor="end">
              {formatAxis(value, step)}
            </text>
          </g>
        ))}
        {bars.map(({ label, value, before }, i) => {
          const x = LEFT + i * width
          return (
            <g key={label}>
              {value === null ? (
                <rect x={x + 1} y={TOP} width={width - 2} height={PLOT} fill="url(#report-unknown)" />
              ) : (
                <rect
                  x={x + width * 0.2}
                  y={y(Math.max(0, value))}
                  width={width * 0.6}
                  height={(PLOT * Math.max(0, value)) / top}
                  className={styles.bar}
                />
              )}
              {before !== null && (
                <line
                  x1={x + width * 0.08}
                  x2={x + width * 0.92}
                  y1={y(before)}
                  y2={y(before)}
                  className={styles.before}
                />
              )}
              <text x={x + width / 2} y={HEIGHT - 6} textAnchor="middle">
                {label}
              </text>
            </g>
          )
        })}
      </svg>
      <figcaption>
        <span className={styles.keyBar} /> {words.text('report:legend.now')} ({unit})
        <span className={styles.keyLine} /> {words.text('report:legend.before')}
        {isUnknown && (
          <>
            <span className={styles.keyUnknown} /> {words.text('report:legend.unknown')}
          </>
        )}
      </figcaption>
    </figure>
  )
}

/** Maximum number of rows of a table that stays on one page. */
const MAX_UNSPLIT_ROWS = 20

interface Props {
  document: ReportDocument
  language: Language
  words: ReportWords
}

/**
 * A report as it is printed. The layout is one table, because browsers repeat a table's head and foot on each page: the logo above, and
 * coverage, factor and source below.
 */
export function ReportSheet({ document, language, words }: Props) {
  const company = useCompany()
  const { title, subtitle, facts, summary, sections } = document
  return (
    <article className={`print-alone ${styles.sheet}`} lang={language} aria-label={title}>
      <table className={`${page.fill} ${styles.pages}`} role="presentation">
        <thead>
          <tr>
            {/* oxlint-disable-next-line jsx-a11y/control-has-associated-label -- a cell with the company's name */}
            <td>
              <div className={styles.head}>
                <img src={company?.LogoUrl ?? '/favicon.svg'} alt="" height="28" />
                <span>{company?.LogoName || company?.CompanyName}</span>
              </div>
            </td>
          </tr>
        </thead>
        <tfoot>
          <tr>
            <td>
              <div className={styles.facts}>
                {facts.map((fact) => (
                  <span key={fact}>{fact}</span>
                ))}
              </div>
            </td>
          </tr>
        </tfoot>
        <tbody>
          <tr>
            <td>
              <h2 className={styles.title}>{title}</h2>
              <p className={styles.subtitle}>{subtitle}</p>
              <ul className={styles.summary}>
                {summary.map((sentence) => (
                  <li key={sentence}>{sentence}</li>
                ))}
              </ul>
              {sections.map((section) => (
                <Section key={section.key} section={section} words={words} />
              ))}
            </td>
          </tr>
        </tbody>
      </table>
    </article>
  )
}

function Section({ section, words }: { section: ReportSection; words: ReportWords }) {
  const { title, chart, table, notes } = section
  const isWhole = (table?.rows.length ?? 0) <= MAX_UNSPLIT_ROWS
  return (
    <section className={isWhole ? `${styles.section} ${styles.whole}` : styles.section}>
      <h3>{title}</h3>
      {chart && <ReportBars chart={chart} words={words} />}
      {table && <Figures title={title} table={table} language={words.language} />}
      {notes.map((note) => (
        <p key={note} className={styles.note}>
          {note}
        </p>
      ))}
    </section>
  )
}

interface FiguresProps {
  title: string
  table: ReportTable
  language: string
}

function Figures({ title, table: { columns, rows, foot }, language }: FiguresProps) {
  const isEnd = (i: number) => isFigure(columns[i] ?? { title: '' })
  const cells = (line: ReportTable['rows'][number]) =>
    line.map((cell, i) =>
      i === 0 && !isEnd(0) ? (
        <th key={i} scope="row">
          {formatCell(cell, columns[i] ?? { title: '' }, language)}
        </th>
      ) : (
        <td key={i} className={isEnd(i) ? styles.figure : undefined}>
          {formatCell(cell, columns[i] ?? { title: '' }, language)}
        </td>
      ),
    )
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a table wider than a phone must be scrollable by keyboard
    <div className={page.scroll} role="group" aria-label={title} tabIndex={0}>
      <table className={`${page.fill} ${page.figures} ${styles.table}`} aria-label={title}>
        <thead>
          <tr>
            {columns.map((column, i) => (
              <th key={column.title} scope="col" className={isEnd(i) ? styles.figure : undefined}>
                {column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((line, i) => (
            <tr key={i}>{cells(line)}</tr>
          ))}
        </tbody>
        {foot && (
          <tfoot>
            <tr>{cells(foot)}</tr>
          </tfoot>
        )}
      </table>
    </div>
  )
}
