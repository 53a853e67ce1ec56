import type { LoadProfile } from '../../../contract/energy/insight-calls.ts'
import { formatWeekday } from '../../lib/format-when.ts'
import { useLanguage, useT } from '../../lib/i18n/i18n.ts'
import { useEnergyFormat } from '../../domain/energy/use-figures.ts'
import page from '../../ui/page/page.module.css'
import styles from './insight.module.css'

/** As the cells stand: 0 is Monday. */
const DAYS = [0, 1, 2, 3, 4, 5, 6] as const
const HOURS = Array.from({ length: 24 }, (_, hour) => hour)
/** So much of the colour the highest mean has: black and white letters can be read on it. */
const MOST_COLOR = 45

/** The mean power of each hour of the week as a table: the stronger the colour, the more. */
export function WeekTable({ cells }: { cells: LoadProfile['Week'] }) {
  const t = useT()
  const figures = useEnergyFormat()
  const language = useLanguage()
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
                {formatWeekday((day + 1) % 7, language)}
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
