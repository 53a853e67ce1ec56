import { useCallback, useState } from 'react'

/** How far below the window counts as near. */
const MARGIN = '200px'

/** Whether an element has come near to what is seen: what is heavy to fetch waits for it. */
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
