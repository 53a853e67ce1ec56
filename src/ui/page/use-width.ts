import { useLayoutEffect, useState, type RefObject } from 'react'

/** How wide an element is now, px; `unknown` where it cannot be measured. */
export function useWidth(ref: RefObject<HTMLElement | null>, unknown: number): number {
  const [width, setWidth] = useState(unknown)
  useLayoutEffect(() => {
    const element = ref.current
    if (!element) return
    const measure = () => setWidth(element.clientWidth || unknown)
    measure()
    if (typeof ResizeObserver === 'undefined') return
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [ref, unknown])
  return width
}
