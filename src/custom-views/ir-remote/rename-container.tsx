import { Form, Input, Modal } from 'antd'
import { useState, type FC } from 'react'
import type { IRContainer } from '../../../contract/device-kinds/capabilities/ir-remote.ts'
import { cameraAndIr } from '../../../contract/procedures/camera-and-ir.ts'
import type { PeripheralKey } from '../../../contract/resources/peripheral.ts'
import { call } from '../../data/api.ts'
import { describeFailure, describeField } from '../../data/failure.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { notices } from '../../data/notices.ts'
import { reasonFor } from '../../record-kit/field-rules.ts'

const { ContMName } = cameraAndIr.updateIRRemoteContainerName.input.shape

/** Asks for a new name of something the remote can send. */
export const RenameContainer: FC<{ remote: PeripheralKey; container: IRContainer; close: () => void }> = ({
  remote,
  container,
  close,
}) => {
  const t = useT()
  const [name, setName] = useState(container.ContMName)
  const [busy, setBusy] = useState(false)
  const reason = reasonFor(ContMName, name)

  const save = async () => {
    if (reason) return
    setBusy(true)
    try {
      await call(cameraAndIr.updateIRRemoteContainerName, {
        ...remote,
        ContMID: container.ContMID,
        ContMName: name,
      })
      notices.success(() => t('screens:updated'))
      close()
    } catch (error) {
      notices.error(() => describeFailure(error))
    } finally {
      setBusy(false)
    }
  }

  return (
    <Modal
      open
      title={t('devices:ir.rename', { name: container.ContMName || container.ContMID })}
      okText={t('screens:save')}
      cancelText={t('screens:cancel')}
      confirmLoading={busy}
      okButtonProps={{ disabled: reason !== undefined }}
      onOk={() => void save()}
      onCancel={close}
    >
      <Form layout="vertical">
        <Form.Item
          label={t('devices:ir.name')}
          htmlFor="container-name"
          validateStatus={reason ? 'error' : ''}
          help={reason && describeField(reason)}
        >
          <Input
            id="container-name"
            value={name}
            maxLength={64}
            onChange={(event) => setName(event.target.value)}
            onPressEnter={() => void save()}
          />
        </Form.Item>
      </Form>
    </Modal>
  )
}
