import { Form, Input, Radio } from 'antd'
import { useState } from 'react'
import { alarms, MAX_SHELVE_MS } from '../../../contract/alarms/calls.ts'
import { describeFailure, describeField } from '../../data/failure.ts'
import { useTimeZone } from '../../data/homes.ts'
import { formatWhen } from '../../../contract/time/format-time.ts'
import { useLanguage, useT } from '../../lib/i18n/i18n.ts'
import { toWallTimeInput, fromWallTimeInput } from '../../lib/wall-input.ts'
import { reasonFor } from '../../record-kit/field-rules.ts'
import { MomentField } from '../../ui/inputs/day-field/day-field.tsx'
import page from '../../ui/page/page.module.css'
import { useNow } from '../../ui/page/use-now.ts'
import { Modal } from '../../ui/page/dialog.tsx'

const HOUR = 3_600_000
const DAY = 24 * HOUR

/** Durations of shelving; `own` is a chosen time. */
const SHELVE_DURATIONS = ['hour', 'four', 'morning', 'own'] as const
type ShelveDuration = (typeof SHELVE_DURATIONS)[number]

/** Next 08:00 in the home's time zone, at most 24 hours from now. */
function nextMorning(now: number, zone: string): number {
  const morningOf = (at: number) =>
    fromWallTimeInput(`${toWallTimeInput(at, zone).slice(0, 10)}T08:00`, zone) ?? at
  const today = morningOf(now)
  const next = today > now ? today : morningOf(now + DAY)
  return Math.min(next, now + MAX_SHELVE_MS)
}

/** ownEnd  value of a date and time field */
function shelveEnd(length: ShelveDuration, ownEnd: string, now: number, zone: string): number | undefined {
  if (length === 'own') return fromWallTimeInput(ownEnd, zone)
  return length === 'hour' ? now + HOUR : length === 'four' ? now + 4 * HOUR : nextMorning(now, zone)
}

function shelfFault(until: number | undefined, now: number): 'pastTime' | 'tooLong' | undefined {
  if (until === undefined || until <= now) return 'pastTime'
  // Tolerance: a time chosen to the minute may slightly exceed the maximum.
  return until > now + MAX_SHELVE_MS ? 'tooLong' : undefined
}

const { Reason } = alarms.shelveAlarm.input.shape

interface Props {
  HomeID: string
  title: string
  busy?: boolean
  failure?: unknown
  close: () => void
  shelve: (shelvingInput: { Until: number; Reason: string }) => void
}

export function ShelveDialog({ HomeID, title, busy = false, failure, close, shelve }: Props) {
  const t = useT()
  const language = useLanguage()
  const now = useNow()
  const zone = useTimeZone(HomeID) ?? 'Asia/Taipei'
  const [length, setLength] = useState<ShelveDuration>('hour')
  const [ownEnd, setOwnEnd] = useState(() => toWallTimeInput(now + 2 * HOUR, zone))
  const [text, setText] = useState('')
  const Until = shelveEnd(length, ownEnd, now, zone)
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
              value={ownEnd}
              change={setOwnEnd}
            />
          </Form.Item>
        )}
        <Form.Item
          required
          label={t('alarms:acts.reason')}
          htmlFor="shelve-reason"
          extra={t('alarms:acts.reasonNote')}
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
