import { useT } from '../../providers/i18n.ts'
import { useThemeMode } from '../theme-mode.ts'
import styles from './chart.module.css'
import type { TimeSeries } from './model.ts'

interface Props {
  series: readonly TimeSeries[]
  hidden: ReadonlySet<string>
  toggle: (key: string) => void
}

/** Names the series by their colours; each hides its own and shows it again. */
export function Legend({ series, hidden, toggle }: Props) {
  const t = useT()
  const mode = useThemeMode()
  return (
    <ul className={styles.legend} aria-label={t('charts:legend')}>
      {series.map(({ key, label, color, draw, faint }) => (
        <li key={key}>
          <button type="button" aria-pressed={!hidden.has(key)} onClick={() => toggle(key)}>
            <span
              aria-hidden="true"
              className={draw === 'bars' ? styles.block : styles.stroke}
              style={{ background: color[mode], opacity: faint ? 0.5 : 1 }}
            />
            <span>{label}</span>
          </button>
        </li>
      ))}
    </ul>
  )
}
