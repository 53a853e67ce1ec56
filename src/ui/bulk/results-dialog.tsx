import { Button, Grid, Modal, Progress } from 'antd'
import { useState, useSyncExternalStore } from 'react'
import { useT } from '../../providers/i18n.ts'
import { StateTag } from '../state-tag.tsx'
import { VirtualGrid } from '../virtual-grid.tsx'
import type { BulkAction, BulkRun, Item } from './bulk-run.ts'
import styles from './bulk.module.css'

const HEIGHT = 320
const LINE = { wide: 32, phone: 56 }
/** Wider than any dialog: one column. */
const ONE_COLUMN = 10_000

/** Does a bulk action and names, one by one, what succeeded and what failed and why; the failed ones can be tried again. */
export function ResultsDialog<I extends Item>(props: {
  action: BulkAction<I>
  items: readonly I[]
  close: () => void
}) {
  const { action, items, close } = props
  const t = useT()
  const wide = Grid.useBreakpoint().md ?? true
  const [run, setRun] = useState(() => action.start(items))
  useSyncExternalStore(run.subscribe, run.version)
  const { done, failed } = run.counts()
  const total = run.items.length
  const over = done === total
  const retry = () => {
    const again = new Set(run.failedItems().map(({ id }) => id))
    setRun(action.start(items.filter(({ id }) => again.has(id))))
  }
  return (
    <Modal
      open
      title={action.title()}
      onCancel={close}
      maskClosable={false}
      // What moves is painted anew for each frame, at the cost of what the dialog reports on.
      transitionName=""
      maskTransitionName=""
      footer={
        <>
          {over && failed > 0 && <Button onClick={retry}>{t('lists:results.retry')}</Button>}
          <Button type="primary" onClick={close}>
            {t('lists:results.close')}
          </Button>
        </>
      }
    >
      <Progress
        percent={Math.round((done / Math.max(1, total)) * 100)}
        className={styles.progress ?? ''}
        status={failed > 0 ? 'exception' : over ? 'success' : 'normal'}
        aria-label={action.title()}
      />
      <p role="status" data-bulk={over ? 'over' : 'running'}>
        {t('lists:results.progress', { done, total, failed })}
      </p>
      <VirtualGrid
        items={run.items}
        height={HEIGHT}
        itemHeight={wide ? LINE.wide : LINE.phone}
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
    <div className={styles.result}>
      <span className={styles.resultName}>{name}</span>
      {outcome === 'waiting' ? (
        <StateTag tone="plain">{t('lists:results.waiting')}</StateTag>
      ) : outcome === 'done' ? (
        <StateTag tone="good">{t('lists:results.done')}</StateTag>
      ) : (
        <StateTag tone="alarm">
          {t('lists:results.failed')} · {outcome.why()}
        </StateTag>
      )}
    </div>
  )
}
