import { useStore, type Store } from '../../lib/store.ts'
import { useLanguage, useT } from '../../providers/i18n.ts'
import { useThemeMode } from '../theme-mode.ts'
import styles from './chart.module.css'
import type { ChartStrip, Inset, View } from './model.ts'
import { formatMoment } from './time-ticks.ts'

interface Props {
  strips: readonly ChartStrip[]
  view: View
  layout: Store<Inset>
  zone: string
}

/** Narrower than this share of the view a span does not say its name. */
const NAMED = 0.06

/** Rows of coloured spans under the plot, on the same clock. */
export function Strips({ strips, view, layout, zone }: Props) {
  const inset = useStore(layout)
  const t = useT()
  const language = useLanguage()
  const mode = useThemeMode()
  const length = view.to - view.from
  return (
    <ul className={styles.strips} style={{ paddingLeft: inset.left, paddingRight: inset.right }}>
      {strips.map(({ key, label, named, spans }) => (
        <li key={key} aria-label={label}>
          {(named || strips.length > 1) && <span className={styles.stripName}>{label}</span>}
          <span className={styles.strip}>
            {!spans.some(({ from, to }) => from < view.to && to > view.from) && (
              <span className={styles.stripName}>{t('charts:missing')}</span>
            )}
            {spans.flatMap((span) => {
              const from = Math.max(span.from, view.from)
              const to = Math.min(span.to, view.to)
              if (to <= from) return []
              const share = (to - from) / length
              const when = `${formatMoment(span.from, zone, language)} – ${formatMoment(span.to, zone, language)}`
              return [
                <span
                  key={span.from}
                  className={styles.span}
                  title={`${span.label} ${when}`}
                  style={{
                    left: `${((from - view.from) / length) * 100}%`,
                    width: `${share * 100}%`,
                    borderTopColor: span.color[mode],
                  }}
                >
                  <span className={share < NAMED ? 'visually-hidden' : undefined}>{span.label}</span>
                </span>,
              ]
            })}
          </span>
        </li>
      ))}
    </ul>
  )
}
