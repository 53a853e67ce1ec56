import { useEffect } from 'react'
import { flushSync } from 'react-dom'
import { createStore, useStore } from '../../lib/store.ts'
import { forceLightDuring } from '../theme/theme-mode.ts'

/** Maximum number of rows of a printed table; the number of omitted rows is printed below it. */
export const MAX_PRINTED_ROWS = 500

const printing = createStore(false)

/** Whether the page is being printed; virtualized content is then rendered completely. */
export const usePrinting = (): boolean => useStore(printing)
export const isPrinting = (): boolean => printing.get()

/** Periods chosen on the page, one per picker. */
const periods = createStore<readonly string[]>([])

/** Publishes the text of the period that a picker shows. */
export function usePublishPrintPeriod(words: string): void {
  useEffect(() => {
    periods.set([...periods.get(), words])
    return () => {
      const at = periods.get().indexOf(words)
      periods.set(periods.get().filter((_, i) => i !== at))
    }
  }, [words])
}

/** The period of the page, if all pickers show the same one. */
export function usePrintPeriod(): string | undefined {
  const [first, ...otherPeriods] = useStore(periods)
  return otherPeriods.every((period) => period === first) ? first : undefined
}

/** Width of A4 within the margins of `print.css`, in CSS px. */
const PAPER = 703
/** Maximum number of canvas pixels per CSS px that paper resolves. */
const PAPER_RATIO = 3
/** Horizontal padding of a card around a drawing, px. */
const PRINT_MARGIN_PX = 34

/** Width of a drawing on paper, px: scaled as the page around it. */
export function widthOnPaper(element: HTMLElement): number {
  let ancestor = element
  while (ancestor.parentElement && ancestor.parentElement.tagName !== 'MAIN')
    ancestor = ancestor.parentElement
  const share = Math.min(1, PAPER / ancestor.clientWidth)
  return Math.floor((element.clientWidth + PRINT_MARGIN_PX) * share - PRINT_MARGIN_PX)
}

/** Factor by which a canvas for paper is finer than on this screen. */
export const pixelRatioOnPaper = (): number => Math.max(1, PAPER_RATIO / devicePixelRatio)

/** Renders the page in light mode and completely while it is printed. Returns a function that stops this. */
export function startPrinting(): () => void {
  // Only what is rendered before the event ends is printed.
  const notify = (isOn: boolean) =>
    flushSync(() => {
      forceLightDuring(isOn)
      printing.set(isOn)
    })
  const before = () => notify(true)
  const after = () => notify(false)
  addEventListener('beforeprint', before)
  addEventListener('afterprint', after)
  return () => {
    removeEventListener('beforeprint', before)
    removeEventListener('afterprint', after)
    forceLightDuring(false)
    printing.set(false)
  }
}
