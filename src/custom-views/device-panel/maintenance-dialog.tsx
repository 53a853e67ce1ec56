import { Form, Input, Radio } from 'antd'
import { useState } from 'react'
import { MAX_MAINTENANCE_MS, maintenances, type Maintenance } from '../../../contract/alarms/calls.ts'
import { describeFailure, describeField } from '../../data/failure.ts'
import { useTimeZone } from '../../data/homes.ts'
import { useAction } from '../../data/use-action.ts'
import { fromWallTimeInput, toWallTimeInput } from '../../lib/wall-input.ts'
import { t as tNow, useT } from '../../lib/i18n/i18n.ts'
import { reasonFor } from '../../record-kit/field-rules.ts'
import { MomentField } from '../../ui/inputs/day-field/day-field.tsx'
import { useNow } from '../../ui/page/use-now.ts'
import page from '../../ui/page/page.module.css'
import { Modal } from '../../ui/page/dialog.tsx'

const DEFAULT_DURATION_MS = 4 * 3_600_000
/** Time zone of the browser, until the home is loaded. */
const OWN_ZONE = new Intl.DateTimeFormat().resolvedOptions().timeZone
const { Reason } = maintenances.startMaintenance.input.shape

interface Props {
  homeId: string
  /** The hub, or the hub of the device. */
  thingName: string | null
  /** Null for a hub. */
  peripheralUid: string | null
  close: () => void
}

export default function MaintenanceDialog({ homeId, thingName, peripheralUid, close }: Props) {
  const t = useT()
  const now = useNow()
  const zone = useTimeZone(homeId) ?? OWN_ZONE
  const start = useAction(maintenances.startMaintenance, { feedback: 'both' })
  const subjects: Partial<Record<Maintenance['Scope'], string>> = {
    ...(peripheralUid !== null && { device: peripheralUid }),
    ...(thingName !== null && { hub: thingName }),
    home: homeId,
  }
  const [scope, setScope] = useState<Maintenance['Scope']>(peripheralUid === null ? 'hub' : 'device')
  const [until, setUntil] = useState<number | undefined>(now + DEFAULT_DURATION_MS)
  const [text, setText] = useState('')
  const untilFault =
    until === undefined
      ? 'required'
      : until <= now
        ? 'past'
        : until > now + MAX_MAINTENANCE_MS
          ? 'tooBig'
          : start.refused['Until']
  const reasonFault = text === '' ? undefined : reasonFor(Reason, text)
  const subjectFault = start.refused['Subject']
  const isReady = until !== undefined && untilFault === undefined && reasonFor(Reason, text) === undefined
  const submit = async () => {
    const Subject = subjects[scope]
    if (!isReady || Subject === undefined) return
    const input = { HomeID: homeId, Scope: scope, Subject, Until: until, Reason: text }
    if (await start.run(input, () => tNow('devices:maintenance.started'))) close()
  }
  return (
    <Modal
      open
      title={t('devices:maintenance.start')}
      okText={t('devices:maintenance.begin')}
      cancelText={t('screens:cancel')}
      okButtonProps={{ disabled: !isReady }}
      confirmLoading={start.busy}
      onOk={() => void submit()}
      onCancel={close}
    >
      <p>{t('devices:maintenance.note')}</p>
      <Form layout="vertical" onFinish={() => void submit()}>
        <Form.Item
          label={t('devices:maintenance.scope')}
          validateStatus={subjectFault ? 'error' : ''}
          help={subjectFault && t('devices:maintenance.already')}
        >
          <Radio.Group
            value={scope}
            onChange={({ target }) => {
              setScope(target.value as Maintenance['Scope'])
              start.reset()
            }}
            options={(Object.keys(subjects) as Maintenance['Scope'][]).map((value) => ({
              value,
              label: t(`devices:maintenance.scopes.${value}`),
            }))}
          />
        </Form.Item>
        <Form.Item
          label={t('devices:maintenance.untilWhen')}
          required
          validateStatus={untilFault ? 'error' : ''}
          help={untilFault && describeField(untilFault)}
        >
          <MomentField
            zone={zone}
            minutes={15}
            min={toWallTimeInput(now, zone)}
            max={toWallTimeInput(now + MAX_MAINTENANCE_MS, zone)}
            label={t('devices:maintenance.untilWhen')}
            value={until === undefined ? '' : toWallTimeInput(until, zone)}
            change={(next) => {
              setUntil(fromWallTimeInput(next, zone))
              start.reset()
            }}
          />
        </Form.Item>
        <Form.Item
          label={t('devices:maintenance.reason')}
          htmlFor="maintenance-reason"
          required
          validateStatus={reasonFault ? 'error' : ''}
          help={reasonFault && describeField(reasonFault)}
        >
          <Input.TextArea
            id="maintenance-reason"
            rows={2}
            maxLength={500}
            value={text}
            onChange={({ target }) => {
              setText(target.value)
              start.reset()
            }}
          />
        </Form.Item>
      </Form>
      {start.failure !== undefined && (
        <p role="alert" className={page.fault}>
          {describeFailure(start.failure)}
        </p>
      )}
    </Modal>
  )
}
