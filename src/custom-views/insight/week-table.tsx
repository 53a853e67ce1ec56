import type { LoadProfile } from '../../../contract/procedures/insight.ts'
import { useLanguage, useT } from '../../lib/i18n/i18n.ts'
import { useFigures } from '../../domain/energy/use-figures.ts'
import page from '../../ui/page/page.module.css'
import styles from './insight.module.css'

const DAYS = [0, 1, 2, 3, 4, 5, 6] as const
const HOURS = Array.from({ length: 24 }, (_, hour) => hour)
/** Monday, 5 January 1970. */
const A_MONDAY = 4 * 86_400_000
/** So much of the colour the highest mean has: black and white letters can be read on it. */
const MOST_COLOR = 45

/** The mean power of each hour of the week as a table: the stronger the colour, the more. */
export function WeekTable({ cells }: { cells: LoadProfile['Week'] }) {
  const t = useT()
  const figures = useFigures()
  const language = useLanguage()
  const format = new Intl.DateTimeFormat(language, { weekday: 'short', timeZone: 'UTC' })
  const highest = Math.max(0, ...cells.map(({ MeanKw }) => MeanKw ?? 0))
  return (
    <div className={page.scroll}>
      <table className={`${page.table} ${page.figures} ${styles.week}`}>
        <caption className={page.note}>{t('insight:profile.weekCaption')}</caption>
        <thead>
          <tr>
            <th scope="col">{t('insight:profile.hour')}</th>
            {DAYS.map((day) => (
              <th key={day} scope="col">
                {format.format(A_MONDAY + day * 86_400_000)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {HOURS.map((hour) => (
            <tr key={hour}>
              <th scope="row">{String(hour).padStart(2, '0')}:00</th>
              {DAYS.map((day) => {
                const { MeanKw = null, Hours = 0 } = cells[day * 24 + hour] ?? {}
                const part = MeanKw === null || highest <= 0 ? 0 : Math.max(0, MeanKw / highest)
                return (
                  <td
                    key={day}
                    style={{
                      background: `color-mix(in srgb, var(--accent) ${Math.round(part * MOST_COLOR)}%, transparent)`,
                    }}
                  >
                    {MeanKw === null ? '–' : figures(MeanKw)}
                    <span className="visually-hidden"> {t('insight:profile.behind', { hours: Hours })}</span>
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
