import {
  useCallback,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type KeyboardEvent,
  type ReactNode,
} from 'react'
import type { Resolution } from '../../../contract/time/periods.ts'
import { useLanguage, useT } from '../../lib/i18n/i18n.ts'
import { createStore, useStore, type Store } from '../../lib/store.ts'
import { lazyPart } from '../page/lazy.tsx'
import { useThemeMode } from '../theme/theme-mode.ts'
import { usePhone } from '../page/use-screen.ts'
import { ChartMarks } from './chart-marks.tsx'
import { ChartTools, type ChartActions } from './chart-tools.tsx'
import { ChartTooltip } from './chart-tooltip.tsx'
import { PlainButton } from '../plain/plain-button.tsx'
import page from '../page/page.module.css'
import styles from './chart.module.css'
import { Legend } from './legend.tsx'
import {
  momentsOf,
  type ChartAxis,
  type ChartColumn,
  type ChartModel,
  type ChartStrip,
  type HoveredPoint,
  type TimeSeries,
  type ChartView,
} from './model.ts'
import { Strips } from './strips.tsx'
import { usePlot } from './use-plot.ts'
import { usePointWords } from './use-point-words.ts'
import { fitView } from './zoom.ts'

const ChartTable = lazyPart(() => import('./chart-table.tsx'))

/** Zoom of a chart, stored by the page that contains it. */
export interface ChartZoom {
  /** Undefined if the whole range is visible. */
  view: ChartView | undefined
  /** `moved` if the view has the same length as before, e.g. after an arrow key. */
  change: (view: ChartView | undefined, moved: boolean) => void
}

export interface TimeChartProps {
  /** Accessible name of the chart. */
  label: string
  /** Time zone of the home. */
  zone: string
  /** Epoch ms, `to` exclusive. */
  from: number
  to: number
  /** Period of a bar; absent for line charts. */
  resolution?: Resolution
  axes: ChartModel['axes']
  /** Must be referentially stable while nothing changes. */
  series: readonly TimeSeries[]
  /** Further figures of each series in the tooltip and the table. */
  columns?: readonly ChartColumn[]
  /** Whether the series are parts of a whole: the tooltip then shows their sum and shares. */
  summed?: boolean
  strips?: readonly ChartStrip[]
  /** The bar that contains this time is marked as unfinished. */
  now: number
  height?: number
  /** External storage of the zoom, e.g. the address; without it the chart stores the zoom itself. */
  zoom?: ChartZoom
  /** Further tools next to those of the chart. */
  tools?: ReactNode
  /** Replaces the legend of the series, e.g. if more can be shown than there are. */
  legend?: ReactNode
  /** Called with the time of the point that is clicked, or on which Enter is pressed. */
  onPick?: (at: number) => void
}

/** Maximum distance between press and release of a click; a longer one is a drag, px. */
const MAX_CLICK_PX = 5

const NO_COLUMNS: readonly ChartColumn[] = []
const NO_STRIPS: readonly ChartStrip[] = []

/**
 * Bars and lines over time on one or two axes, in a home's time zone. Drag to zoom, double-click to reset; the legend hides series;
 * arrow keys move along the points; the values are also available as a table.
 */
export function TimeChart(props: TimeChartProps) {
  const {
    label,
    zone,
    from,
    to,
    resolution = 'quarter',
    axes,
    series,
    now,
    strips = NO_STRIPS,
    tools,
    legend,
    onPick,
  } = props
  const { columns = NO_COLUMNS, summed = false, zoom } = props
  const t = useT()
  const phone = usePhone()
  const height = props.height ?? (phone ? 260 : 340)
  const mode = useThemeMode()
  const language = useLanguage()
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set())
  const [ownView, setOwnView] = useState<ChartView & { of: string }>()
  const [tableOpen, setTableOpen] = useState(false)
  const [pointed] = useState(() => createStore<HoveredPoint | undefined>(undefined))
  const hintId = useId()

  // A zoom applies only to the range in which it was made.
  const span = `${from} ${to}`
  const requestedView = zoom ? zoom.view : ownView?.of === span ? ownView : undefined
  const bars = series.some(({ draw }) => draw === 'bars') ? resolution : undefined
  const [requestedFrom, requestedTo] = [requestedView?.from, requestedView?.to]
  const view: ChartView = useMemo(() => {
    const cursorIndex =
      requestedFrom !== undefined && requestedTo !== undefined
        ? fitView({ from: requestedFrom, to: requestedTo }, { from, to, zone, bars })
        : undefined
    return cursorIndex ?? { from, to }
  }, [requestedFrom, requestedTo, from, to, zone, bars])
  const zoomed = view.from > from || view.to < to
  const model: ChartModel = useMemo(
    () => ({
      zone,
      from,
      to,
      resolution,
      axes,
      series: series.filter(({ key }) => !hidden.has(key)),
      now,
    }),
    [zone, from, to, resolution, axes, series, hidden, now],
  )
  const moments = useMemo(() => momentsOf(model.series), [model.series])
  const words = usePointWords({ model, columns, summed })

  function showView(next: ChartView | undefined, moved = false) {
    const fittedView = next ? fitView(next, { from, to, zone, bars }) : { from, to }
    if (!fittedView || (fittedView.from === view.from && fittedView.to === view.to)) return
    const part = fittedView.from > from || fittedView.to < to ? fittedView : undefined
    // Immediately: updating the address takes longer than a frame.
    plot.current?.draw(model, fittedView)
    if (zoom) zoom.change(part, moved)
    else setOwnView(part && { ...part, of: span })
  }

  /** Scales the view around the pointer by `factor`. */
  function scale(factor: number) {
    const at = pointed.get()
    const centre = (at && moments[at.place]) ?? (view.from + view.to) / 2
    const halfWidth = ((view.to - view.from) * factor) / 2
    const start = Math.min(Math.max(from, centre - halfWidth), Math.max(from, to - 2 * halfWidth))
    showView({ from: start, to: start + 2 * halfWidth })
  }

  const { box, plot, layout, state, retry } = usePlot({
    model,
    view,
    mode,
    language,
    height,
    pointed,
    showView,
  })
  const latest = useRef({ show: showView, scale })
  useLayoutEffect(() => {
    latest.current = { show: showView, scale }
  })
  const [actions] = useState<ChartActions>(() => ({
    zoomIn: () => latest.current.scale(0.5),
    zoomOut: () => latest.current.scale(2),
    zoomReset: () => latest.current.show(undefined),
    toggleTable: () => setTableOpen((open) => !open),
  }))
  const toggle = useCallback(
    (key: string) =>
      setHidden((old) => {
        const next = new Set(old)
        if (!next.delete(key)) next.add(key)
        return next
      }),
    [],
  )

  function point(place: number) {
    const bounded = Math.min(Math.max(0, place), moments.length - 1)
    const at = moments[bounded]
    if (at === undefined) return
    if (at < view.from || at >= view.to) {
      const length = view.to - view.from
      const start = Math.min(Math.max(from, at - length / 2), to - length)
      showView({ from: start, to: start + length }, true)
    }
    pointed.set({ place: bounded, x: plot.current?.point(bounded) ?? 0 })
  }
  function clearCursor() {
    plot.current?.point(undefined)
    pointed.set(undefined)
  }
  function pick() {
    const at = moments[pointed.get()?.place ?? -1]
    if (at !== undefined) onPick?.(at)
  }
  function onKeyDown(event: KeyboardEvent) {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const now = pointed.get()?.place
    const step = event.shiftKey ? 10 : 1
    const acts: Record<string, () => void> = {
      ArrowRight: () => point(now === undefined ? 0 : now + step),
      ArrowLeft: () => point(now === undefined ? moments.length - 1 : now - step),
      Home: () => point(0),
      End: () => point(moments.length - 1),
      Escape: () => (now === undefined ? showView(undefined) : clearCursor()),
      '+': () => scale(0.5),
      '-': () => scale(2),
      '0': () => showView(undefined),
      ...(onPick && { Enter: pick }),
    }
    const act = acts[event.key]
    if (!act) return
    event.preventDefault()
    act()
  }

  const units = axes.map((axis: ChartAxis) => axis.unit)
  return (
    <figure aria-label={label}>
      <div className={styles.head}>
        {legend ?? <Legend series={series} hidden={hidden} toggle={toggle} />}
        <ChartTools actions={actions} zoomed={zoomed} tableOpen={tableOpen}>
          {tools}
        </ChartTools>
      </div>
      <div className={styles.units} aria-hidden="true">
        {units.map((unit) => (
          <span key={unit}>{unit}</span>
        ))}
      </div>
      <PointReader
        label={label}
        hintId={hintId}
        pointed={pointed}
        moments={moments}
        words={words}
        onKeyDown={onKeyDown}
        onBlur={clearCursor}
        onPick={onPick && pick}
      >
        <div
          ref={box}
          className={state === 'ready' ? styles.plot : styles.waiting}
          style={{ height }}
          aria-busy={state === 'loading'}
        >
          {state === 'failed' && (
            <p role="alert" className={`${page.wideRow} ${styles.failed}`}>
              {t('shell:partFailed')} <PlainButton onClick={retry}>{t('shell:retry')}</PlainButton>
            </p>
          )}
        </div>
        <ChartTooltip
          pointed={pointed}
          model={model}
          moments={moments}
          columns={columns}
          summed={summed}
          layout={layout}
        />
      </PointReader>
      <ChartMarks model={model} view={view} strips={strips} />
      {strips.length > 0 && <Strips strips={strips} view={view} layout={layout} zone={zone} />}
      <p id={hintId} className="visually-hidden">
        {t('charts:keys')}
      </p>
      {tableOpen && <ChartTable model={model} view={view} columns={columns} summed={summed} label={label} />}
    </figure>
  )
}

interface Props {
  label: string
  hintId: string
  pointed: Store<HoveredPoint | undefined>
  moments: ArrayLike<number>
  words: (at: number) => string
  onKeyDown: (event: KeyboardEvent) => void
  onBlur: () => void
  onPick: (() => void) | undefined
  children: ReactNode
}

/** Chart for screen readers: a slider over its points that announces the values of each. */
function PointReader(props: Props) {
  const { label, hintId, pointed, moments, words, onKeyDown, onBlur, onPick, children } = props
  const pressedAt = useRef(0)
  const place = useStore(pointed)?.place ?? 0
  const at = moments[place]
  return (
    <div
      role="slider"
      tabIndex={0}
      className={styles.reader}
      aria-label={label}
      aria-describedby={hintId}
      aria-valuemin={0}
      aria-valuemax={Math.max(0, moments.length - 1)}
      aria-valuenow={place}
      aria-valuetext={at === undefined ? '' : words(at)}
      onKeyDown={onKeyDown}
      onBlur={onBlur}
      onPointerDown={(event) => void (pressedAt.current = event.clientX)}
      onClick={(event) => {
        if (Math.abs(event.clientX - pressedAt.current) <= MAX_CLICK_PX) onPick?.()
      }}
    >
      {children}
    </div>
  )
}
