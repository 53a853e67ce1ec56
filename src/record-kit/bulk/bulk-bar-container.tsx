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
 * below the page header. Elements that stick below it, e.g. a table header, read its height from `--bulk-bar-height` of the common parent.
 */
export const BulkBarContainer: FC<Props> = ({ count, renderBar }) => {
  const box = useRef<HTMLDivElement>(null)
  const [hasResults, setHasResults] = useState(false)
  const isShown = count > 0 || hasResults
  useLayoutEffect(() => {
    const element = box.current
    const parent = element?.parentElement
    if (!isShown || !element || !parent) return
    const updateHeight = () => parent.style.setProperty('--bulk-bar-height', `${element.offsetHeight}px`)
    updateHeight()
    const observer = new ResizeObserver(updateHeight)
    observer.observe(element)
    return () => {
      observer.disconnect()
      parent.style.removeProperty('--bulk-bar-height')
    }
  }, [isShown])
  if (!isShown) return null
  return (
    <div ref={box} className={styles.kept}>
      <HasBulkBar value={setHasResults}>{renderBar()}</HasBulkBar>
    </div>
  )
}
