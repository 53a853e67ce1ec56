import { useLayoutEffect, useState, type RefObject } from 'react'

/** Current width of an element, px; `unknown` if it cannot be measured. */
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
