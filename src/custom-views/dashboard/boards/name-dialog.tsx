import { Alert, Form, Input } from 'antd'
import { useState } from 'react'
import { Dashboard } from '../../../../contract/dashboards/dashboard.ts'
import { describeRefusal } from '../../../data/failure.ts'
import { useT } from '../../../lib/i18n/i18n.ts'
import { Modal } from '../../../ui/page/dialog.tsx'

interface Props {
  title: string
  name: string
  ok: string
  action: { busy: boolean; refused: Readonly<Record<string, string>>; failure: unknown }
  save: (name: string) => Promise<void>
  close: () => void
}

/** Maximum length of a name in characters. */
const MAX_NAME_LENGTH = 64

export function NameDialog({ title, name, ok, action, save, close }: Props) {
  const t = useT()
  const [typed, setTyped] = useState(name)
  const isName = Dashboard.shape.Name.safeParse(typed).success
  const submit = () => {
    if (isName) void save(typed.trim())
  }
  return (
    <Modal
      open
      title={title}
      okText={ok}
      cancelText={t('screens:cancel')}
      okButtonProps={{ disabled: !isName }}
      confirmLoading={action.busy}
      onOk={submit}
      onCancel={close}
    >
      <Form layout="vertical" onFinish={submit}>
        <Form.Item label={t('boards:name')} htmlFor="board-name">
          <Input
            id="board-name"
            value={typed}
            maxLength={MAX_NAME_LENGTH}
            onChange={({ target }) => setTyped(target.value)}
          />
        </Form.Item>
        {action.failure !== undefined && (
          <Alert showIcon type="error" role="alert" message={describeRefusal(action.failure)} />
        )}
      </Form>
    </Modal>
  )
}
