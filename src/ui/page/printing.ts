import { useEffect } from 'react'
import { flushSync } from 'react-dom'
import { createStore, useStore } from '../../lib/store.ts'
import { forceLightDuring } from '../theme/theme-mode.ts'

/** A table that is printed has at most so many rows; how many there are beside them is said below it. */
export const MAX_PRINTED_ROWS = 500

const printing = createStore(false)

/** Whether the page is being printed: what is drawn only near the window is whole then. */
export const usePrinting = (): boolean => useStore(printing)
export const isPrinting = (): boolean => printing.get()

/** The periods that are chosen on the page, one of each picker. */
const periods = createStore<readonly string[]>([])

/** A picker tells the period that it shows, in words. */
export function usePublishPrintPeriod(words: string): void {
  useEffect(() => {
    periods.set([...periods.get(), words])
    return () => {
      const at = periods.get().indexOf(words)
      periods.set(periods.get().filter((_, i) => i !== at))
    }
  }, [words])
}

/** What the page is about, where all that is chosen on it is one period. */
export function usePrintPeriod(): string | undefined {
  const [first, ...others] = useStore(periods)
  return others.every((one) => one === first) ? first : undefined
}

/** Width of A4 within the margins of `print.css`, px of a style sheet. */
const PAPER = 703
/** Pixels of a canvas for one px of a style sheet: on paper they can be told apart up to there. */
const PAPER_RATIO = 3
/** What is beside a drawing in its card, px. */
const BESIDE = 34

/** How wide a drawing is on paper, px: as much less than on the screen as the page around it. */
export function widthOnPaper(element: HTMLElement): number {
  let around = element
  while (around.parentElement && around.parentElement.tagName !== 'MAIN') around = around.parentElement
  const share = Math.min(1, PAPER / around.clientWidth)
  return Math.floor((element.clientWidth + BESIDE) * share - BESIDE)
}

/** How many times finer than on this screen a canvas is drawn for paper. */
export const finenessOnPaper = (): number => Math.max(1, PAPER_RATIO / devicePixelRatio)

/** From now on draws the page for paper, light and whole, before it is printed, and as it was afterwards. Returns how to stop. */
export function startPrinting(): () => void {
  // What is not drawn when the event ends is not printed.
  const tell = (on: boolean) =>
    flushSync(() => {
      forceLightDuring(on)
      printing.set(on)
    })
  const before = () => tell(true)
  const after = () => tell(false)
  addEventListener('beforeprint', before)
  addEventListener('afterprint', after)
  return () => {
    removeEventListener('beforeprint', before)
    removeEventListener('afterprint', after)
    forceLightDuring(false)
    printing.set(false)
  }
}
