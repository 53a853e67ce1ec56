import { Alert, Checkbox, Form, InputNumber, Select } from 'antd'
import { useState, type FC } from 'react'
import { MAX_OTA_DEVICES, ota, type Firmware, type OtaDevice } from '../../../contract/devices/ota-calls.ts'
import { describeFailure } from '../../data/failure.ts'
import { useAction } from '../../data/use-action.ts'
import { t as tNow, useT } from '../../lib/i18n/i18n.ts'
import { notices } from '../../data/notices.ts'
import { acceptsVersion } from '../../domain/ota/firmware.ts'
import { Modal } from '../../ui/page/dialog.tsx'

interface Props {
  homeId: string
  devices: readonly OtaDevice[]
  /** Versions for their kind, newest first; at least one. */
  versions: readonly Firmware[]
  close: (started: boolean) => void
}

/** Dialog for the version and rollout options of an update. */
export const StartDialog: FC<Props> = ({ homeId, devices, versions, close }) => {
  const t = useT()
  const [id, setId] = useState(versions[0]?.FirmwareID)
  const [waveSize, setWaveSize] = useState(10)
  const [pausePercent, setPausePercent] = useState(20)
  const [confirmWaves, setConfirmWaves] = useState(false)
  const { busy, failure, run } = useAction(ota.startOta, { feedback: 'failure' })
  const selectedVersion = versions.find(({ FirmwareID }) => FirmwareID === id)
  const offlineCount = devices.filter(({ Online }) => !Online).length
  const older = selectedVersion
    ? devices.filter((device) => !acceptsVersion(device, selectedVersion.FirmwareVersion)).length
    : 0

  const start = async () => {
    if (!selectedVersion) return
    const started = await run({
      HomeID: homeId,
      FirmwareID: selectedVersion.FirmwareID,
      Devices: devices.map(({ ThingName, PeripheralUID }) => ({ ThingName, PeripheralUID })),
      WaveSize: waveSize,
      PausePercent: pausePercent,
      ConfirmWaves: confirmWaves,
    })
    if (!started) return
    const count = started.Refused.length
    if (started.Job) notices.success(() => tNow('ota:start.started', { count: devices.length - count }))
    if (count > 0) notices.info(() => tNow('ota:start.refused', { count }))
    close(true)
  }

  return (
    <Modal
      open
      title={t('ota:start.title', { count: devices.length })}
      okText={t('ota:start.ok')}
      cancelText={t('screens:cancel')}
      confirmLoading={busy}
      onOk={() => void start()}
      onCancel={() => close(false)}
    >
      <Form layout="vertical" disabled={busy}>
        <Form.Item label={t('ota:start.version')} htmlFor="ota-version">
          <Select
            id="ota-version"
            value={id}
            onChange={setId}
            options={versions.map(({ FirmwareID, FirmwareVersion }) => ({
              value: FirmwareID,
              label: FirmwareVersion,
            }))}
          />
        </Form.Item>
        {devices.length > 1 && (
          <>
            <Form.Item
              label={t('ota:start.waveSize')}
              htmlFor="ota-wave"
              extra={t('ota:start.waves', { count: Math.ceil(devices.length / waveSize) })}
            >
              <InputNumber
                id="ota-wave"
                min={1}
                max={MAX_OTA_DEVICES}
                precision={0}
                value={waveSize}
                onChange={(value) => setWaveSize(value ?? 1)}
              />
            </Form.Item>
            <Form.Item label={t('ota:start.pausePercent')} htmlFor="ota-pause">
              <InputNumber
                id="ota-pause"
                min={0}
                max={100}
                precision={0}
                value={pausePercent}
                onChange={(value) => setPausePercent(value ?? 0)}
              />
            </Form.Item>
            <Form.Item>
              <Checkbox checked={confirmWaves} onChange={(event) => setConfirmWaves(event.target.checked)}>
                {t('ota:start.confirmWaves')}
              </Checkbox>
            </Form.Item>
          </>
        )}
      </Form>
      {older > 0 && (
        <Alert
          type="warning"
          showIcon
          style={{ marginBottom: 8 }}
          message={t('ota:start.older', { count: older })}
        />
      )}
      {offlineCount > 0 && (
        <Alert
          type="warning"
          showIcon
          style={{ marginBottom: 8 }}
          message={t('ota:start.offline', { count: offlineCount })}
        />
      )}
      <Alert type="info" showIcon message={t('ota:start.note')} />
      {failure !== undefined && (
        <Alert type="error" showIcon style={{ marginTop: 8 }} message={describeFailure(failure)} />
      )}
    </Modal>
  )
}
