import { useCallback, useState } from 'react'

/** Distance outside the viewport that counts as near. */
const MARGIN = '200px'

/** Whether an element has come near the viewport; defers expensive loads. */
export function useNear(): { near: boolean; ref: (element: Element | null) => (() => void) | undefined } {
  const [near, setNear] = useState(false)
  const ref = useCallback((element: Element | null) => {
    if (!element) return undefined
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return
        setNear(true)
        observer.disconnect()
      },
      { rootMargin: MARGIN },
    )
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return { near, ref }
}
