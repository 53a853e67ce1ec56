import { DeleteOutlined, CheckCircleOutlined, StopOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import type { ReactNode } from 'react'
import { t, useT } from '../../lib/i18n/i18n.ts'
import { SelectionBar } from './selection-bar.tsx'
import { type BulkAction, type BulkItem, callEach } from './bulk-run.ts'
import { confirmBulkAction } from './ask-first.tsx'

interface Props<I extends BulkItem> {
  items: readonly I[]
  /** Consequence for dependent data of each item, as a whole sentence. */
  consequence: string
  /** Things that stop working without the items. */
  breaks?: ReactNode
  /** Throws an ItemFailed with the reason if an item cannot be deleted. */
  remove: (item: I) => Promise<unknown>
  clear: () => void
}

/** Deletes the selected items after a confirmation. */
export function RemovalBar<I extends BulkItem>({ items, consequence, breaks, remove, clear }: Props<I>) {
  const t = useT()
  const count = items.length
  return (
    <SelectionBar words={t('lists:bulk.items', { count })} items={items} clear={clear}>
      {(run) => <RemovalButton {...{ items, consequence, breaks, remove, run }} />}
    </SelectionBar>
  )
}

/** Button that deletes the selected items, for use next to others. */
export function RemovalButton<I extends BulkItem>({
  items,
  consequence,
  breaks,
  remove,
  run,
}: Omit<Props<I>, 'clear'> & { run: (action: BulkAction<I>) => void }) {
  const t = useT()
  return (
    <Button
      danger
      icon={<DeleteOutlined />}
      onClick={() =>
        confirmBulkAction({
          title: t('lists:ask.remove', { count: items.length }),
          reason: consequence,
          items,
          footer: breaks,
          ok: t('lists:bulk.remove'),
          run: () => run(removing(remove)),
        })
      }
    >
      {t('lists:bulk.remove')}
    </Button>
  )
}

const removing = <I extends BulkItem>(remove: (item: I) => Promise<unknown>): BulkAction<I> => ({
  title: () => t('lists:results.remove'),
  start: (items) => callEach(items, remove),
})

interface OnOffButtonsProps<I extends BulkItem> {
  items: readonly I[]
  run: (action: BulkAction<I>) => void
  enabled: { label: string; action: BulkAction<I> }
  /** question, reason  title of the confirmation, and the consequence as a whole sentence */
  blocked: { label: string; question: string; reason: string; action: BulkAction<I> }
}

/** Buttons of a bulk bar that enable the selected items, or disable them after a confirmation. */
export function OnOffButtons<I extends BulkItem>({ items, run, enabled, blocked }: OnOffButtonsProps<I>) {
  return (
    <>
      <Button icon={<CheckCircleOutlined />} onClick={() => run(enabled.action)}>
        {enabled.label}
      </Button>
      <Button
        icon={<StopOutlined />}
        onClick={() =>
          confirmBulkAction({
            title: blocked.question,
            reason: blocked.reason,
            items,
            ok: blocked.label,
            run: () => run(blocked.action),
          })
        }
      >
        {blocked.label}
      </Button>
    </>
  )
}
