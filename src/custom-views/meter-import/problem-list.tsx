import { columnName } from '../../lib/spreadsheet/column-name.ts'
import { useLanguage, useT } from '../../lib/i18n/i18n.ts'
import type { RowProblem } from './reading/rows.ts'

/** Maximum number of problems shown; the rest are counted. */
const MAX_SHOWN = 100

/** Line of a place, as spreadsheets write it: `12`, or `Sheet!12` if the file has several. */
export const lineText = ({ line, sheet }: { line: number; sheet?: string | undefined }): string =>
  sheet === undefined ? String(line) : `${sheet}!${line}`

/** Cells that cannot be imported, with their places and reasons. */
export function ProblemList({ problems, count }: { problems: readonly RowProblem[]; count: number }) {
  const t = useT()
  const number = new Intl.NumberFormat(useLanguage())
  return (
    <details open>
      <summary>{t('meterImport:problems', { count: number.format(count) })}</summary>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrollable area must be reachable by keyboard */}
      <ul tabIndex={0}>
        {problems.slice(0, MAX_SHOWN).map(({ line, column, sheet, reason, value }) => (
          <li key={`${sheet} ${line} ${column} ${reason}`}>
            {t('meterImport:problem', {
              line: lineText({ line, sheet }),
              column: columnName(column),
              value: value === '' ? t('meterImport:blank') : value,
              reason: t(`meterImport:reasons.${reason}`),
            })}
          </li>
        ))}
      </ul>
      {count > MAX_SHOWN && (
        <p>{t('meterImport:moreProblems', { count: number.format(count - MAX_SHOWN) })}</p>
      )}
    </details>
  )
}
