import { useStore, type Store } from '../../lib/store.ts'
import { useLanguage, useT } from '../../lib/i18n/i18n.ts'
import { useThemeMode } from '../theme/theme-mode.ts'
import styles from './chart.module.css'
import type { ChartSpan, ChartStrip, Inset, ChartView } from './model.ts'
import { formatWhen } from '../../../contract/time/format-time.ts'

interface Props {
  strips: readonly ChartStrip[]
  view: ChartView
  layout: Store<Inset>
  zone: string
}

/** Minimum share of the view for a span that shows its name. */
const MIN_LABELLED_SHARE = 0.06
/** Widths of a character, px: a name that does not fit is hidden if a wider span already shows it. */
const WIDE_LETTER = 12
const LETTER = 7

/** Approximate width of a name, px. */
const widthOf = (name: string): number =>
  [...name].reduce((sum, letter) => sum + (letter > '\u2e80' ? WIDE_LETTER : LETTER), 0)

/** Rows of coloured spans below the plot, on the same time axis. */
export function Strips({ strips, view, layout, zone }: Props) {
  const inset = useStore(layout)
  const t = useT()
  const language = useLanguage()
  const mode = useThemeMode()
  const length = view.to - view.from
  const plotWidth = inset.width - inset.left - inset.right
  const shareOf = ({ from, to }: ChartSpan) => (Math.min(to, view.to) - Math.max(from, view.from)) / length
  const second = (at: number) => formatWhen(at, language, zone, 'second')
  const canFit = (span: ChartSpan) => shareOf(span) * plotWidth >= widthOf(span.label)
  return (
    <ul
      className={styles.strips}
      style={{
        ...(inset.width > 0 && { maxWidth: inset.width }),
        paddingLeft: inset.left,
        paddingRight: inset.right,
      }}
    >
      {strips.map(({ key, label, named, spans }) => {
        const fittingLabels = new Set(spans.filter(canFit).map((span) => span.label))
        return (
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
                const share = shareOf(span)
                // The legend below the chart explains hatching.
                const isUnlabelled =
                  share < MIN_LABELLED_SHARE ||
                  ((span.unknown || fittingLabels.has(span.label)) && !canFit(span))
                const periodText = `${second(span.from)} – ${second(span.to)}`
                return [
                  <span
                    key={span.from}
                    className={span.unknown ? `${styles.span} ${styles.unknown}` : styles.span}
                    title={`${span.label} ${periodText}`}
                    style={{
                      left: `${((from - view.from) / length) * 100}%`,
                      width: `${share * 100}%`,
                      ...(!span.unknown && { borderTopColor: span.color[mode] }),
                    }}
                  >
                    <span className={isUnlabelled ? 'visually-hidden' : undefined}>{span.label}</span>
                  </span>,
                ]
              })}
            </span>
          </li>
        )
      })}
    </ul>
  )
}
