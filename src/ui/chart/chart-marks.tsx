import { useId, useMemo, type ReactNode } from 'react'
import { nextStart } from '../../../contract/time/periods.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { missingSpans, partlySpans } from './bars.ts'
import page from '../page/page.module.css'
import styles from './chart.module.css'
import { gapSpans } from './gaps.ts'
import { lowerBound, type ChartModel, type ChartStrip, type ChartView } from './model.ts'
import { TILE } from './textures.ts'

const SIZE = 12
/** Bar in front of the hatched background of unknown times. */
const SHORT = { x: 3, y: 5, width: 6, height: 7 }

interface Props {
  model: ChartModel
  view: ChartView
  strips: readonly ChartStrip[]
}

/** Explains the marks on the bars, lines and strips in view, if there are any. */
export function ChartMarks({ model, view, strips }: Props) {
  const t = useT()
  const patternId = useId()
  const { estimated, unfinished, missing, partly, means } = useMemo(() => marksOf(model, view), [model, view])
  const unknown = strips.some(({ spans }) =>
    spans.some((span) => span.unknown && span.from < view.to && span.to > view.from),
  )
  if (!estimated && !unfinished && !missing && !partly && !means && !unknown) return null
  const sample = (
    className: string | undefined,
    slope: 'rising' | 'falling' | 'none',
    overlay?: ReactNode,
  ) => (
    <svg className={styles.swatch} width={SIZE} height={SIZE} aria-hidden="true">
      <rect x={0.5} y={0.5} width={SIZE - 1} height={SIZE - 1} rx={2} className={className ?? ''} />
      {slope !== 'none' && (
        <>
          <pattern id={`${patternId}${slope}`} width={TILE} height={TILE} patternUnits="userSpaceOnUse">
            <path
              d={slope === 'rising' ? `M-1,${TILE + 1} L${TILE + 1},-1` : `M-1,-1 L${TILE + 1},${TILE + 1}`}
              className={slope === 'rising' ? (styles.overBar ?? '') : (styles.overGround ?? '')}
            />
          </pattern>
          <rect width={SIZE} height={SIZE} rx={2} fill={`url(#${patternId}${slope})`} />
        </>
      )}
      {overlay}
    </svg>
  )
  return (
    <ul className={`${page.wideRow} ${page.small}`}>
      {estimated && (
        <li>
          {sample(styles.markBar, 'rising')} {t('charts:estimated')}
        </li>
      )}
      {unfinished && (
        <li>
          {sample(styles.markOpen, 'none')} {t('charts:unfinished')}
        </li>
      )}
      {missing && (
        <li>
          {sample(styles.markGround, 'falling')} {t('charts:missing')}
        </li>
      )}
      {unknown && (
        <li>
          {sample(styles.markGround, 'falling')} {t('charts:unknown')}
        </li>
      )}
      {partly && (
        <li>
          {sample(styles.markGround, 'falling', <rect {...SHORT} className={styles.markBar ?? ''} />)}{' '}
          {t('charts:partly')}
        </li>
      )}
      {means && (
        <li>
          {sample(
            styles.markShade,
            'none',
            <path d={`M0,${SIZE / 2} h${SIZE}`} className={styles.markLine ?? ''} />,
          )}{' '}
          {t('charts:means')}
        </li>
      )}
    </ul>
  )
}

function marksOf(model: ChartModel, view: ChartView) {
  const { resolution, zone, now } = model
  const bars = model.series.filter(({ draw }) => draw === 'bars')
  let [estimated, unfinished] = [false, false]
  for (const { times, values, estimated: shares, isFaint } of bars)
    for (let i = Math.max(0, lowerBound(times, view.from) - 1); i < times.length; i++) {
      const start = times[i] as number
      if (start >= view.to) break
      if (values[i] === null || values[i] === undefined) continue
      estimated ||= (shares?.[i] ?? 0) > 0
      unfinished ||= isFaint !== true && start <= now && now < nextStart(resolution, start, zone)
    }
  return {
    estimated,
    unfinished,
    missing: missingSpans(model, view).length > 0 || gapSpans(model, view).length > 0,
    partly: partlySpans(model, view).length > 0,
    means: model.series.some(
      ({ draw, low, high }) => draw === 'line' && low !== undefined && high !== undefined,
    ),
  }
}
