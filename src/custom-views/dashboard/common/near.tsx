import { useCallback, useState } from 'react'
import { useT } from '../../../lib/i18n/i18n.ts'
import page from '../../../ui/page/page.module.css'
import styles from './dashboard.module.css'
import { Bone } from '../../../ui/page/skeleton.tsx'

/**
 * Placeholder with the title and size of a card that has not loaded; in print it states why it is empty. Not marked busy, because a card
 * below the fold loads only when it comes near.
 */
export function NotNear({ title }: { title: string }) {
  const t = useT()
  return (
    <div className={`${page.card} ${styles.frame}`}>
      <h2>{title}</h2>
      <Bone />
      <span className={`${page.onPaper} ${page.muted}`}>{t('dashboard:notPrinted')}</span>
    </div>
  )
}

/** Distance outside the viewport that counts as near. */
const ROOT_MARGIN = '200px'

/** Whether an element has come near the viewport; defers expensive loads. */
export function useNear(): { isNear: boolean; ref: (element: Element | null) => (() => void) | undefined } {
  const [isNear, setIsNear] = useState(false)
  const ref = useCallback((element: Element | null) => {
    if (!element) return undefined
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return
        setIsNear(true)
        observer.disconnect()
      },
      { rootMargin: ROOT_MARGIN },
    )
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return { isNear, ref }
}
