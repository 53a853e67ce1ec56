import { EditOutlined } from '@ant-design/icons'
import { Button, Form, Input } from 'antd'
import { useState, type FC } from 'react'
import type { IRContainer } from '../../../../contract/devices/capabilities/camera-and-ir.ts'
import { cameraAndIr } from '../../../../contract/devices/camera-and-ir-calls.ts'
import { call } from '../../../data/api.ts'
import { describeFailure, describeField } from '../../../data/failure.ts'
import { useT } from '../../../lib/i18n/i18n.ts'
import { notices } from '../../../data/notices.ts'
import { useMay } from '../../../data/session.ts'
import { useNoControl } from '../../../ui/inputs/no-control.ts'
import { ListSkeleton, LoadFailed, EmptyState } from '../../../ui/page/states.tsx'
import type { Face } from '../control/face.ts'
import styles from './ir-remote.module.css'
import { useContainers } from './use-containers.ts'
import type { PeripheralKey } from '../../../../contract/devices/peripheral.ts'
import { useAction } from '../../../data/use-action.ts'
import { reasonFor } from '../../../record-kit/field-rules.ts'
import { onEnter } from '../../../ui/inputs/on-enter.ts'
import { Modal } from '../../../ui/page/dialog.tsx'

const { ContMName } = cameraAndIr.updateIRRemoteContainerName.input.shape

const RenameContainer: FC<{ remote: PeripheralKey; container: IRContainer; close: () => void }> = ({
  remote,
  container,
  close,
}) => {
  const t = useT()
  const [name, setName] = useState(container.ContMName)
  const rename = useAction(cameraAndIr.updateIRRemoteContainerName, { feedback: 'fields' })
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

/** Learned commands of an infrared remote: a send button for each, and its name. */
const IRRemote: Face = ({ device, send }) => {
  const t = useT()
  const reason = useNoControl()
  const mayRename = useMay('device', 'Update')
  const [sending, setSending] = useState<string>()
  const [renaming, setRenaming] = useState<IRContainer>()
  const key = { HomeID: device.HomeID, PeripheralUID: device.PeripheralUID }
  const containers = useContainers(device)
  const { refetch } = containers

  /** Infrared has no acknowledgment; success only means that the hub sent the command (§8). */
  const press = async ({ ContMID, ContDID }: IRContainer) => {
    setSending(ContMID)
    try {
      const { PMACAddress } = device
      const command = await call(cameraAndIr.casaControlIRRemote, { ...key, PMACAddress, ContMID, ContDID })
      if (command.State === 'failed' || command.State === 'timedOut')
        notices.error(
          () => `${t('devices:ir.failed')} ${t(`errors:command.${command.Reason ?? 'noAnswer'}`)}`,
        )
      else notices.success(() => t('devices:ir.sent'))
    } catch (error) {
      notices.error(() => describeFailure(error))
    } finally {
      setSending(undefined)
    }
  }

  if (!containers.data)
    return containers.error ? (
      <LoadFailed error={containers.error} retry={() => void refetch()} />
    ) : (
      <ListSkeleton rows={3} />
    )
  if (containers.data.length === 0) return <EmptyState message={t('devices:ir.none')} />
  return (
    <>
      <ul className={styles.containers}>
        {containers.data.map((container) => (
          <li key={container.ContMID}>
            <Button
              block
              disabled={!send || reason !== undefined}
              title={reason}
              loading={sending === container.ContMID}
              onClick={() => void press(container)}
            >
              {container.ContMName || container.ContMID}
            </Button>
            {mayRename && (
              <Button
                type="text"
                icon={<EditOutlined />}
                aria-label={t('devices:ir.rename', { name: container.ContMName || container.ContMID })}
                onClick={() => setRenaming(container)}
              />
            )}
          </li>
        ))}
      </ul>
      {renaming && (
        <RenameContainer
          remote={key}
          container={renaming}
          close={() => {
            setRenaming(undefined)
            void refetch()
          }}
        />
      )}
    </>
  )
}
export default IRRemote
