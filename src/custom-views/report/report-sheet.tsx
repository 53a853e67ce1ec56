import {
  formatCell,
  isFigure,
  type ReportDocument,
  type ReportSection,
  type ReportTable,
  type ReportWords,
} from '../../../contract/reports/document.ts'
import { useCompany } from '../../data/personal.ts'
import type { Language } from '../../lib/i18n/words.ts'
import { ReportBars } from './report-bars.tsx'
import styles from './report.module.css'

/** Maximum number of rows of a table that stays on one page. */
const MOST_WHOLE = 20

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
    <article className={styles.sheet} lang={language} aria-label={title}>
      <table className={styles.pages} role="presentation">
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
  const isWhole = (table?.rows.length ?? 0) <= MOST_WHOLE
  return (
    <section className={isWhole ? `${styles.section} ${styles.whole}` : styles.section}>
      <h3>{title}</h3>
      {chart && <ReportBars chart={chart} words={words} />}
      {table && <Figures title={title} table={table} />}
      {notes.map((note) => (
        <p key={note} className={styles.note}>
          {note}
        </p>
      ))}
    </section>
  )
}

function Figures({ title, table: { columns, rows, foot } }: { title: string; table: ReportTable }) {
  const isEnd = (i: number) => isFigure(columns[i] ?? { title: '' })
  const cells = (line: ReportTable['rows'][number]) =>
    line.map((cell, i) =>
      i === 0 && !isEnd(0) ? (
        <th key={i} scope="row">
          {formatCell(cell, columns[i] ?? { title: '' })}
        </th>
      ) : (
        <td key={i} className={isEnd(i) ? styles.figure : undefined}>
          {formatCell(cell, columns[i] ?? { title: '' })}
        </td>
      ),
    )
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a table wider than a phone must be scrollable by keyboard
    <div className={styles.scroll} role="group" aria-label={title} tabIndex={0}>
      <table className={styles.table} aria-label={title}>
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
