import { DeleteOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import type { ReactNode } from 'react'
import { t, useT } from '../../lib/i18n/i18n.ts'
import { BulkBar } from './bulk-bar.tsx'
import type { BulkAction, Item } from './bulk-run.ts'
import { callEach } from './call-each.ts'
import { askFirst } from './ask-first.tsx'

interface Props<I extends Item> {
  items: readonly I[]
  /** What goes with each of them: a whole sentence. */
  consequence: string
  /** What stops working without them. */
  breaks?: ReactNode
  /** An ItemFailed says why one stays. */
  remove: (item: I) => Promise<unknown>
  /** Fetches again what shows them. */
  clear: () => void
}

/** Deletes what is chosen, after asking. */
export function RemovalBar<I extends Item>({ items, consequence, breaks, remove, clear }: Props<I>) {
  const t = useT()
  const count = items.length
  return (
    <BulkBar words={t('lists:bulk.items', { count })} items={items} clear={clear}>
      {(run) => <RemovalButton {...{ items, consequence, breaks, remove, run }} />}
    </BulkBar>
  )
}

/** The button that deletes what is chosen, beside others. */
export function RemovalButton<I extends Item>({
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
        askFirst({
          title: t('lists:ask.remove', { count: items.length }),
          why: consequence,
          items,
          below: breaks,
          ok: t('lists:bulk.remove'),
          run: () => run(removing(remove)),
        })
      }
    >
      {t('lists:bulk.remove')}
    </Button>
  )
}

const removing = <I extends Item>(remove: (item: I) => Promise<unknown>): BulkAction<I> => ({
  title: () => t('lists:results.remove'),
  start: (items) => callEach(items, remove),
})
