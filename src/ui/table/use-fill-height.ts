import { useLayoutEffect, useRef, useState, type RefObject } from 'react'

const MIN_HEIGHT_PX = 320

/** Space below the content of the page, px. */
const bottomPadding = (element: HTMLElement): number => {
  const main = element.closest('main')
  return main ? Number.parseFloat(getComputedStyle(main).paddingBottom) || 0 : 0
}

/** Height from an element's top to the bottom of the window, in px, so that a virtual list scrolls within itself. */
export function useFillHeight(): { ref: RefObject<HTMLDivElement | null>; height: number } {
  const ref = useRef<HTMLDivElement>(null)
  const [height, setHeight] = useState(600)
  useLayoutEffect(() => {
    const measure = () => {
      if (!ref.current) return
      const top = ref.current.getBoundingClientRect().top + scrollY
      setHeight(Math.max(MIN_HEIGHT_PX, innerHeight - top - bottomPadding(ref.current)))
    }
    measure()
    addEventListener('resize', measure)
    const observer = typeof ResizeObserver === 'undefined' ? undefined : new ResizeObserver(measure)
    if (ref.current?.parentElement) observer?.observe(ref.current.parentElement)
    return () => {
      removeEventListener('resize', measure)
      observer?.disconnect()
    }
  }, [])
  return { ref, height }
}
