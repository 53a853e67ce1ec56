import { Button } from 'antd'
import { useContext, useEffect, useState, type ReactNode } from 'react'
import { useT } from '../../lib/i18n/i18n.ts'
import type { BulkAction, BulkItem } from './bulk-run.ts'
import styles from './bulk.module.css'
import { HasBulkBar } from './has-bulk-bar.ts'
import { ResultsDialog } from './results-dialog.tsx'
import page from '../../ui/page/page.module.css'

interface Props<I extends BulkItem> {
  /** Text of the number of selected items. */
  words: string
  /** Selected items in the order of the list. */
  items: readonly I[]
  clear: () => void
  /** Buttons, and dialogs for further input. */
  children: (run: (action: BulkAction<I>) => void) => ReactNode
}

/** Toolbar with the bulk actions of a selection. Shows the results of an action, and then clears the selection. */
export function SelectionBar<I extends BulkItem>({ words, items, clear, children }: Props<I>) {
  const t = useT()
  const [running, setRunning] = useState<{ action: BulkAction<I>; items: readonly I[] }>()
  const setShowing = useContext(HasBulkBar)
  const isRunning = running !== undefined
  useEffect(() => {
    if (!isRunning) return
    setShowing(true)
    return () => setShowing(false)
  }, [isRunning, setShowing])
  return (
    <>
      <div
        role="toolbar"
        aria-label={t('lists:bulk.label')}
        className={`${page.tightRow} ${page.padded} ${styles.bar}`}
      >
        <strong role="status" className={page.figures}>
          {words}
        </strong>
        {/* The list may change while a dialog is open: the action applies to the items that were selected when it began. */}
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
