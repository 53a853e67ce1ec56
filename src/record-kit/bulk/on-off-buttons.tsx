import { CheckCircleOutlined, StopOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import type { BulkAction, BulkItem } from './bulk-run.ts'
import { confirmBulkAction } from './ask-first.tsx'

interface Props<I extends BulkItem> {
  items: readonly I[]
  run: (action: BulkAction<I>) => void
  on: { label: string; action: BulkAction<I> }
  /** ask, why  title of the confirmation, and the consequence as a whole sentence */
  off: { label: string; question: string; why: string; action: BulkAction<I> }
}

/** Buttons of a bulk bar that enable the selected items, or disable them after a confirmation. */
export function OnOffButtons<I extends BulkItem>({ items, run, on, off }: Props<I>) {
  return (
    <>
      <Button icon={<CheckCircleOutlined />} onClick={() => run(on.action)}>
        {on.label}
      </Button>
      <Button
        icon={<StopOutlined />}
        onClick={() =>
          confirmBulkAction({
            title: off.question,
            why: off.why,
            items,
            ok: off.label,
            run: () => run(off.action),
          })
        }
      >
        {off.label}
      </Button>
    </>
  )
}
