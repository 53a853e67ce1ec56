import { PlusOutlined } from '@ant-design/icons'
import { Button, Form, Input, Select } from 'antd'
import { useState } from 'react'
import { findings } from '../../../contract/findings/calls.ts'
import { dayOf, formatDay } from '../../../contract/time/periods.ts'
import { describeFailure } from '../../data/failure.ts'
import { useAction } from '../../data/use-action.ts'
import { useMeters } from '../../domain/energy/use-meters.ts'
import { useNamedMeters } from '../../domain/energy/use-names.ts'
import { t as tNow, useT } from '../../lib/i18n/i18n.ts'
import { DayField } from '../../ui/inputs/day-field/day-field.tsx'
import { useNow } from '../../ui/page/use-now.ts'
import page from '../../ui/page/page.module.css'
import { Modal } from '../../ui/dialog/dialog.tsx'
import { holdsLabel } from '../../ui/inputs/holds-label.ts'

interface Props {
  homeId: string
  zone: string
}

/** Records an energy saving measure without a finding, so that its saving is measured. */
export function RecordMeasure(props: Props) {
  const t = useT()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button icon={<PlusOutlined />} onClick={() => setOpen(true)}>
        {t('insight:findings.record.button')}
      </Button>
      {isOpen && <RecordDialog {...props} close={() => setOpen(false)} />}
    </>
  )
}

function RecordDialog({ homeId, zone, close }: Props & { close: () => void }) {
  const t = useT()
  const today = formatDay(dayOf(useNow(), zone))
  const meters = useNamedMeters(homeId, useMeters(homeId).data ?? [])
  const [meter, setMeter] = useState<string>()
  const [name, setName] = useState('')
  const [day, setDay] = useState(today)
  const { busy, failure, refused, run } = useAction(findings.recordMeasure, { shows: 'both' })
  const MeasureName = name.trim()
  const isComplete = meter !== undefined && MeasureName !== '' && day !== ''
  const save = async () => {
    if (!isComplete) return
    const input = { HomeID: homeId, MeterID: meter, MeasureName, DoneOn: day }
    if (await run(input, () => tNow('insight:findings.record.done', { name: MeasureName }))) close()
  }
  return (
    <Modal
      open
      title={t('insight:findings.record.title')}
      okText={t('screens:save')}
      cancelText={t('screens:cancel')}
      okButtonProps={{ disabled: !isComplete }}
      confirmLoading={busy}
      onOk={() => void save()}
      onCancel={close}
    >
      <p className={page.note}>{t('insight:findings.record.note')}</p>
      <Form layout="vertical" component="div">
        <Form.Item label={t('insight:findings.record.name')} required>
          <Input
            aria-label={t('insight:findings.record.name')}
            maxLength={64}
            value={name}
            onChange={({ target }) => setName(target.value)}
          />
        </Form.Item>
        <Form.Item
          label={t('insight:findings.record.meter')}
          required
          extra={t('insight:findings.record.meterHint')}
          {...(refused['MeterID'] && {
            validateStatus: 'error' as const,
            help: t('insight:findings.record.taken'),
          })}
        >
          <Select
            showSearch
            filterOption={holdsLabel}
            aria-label={t('insight:findings.record.meter')}
            value={meter ?? null}
            onChange={(id: string | null) => setMeter(id ?? undefined)}
            options={[...meters.values()].map(({ PeripheralUID, name: label }) => ({
              value: PeripheralUID,
              label,
            }))}
          />
        </Form.Item>
        <Form.Item label={t('insight:findings.acts.doneDay')} required>
          <DayField
            zone={zone}
            max={today}
            label={t('insight:findings.acts.doneDay')}
            value={day}
            change={setDay}
          />
        </Form.Item>
      </Form>
      {failure !== undefined && !refused['MeterID'] && (
        <p role="alert" className={page.fault}>
          {describeFailure(failure)}
        </p>
      )}
    </Modal>
  )
}
