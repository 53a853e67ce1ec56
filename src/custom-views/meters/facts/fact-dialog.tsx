import type { ReactNode } from 'react'
import { describeFields } from '../../../data/failure.ts'
import { useT } from '../../../lib/i18n/i18n.ts'
import page from '../../../ui/page/page.module.css'
import { Modal } from '../../../ui/dialog/dialog.tsx'

interface Props {
  title: string
  why: string
  isWhole: boolean
  busy: boolean
  refused: Parameters<typeof describeFields>[0]
  save: () => Promise<void>
  close: () => void
  children: ReactNode
}

/** Dialog that edits one fact of a meter and shows why the gateway rejected it. */
export function FactDialog({ title, why, isWhole, busy, refused, save, close, children }: Props) {
  const t = useT()
  return (
    <Modal
      open
      title={title}
      okText={t('screens:save')}
      cancelText={t('screens:cancel')}
      confirmLoading={busy}
      okButtonProps={{ disabled: !isWhole }}
      onOk={() => void save()}
      onCancel={close}
    >
      <div className={page.stack}>
        <p className={page.hint}>{why}</p>
        {children}
        {Object.values(describeFields(refused)).map((text) => (
          <p key={text} className={page.fault} role="alert">
            {text}
          </p>
        ))}
      </div>
    </Modal>
  )
}
