import { useLayoutEffect, useRef, useState, type FC, type ReactNode } from 'react'
import styles from './bulk.module.css'
import { HasBulkBar } from './has-bulk-bar.ts'

interface Props {
  /** Number of selected rows. */
  count: number
  renderBar: () => ReactNode
}

/**
 * Container of a list's bulk bar while rows are selected, and while the bar shows results, when deleted rows are no longer listed. Sticks
 * below the page header. Elements that stick below it, e.g. a table header, read its height from `--kept-bar` of the common parent.
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
