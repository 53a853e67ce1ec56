import { useLayoutEffect, useRef, useState, type FC, type ReactNode } from 'react'
import styles from './bulk.module.css'
import { HasBulkBar } from './has-bulk-bar.ts'

interface Props {
  /** Lines that are chosen. */
  count: number
  renderBar: () => ReactNode
}

/**
 * The bar of a list while lines are chosen, and while it tells how they fared: what was deleted is listed no more. It stays
 * in sight below the page's head, however long the list is; what sticks below it, e.g. a table's head, reads its height from
 * `--kept-bar` of the element around both.
 */
export const KeptBar: FC<Props> = ({ count, renderBar }) => {
  const box = useRef<HTMLDivElement>(null)
  const [isHeld, setHeld] = useState(false)
  const isShown = count > 0 || isHeld
  useLayoutEffect(() => {
    const own = box.current
    const around = own?.parentElement
    if (!isShown || !own || !around) return
    const tell = () => around.style.setProperty('--kept-bar', `${own.offsetHeight}px`)
    tell()
    const observer = new ResizeObserver(tell)
    observer.observe(own)
    return () => {
      observer.disconnect()
      around.style.removeProperty('--kept-bar')
    }
  }, [isShown])
  if (!isShown) return null
  return (
    <div ref={box} className={styles.kept}>
      <HasBulkBar value={setHeld}>{renderBar()}</HasBulkBar>
    </div>
  )
}
