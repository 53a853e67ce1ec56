import { Form, Input } from 'antd'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { floor } from '../../../contract/homes/floor.ts'
import { describeField } from '../../data/failure.ts'
import { useAction } from '../../data/use-action.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { pathTo } from '../../navigation/paths.ts'
import { Modal } from '../../ui/page/dialog.tsx'

/** Maximum length of a floor's name in characters. */
const MAX_NAME_LENGTH = 64

/** Creates a floor above the others and opens its editor. */
export default function NewFloor({ HomeID, close }: { HomeID: string; close: () => void }) {
  const t = useT()
  const navigate = useNavigate()
  const [name, setName] = useState('')
  const { busy, refused, reset, run } = useAction(floor.operations.create, { feedback: 'fields' })
  const save = async () => {
    const created = await run({ HomeID, FloorName: name }, () => t('screens:created'))
    if (created) void navigate(pathTo('updateFloor', { HomeID, FloorID: created.FloorID }))
  }
  const reason = refused['FloorName']
  return (
    <Modal
      open
      title={t('resources:floor.create')}
      okText={t('building:addFloor')}
      cancelText={t('screens:cancel')}
      okButtonProps={{ disabled: name.trim() === '' }}
      confirmLoading={busy}
      onOk={() => void save()}
      onCancel={close}
    >
      <Form layout="vertical" onFinish={() => void save()}>
        <Form.Item
          label={t('resources:floor.fields.FloorName')}
          htmlFor="floor-name"
          extra={t('building:floorNameHint')}
          {...(reason && { validateStatus: 'error', help: describeField(reason, 'FloorName') })}
        >
          <Input
            id="floor-name"
            maxLength={MAX_NAME_LENGTH}
            value={name}
            onChange={({ target }) => {
              setName(target.value)
              reset()
            }}
          />
        </Form.Item>
      </Form>
    </Modal>
  )
}
