import { Form, Input, Radio } from 'antd'
import { useState } from 'react'
import { alarms } from '../../../contract/alarms/calls.ts'
import { describeFailure, describeField } from '../../data/failure.ts'
import { useTimeZone } from '../../data/homes.ts'
import { formatWhen } from '../../lib/format-when.ts'
import { useLanguage, useT } from '../../lib/i18n/i18n.ts'
import { toWallTimeInput } from '../../lib/wall-input.ts'
import { reasonFor } from '../../record-kit/field-rules.ts'
import { MomentField } from '../../ui/inputs/day-field/day-field.tsx'
import page from '../../ui/page/page.module.css'
import { useNow } from '../../ui/page/use-now.ts'
import { nextMorning, SHELVE_DURATIONS, shelfFault, shelveEnd, type ShelveDuration } from './shelf.ts'
import { Modal } from '../../ui/dialog/dialog.tsx'

const { Reason } = alarms.shelveAlarm.input.shape
const HOUR = 3_600_000

interface Props {
  HomeID: string
  title: string
  busy?: boolean
  failure?: unknown
  close: () => void
  shelve: (asked: { Until: number; Reason: string }) => void
}

export function ShelveDialog({ HomeID, title, busy = false, failure, close, shelve }: Props) {
  const t = useT()
  const language = useLanguage()
  const now = useNow()
  const zone = useTimeZone(HomeID) ?? 'Asia/Taipei'
  const [length, setLength] = useState<ShelveDuration>('hour')
  const [own, setOwn] = useState(() => toWallTimeInput(now + 2 * HOUR, zone))
  const [text, setText] = useState('')
  const Until = shelveEnd(length, own, now, zone)
  const untilFault = shelfFault(Until, now)
  const reasonFault = reasonFor(Reason, text)
  const isReady = untilFault === undefined && reasonFault === undefined
  return (
    <Modal
      open
      title={title}
      okText={t('alarms:acts.shelve')}
      cancelText={t('screens:cancel')}
      okButtonProps={{ disabled: !isReady }}
      confirmLoading={busy}
      onOk={() => isReady && Until !== undefined && shelve({ Until, Reason: text.trim() })}
      onCancel={close}
    >
      <p>{t('alarms:acts.shelveNote')}</p>
      <Form layout="vertical" component="div">
        <Form.Item label={t('alarms:acts.howLong')}>
          <Radio.Group
            aria-label={t('alarms:acts.howLong')}
            className={page.tightStack ?? ''}
            value={length}
            options={SHELVE_DURATIONS.map((value) => ({
              value,
              label: t(`alarms:acts.lengths.${value}`, {
                at: formatWhen(nextMorning(now, zone), language, zone),
              }),
            }))}
            onChange={({ target }) => setLength(target.value as ShelveDuration)}
          />
        </Form.Item>
        {length === 'own' && (
          <Form.Item
            label={t('alarms:acts.until')}
            {...(untilFault && {
              validateStatus: 'error' as const,
              help: <span role="alert">{t(`alarms:acts.${untilFault}`)}</span>,
            })}
          >
            <MomentField
              minutes={15}
              zone={zone}
              label={t('alarms:acts.until')}
              value={own}
              change={setOwn}
            />
          </Form.Item>
        )}
        <Form.Item
          required
          label={t('alarms:acts.reason')}
          htmlFor="shelve-reason"
          {...(text !== '' &&
            reasonFault && { validateStatus: 'error' as const, help: describeField(reasonFault) })}
        >
          <Input.TextArea
            id="shelve-reason"
            rows={2}
            maxLength={500}
            value={text}
            onChange={({ target }) => setText(target.value)}
          />
        </Form.Item>
      </Form>
      {failure !== undefined && (
        <p role="alert" className={page.fault}>
          {describeFailure(failure)}
        </p>
      )}
    </Modal>
  )
}
