import { Form, Input } from 'antd'
import { useState, type FC } from 'react'
import type { IRContainer } from '../../../../contract/devices/capabilities/camera-and-ir.ts'
import { cameraAndIr } from '../../../../contract/devices/camera-and-ir-calls.ts'
import type { PeripheralKey } from '../../../../contract/devices/peripheral.ts'
import { describeField } from '../../../data/failure.ts'
import { useT } from '../../../lib/i18n/i18n.ts'
import { useAction } from '../../../data/use-action.ts'
import { reasonFor } from '../../../record-kit/field-rules.ts'
import { onEnter } from '../../../ui/inputs/on-enter.ts'
import { Modal } from '../../../ui/dialog/dialog.tsx'

const { ContMName } = cameraAndIr.updateIRRemoteContainerName.input.shape

export const RenameContainer: FC<{ remote: PeripheralKey; container: IRContainer; close: () => void }> = ({
  remote,
  container,
  close,
}) => {
  const t = useT()
  const [name, setName] = useState(container.ContMName)
  const rename = useAction(cameraAndIr.updateIRRemoteContainerName, { shows: 'fields' })
  const reason = reasonFor(ContMName, name) ?? rename.refused['ContMName']

  const save = async () => {
    if (reason) return
    const input = { ...remote, ContMID: container.ContMID, ContMName: name }
    if (await rename.run(input, () => t('screens:updated'))) close()
  }

  return (
    <Modal
      open
      title={t('devices:ir.rename', { name: container.ContMName || container.ContMID })}
      okText={t('screens:save')}
      cancelText={t('screens:cancel')}
      confirmLoading={rename.busy}
      okButtonProps={{ disabled: reason !== undefined }}
      onOk={() => void save()}
      onCancel={close}
    >
      <Form layout="vertical">
        <Form.Item
          label={t('devices:ir.name')}
          htmlFor="container-name"
          validateStatus={reason ? 'error' : ''}
          help={reason && describeField(reason, 'ContMName')}
        >
          <Input
            id="container-name"
            value={name}
            maxLength={64}
            onChange={(event) => {
              setName(event.target.value)
              rename.reset()
            }}
            onPressEnter={onEnter(save)}
          />
        </Form.Item>
      </Form>
    </Modal>
  )
}
