import { Button } from 'antd'
import { useContext, useEffect, useState, type ReactNode } from 'react'
import { useT } from '../../lib/i18n/i18n.ts'
import type { BulkAction, BulkItem } from './bulk-run.ts'
import styles from './bulk.module.css'
import { HasBulkBar } from './has-bulk-bar.ts'
import { ResultsDialog } from './results-dialog.tsx'

interface Props<I extends BulkItem> {
  /** How many are chosen, in words. */
  words: string
  /** The chosen ones, in the order of the list. */
  items: readonly I[]
  clear: () => void
  /** The buttons, and the dialogs that ask for more. */
  children: (run: (action: BulkAction<I>) => void) => ReactNode
}

/** What can be done with what is chosen. Ends with how each one fared, and then nothing is chosen any more. */
export function SelectionBar<I extends BulkItem>({ words, items, clear, children }: Props<I>) {
  const t = useT()
  const [running, setRunning] = useState<{ action: BulkAction<I>; items: readonly I[] }>()
  const hold = useContext(HasBulkBar)
  const isRunning = running !== undefined
  useEffect(() => {
    if (!isRunning) return
    hold(true)
    return () => hold(false)
  }, [isRunning, hold])
  return (
    <>
      <div role="toolbar" aria-label={t('lists:bulk.label')} className={styles.bar}>
        <strong role="status">{words}</strong>
        {/* The list may change under a dialog: what was chosen when the action began is what it is done to. */}
        {children((action) => setRunning({ action, items }))}
        <Button type="text" onClick={clear}>
          {t('lists:bulk.clear')}
        </Button>
      </div>
      {running && (
        <ResultsDialog
          {...running}
          close={() => {
            setRunning(undefined)
            clear()
          }}
        />
      )}
    </>
  )
}
