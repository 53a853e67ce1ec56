import { Button, Progress } from 'antd'
import { useState, useSyncExternalStore } from 'react'
import { useT } from '../../lib/i18n/i18n.ts'
import { StateTag } from '../../ui/tags/state-tag.tsx'
import { VirtualGrid } from '../../ui/table/virtual-grid.tsx'
import type { BulkAction, BulkRun, BulkItem } from './bulk-run.ts'
import page from '../../ui/page/page.module.css'
import styles from './bulk.module.css'
import { Modal } from '../../ui/page/dialog.tsx'
import { usePhone } from '../../ui/page/use-screen.ts'

const HEIGHT = 320
const LINE = { wide: 32, phone: 56 }
/** Wider than any dialog, which forces a single column. */
const ONE_COLUMN = 10_000

interface ResultsState<I extends BulkItem> {
  run: BulkRun
  /** Whether the run reverts an action. */
  undoing: boolean
  /** Items that succeeded in an earlier attempt. */
  previousItems: readonly I[]
}

/**
 * Runs a bulk action and lists the outcome of each item, with the reason of a failure. Failed items can be retried, and successful ones
 * reverted if the action supports it.
 */
export function ResultsDialog<I extends BulkItem>(props: {
  action: BulkAction<I>
  items: readonly I[]
  close: () => void
}) {
  const { action, items, close } = props
  const t = useT()
  const isPhone = usePhone()
  const [{ run, undoing, previousItems }, setState] = useState<ResultsState<I>>(() => ({
    run: action.start(items),
    undoing: false,
    previousItems: [],
  }))
  useSyncExternalStore(run.subscribe, run.version)
  const { doneCount, failedCount } = run.counts()
  const total = run.items.length
  const isFinished = doneCount === total
  const undo = undoing ? undefined : action.undo
  const work = undoing && action.undo ? action.undo : action.start
  const title = undoing ? t('lists:results.undo') : action.title()
  const succeeded = () => [...previousItems, ...items.filter(({ id }) => run.outcomeOf(id) === 'done')]
  const retry = () => {
    const failedIds = new Set(run.failedItems().map(({ id }) => id))
    setState({ run: work(items.filter(({ id }) => failedIds.has(id))), undoing, previousItems: succeeded() })
  }
  return (
    <Modal
      open
      title={title}
      onCancel={close}
      maskClosable={false}
      // Animations repaint each frame, which slows down the action that the dialog reports on.
      transitionName=""
      maskTransitionName=""
      footer={
        <>
          {isFinished && undo && (failedCount < total || previousItems.length > 0) && (
            <Button onClick={() => setState({ run: undo(succeeded()), undoing: true, previousItems: [] })}>
              {t('lists:results.undo')}
            </Button>
          )}
          {isFinished && failedCount > 0 && <Button onClick={retry}>{t('lists:results.retry')}</Button>}
          <Button type="primary" onClick={close}>
            {t('lists:results.close')}
          </Button>
        </>
      }
    >
      <Progress
        percent={Math.round((doneCount / Math.max(1, total)) * 100)}
        className={styles.progress ?? ''}
        status={failedCount > 0 ? 'exception' : isFinished ? 'success' : 'normal'}
        aria-label={title}
      />
      <p role="status" data-bulk={isFinished ? 'over' : 'running'}>
        {t('lists:results.progress', { done: doneCount, total, failed: failedCount })}
      </p>
      <VirtualGrid
        items={run.items}
        height={HEIGHT}
        itemHeight={isPhone ? LINE.phone : LINE.wide}
        itemWidth={ONE_COLUMN}
        gap={0}
        keyOf={({ id }) => id}
        render={(item) => <Result run={run} id={item.id} name={item.name} />}
      />
    </Modal>
  )
}

function Result({ run, id, name }: { run: BulkRun; id: string; name: string }) {
  const t = useT()
  const outcome = run.outcomeOf(id)
  return (
    <div className={page.spread}>
      <span className={page.ellipsis}>{name}</span>
      {outcome === 'waiting' ? (
        <StateTag tone="plain">{t('lists:results.waiting')}</StateTag>
      ) : outcome === 'done' ? (
        <StateTag tone="good">{t('lists:results.done')}</StateTag>
      ) : (
        <StateTag tone="alarm">
          {t('lists:results.failed')} · {outcome.describeFailure()}
        </StateTag>
      )}
    </div>
  )
}
