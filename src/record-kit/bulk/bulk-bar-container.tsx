import { useState, type FC, type ReactNode } from 'react'
import styles from './bulk.module.css'
import { HasBulkBar } from './has-bulk-bar.ts'

interface Props {
  /** Number of selected rows. */
  count: number
  renderBar: () => ReactNode
}

/**
 * Container of a list's bulk bar while rows are selected, and while the bar shows results, when deleted rows are no longer listed. Sticks
 * below the page header.
 */
export const BulkBarContainer: FC<Props> = ({ count, renderBar }) => {
  const [hasResults, setHasResults] = useState(false)
  const isShown = count > 0 || hasResults
  if (!isShown) return null
  return (
    <div className={styles.kept}>
      <HasBulkBar value={setHasResults}>{renderBar()}</HasBulkBar>
    </div>
  )
}
