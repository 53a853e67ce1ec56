import { Form, Input } from 'antd'
import { useState, type FC } from 'react'
import { useAction } from '../../data/use-action.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { Modal } from '../../ui/page/dialog.tsx'

interface Props {
  title: string
  initial: string
  /** Names of the other views. */
  usedNames: readonly string[]
  /** An error is shown, and the dialog stays open. */
  save: (name: string) => Promise<void>
  close: () => void
}

export const ViewNameDialog: FC<Props> = ({ title, initial, usedNames, save, close }) => {
  const t = useT()
  const [text, setText] = useState(initial)
  const { busy, run } = useAction(async (name: string) => {
    await save(name)
    close()
  })
  const name = text.trim()
  const isTaken = usedNames.includes(name)
  const submit = () => {
    if (name && !isTaken) void run(name)
  }
  return (
    <Modal
      open
      title={title}
      okText={t('lists:views.ok')}
      cancelText={t('screens:cancel')}
      okButtonProps={{ disabled: !name || isTaken, loading: busy }}
      onOk={submit}
      onCancel={close}
    >
      <Form layout="vertical" onFinish={submit}>
        <Form.Item
          label={t('lists:views.name')}
          htmlFor="view-name"
          {...(isTaken && { validateStatus: 'error', help: t('lists:views.taken') })}
        >
          <Input
            id="view-name"
            maxLength={64}
            value={text}
            onChange={({ target }) => setText(target.value)}
          />
        </Form.Item>
      </Form>
    </Modal>
  )
}
