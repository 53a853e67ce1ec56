import { useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react'
import { createStore, type Store } from '../../lib/store.ts'
import { pixelRatioOnPaper, usePrinting, widthOnPaper } from '../page/printing.ts'
import type { Mode } from '../theme/theme.ts'
import type { ChartModel, Inset, HoveredPoint, ChartView } from './model.ts'
import type { createPlot, Plot } from './plot.ts'

/** The drawing library is a separate chunk. Once it is loaded, a chart is drawn in its first frame. */
let create: typeof createPlot | undefined

interface PlotInput {
  model: ChartModel
  view: ChartView
  mode: Mode
  language: string
  height: number
  pointed: Store<HoveredPoint | undefined>
  showView: (view: ChartView | undefined) => void
}

export interface PlotInBox {
  box: RefObject<HTMLDivElement | null>
  plot: RefObject<Plot | undefined>
  /** Position of the plot when it was last drawn. */
  layout: Store<Inset>
  /** Load state of the drawing library. */
  state: 'loading' | 'ready' | 'failed'
  retry: () => void
}

/** Keeps a plot in an element in sync with its props, as soon as the drawing library is loaded. */
export function usePlot(input: PlotInput): PlotInBox {
  const { model, view, mode, language, height, pointed } = input
  const [state, setState] = useState<PlotInBox['state']>(create ? 'ready' : 'loading')
  const [layout] = useState(() => createStore<Inset>({ left: 0, right: 0, width: 0 }))
  const box = useRef<HTMLDivElement>(null)
  const plot = useRef<Plot>(undefined)
  const latest = useRef(input)
  const axisCount = model.axes.length
  const printing = usePrinting()

  useLayoutEffect(() => {
    latest.current = input
  })
  useEffect(() => {
    if (state !== 'loading') return
    let isMounted = true
    import('./plot.ts').then(
      (loaded) => {
        create = loaded.createPlot
        if (isMounted) setState('ready')
      },
      () => isMounted && setState('failed'),
    )
    return () => {
      isMounted = false
    }
  }, [state])
  useLayoutEffect(() => {
    const element = box.current
    if (!element || !create || state !== 'ready') return
    const { model, view, mode, language, height } = latest.current
    // The page is not told the width of the paper, and wider content is cut off.
    let width = printing ? widthOnPaper(element) : element.clientWidth
    const createdPlot = create(element, {
      axes: axisCount,
      model,
      view,
      mode,
      language,
      width,
      height,
      pixelRatio: printing ? pixelRatioOnPaper() : 1,
      onPoint: (place, x) => pointed.set(place === undefined ? undefined : { place, x }),
      onSelect: (selectedView) => latest.current.showView(selectedView),
      onReset: () => latest.current.showView(undefined),
      onLayout: layout.set,
    })
    plot.current = createdPlot
    const observer = new ResizeObserver(() => {
      if (printing) return
      // The observer also reports the initial size.
      if (element.clientWidth === 0 || element.clientWidth === width) return
      width = element.clientWidth
      createdPlot.resize(width, latest.current.height)
    })
    observer.observe(element)
    return () => {
      observer.disconnect()
      createdPlot.destroy()
      plot.current = undefined
    }
  }, [axisCount, pointed, layout, state, printing])
  useLayoutEffect(() => plot.current?.draw(model, view), [model, view])
  useLayoutEffect(() => plot.current?.restyle(mode, language), [mode, language])
  useLayoutEffect(() => {
    if (box.current) plot.current?.resize(box.current.clientWidth, height)
  }, [height])
  return { box, plot, layout, state, retry: () => setState('loading') }
}
