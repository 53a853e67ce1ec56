import { Button, Card, Input, InputNumber, Segmented } from 'antd'
import { useState } from 'react'
import {
  MAX_CORRECTION_RANGE_MS,
  meterCorrections,
  DISTRIBUTION_METHODS,
} from '../../../contract/meters/correction-calls.ts'
import { dayOf, formatDay, QUARTER_MS } from '../../../contract/time/periods.ts'
import { describeFields } from '../../data/failure.ts'
import { useAction } from '../../data/use-action.ts'
import { t as tNow, useT } from '../../lib/i18n/i18n.ts'
import { useFormatDate } from '../../ui/page/format-when.ts'
import { MomentField } from '../../ui/inputs/day-field/day-field.tsx'
import { useNow } from '../../ui/page/use-now.ts'
import { ChangePreview } from './common/change-preview.tsx'
import { Field, MeterSelect } from './common/fields.tsx'
import page from '../../ui/page/page.module.css'
import type { Guard, Place } from './common/place.ts'
import type { MetersAddress } from './common/use-address.ts'
import { useSpanEnergy } from './common/use-meters.ts'
import { fromWallTimeInput, quarterStart, toWallTimeInput } from '../../lib/wall-input.ts'

/** Faults of the ends of a span, by the same rules as the gateway's. */
function faultOf(from: number | undefined, to: number | undefined, now: number) {
  if (from !== undefined && from % QUARTER_MS !== 0) return { From: 'quarter' } as const
  if (to === undefined) return {}
  if (to % QUARTER_MS !== 0) return { To: 'quarter' } as const
  if (to > now) return { To: 'future' } as const
  if (from === undefined) return {}
  if (to <= from) return { To: 'endBeforeStart' } as const
  if (to - from > MAX_CORRECTION_RANGE_MS) return { To: 'tooBig' } as const
  return {}
}

/** Form for the energy that a meter counted in whole quarter hours; previews the change before it is saved. */
export function CorrectionForm(props: { place: Place; address: MetersAddress; guard: Guard }) {
  const { place, address, guard } = props
  const t = useT()
  const date = useFormatDate()
  const now = useNow()
  const { homeId, zone, meters } = place
  const { busy, refused, reset, run } = useAction(meterCorrections.createMeterCorrection, {
    feedback: 'fields',
  })
  const faults = describeFields(refused)
  const [fromWallText, setFrom] = useState(address.moments.from ?? '')
  const [toWallText, setTo] = useState(address.moments.to ?? '')
  const [kWh, setKwh] = useState<number | null>(null)
  const [sharing, setSharing] = useState<(typeof DISTRIBUTION_METHODS)[number]>('shape')
  const [note, setNote] = useState('')

  const meter = address.meter !== undefined && meters.has(address.meter) ? address.meter : undefined
  const from = fromWallTimeInput(fromWallText, zone)
  const to = fromWallTimeInput(toWallText, zone)
  const fieldFaults: { From?: 'quarter'; To?: 'quarter' | 'future' | 'endBeforeStart' | 'tooBig' } = faultOf(
    from,
    to,
    now,
  )
  const span =
    from !== undefined && to !== undefined && !fieldFaults.From && !fieldFaults.To ? { from, to } : undefined
  const energy = useSpanEnergy(homeId, meter, span, zone)
  const lines = () => {
    if (!energy.data || !span) return undefined
    const [first, last] = [dayOf(span.from, zone), dayOf(span.to - 1, zone)]
    const { days, span: before } = energy.data
    return [
      { label: t('meters:preview.span'), before, after: kWh },
      {
        label:
          first === last
            ? t('meters:preview.day', { day: date(formatDay(first)) })
            : t('meters:preview.days', { first: date(formatDay(first)), last: date(formatDay(last)) }),
        before: days,
        after: kWh === null ? null : (days ?? 0) - (before ?? 0) + kWh,
      },
    ]
  }
  const faultAt = (path: 'From' | 'To'): string | undefined => {
    const fieldFault = fieldFaults[path]
    if (fieldFault) return t(`errors:fields.${fieldFault}`)
    return faults[path] === t('errors:fields.overlap') ? t('meters:already') : faults[path]
  }
  const send = async () => {
    if (!span || meter === undefined || kWh === null) return
    const isDone = await run(
      {
        HomeID: homeId,
        PeripheralUID: meter,
        Kind: 'interval',
        From: span.from,
        To: span.to,
        kWh,
        Sharing: sharing,
        Note: note,
      },
      () => tNow('meters:saved'),
    )
    if (!isDone) return
    setFrom('')
    setTo('')
    setKwh(null)
    setNote('')
    guard.setDirty(false)
  }
  const momentField = (value: string, change: (next: string) => void) => (
    <MomentField
      zone={zone}
      minutes={15}
      max={toWallTimeInput(quarterStart(now), zone)}
      value={value}
      change={(next) => {
        change(next)
        guard.setDirty(true)
        reset()
      }}
    />
  )
  return (
    <Card title={t('meters:correct.title')}>
      <div className={page.stack}>
        <p className={page.hint}>{t('meters:correct.why', { zone })}</p>
        <div className={page.fields}>
          <Field label={t('energy:meter')}>
            <MeterSelect
              meters={[...meters.values()]}
              value={meter}
              onChange={(id) => {
                address.openTab('correct', id)
                reset()
              }}
              label={t('energy:meter')}
            />
          </Field>
          <Field label={t('meters:correct.from')} fault={faultAt('From')}>
            {momentField(fromWallText, setFrom)}
          </Field>
          <Field label={t('meters:correct.to')} fault={faultAt('To')}>
            {momentField(toWallText, setTo)}
          </Field>
          <Field label={t('meters:correct.kwh')} fault={faults['kWh']}>
            <InputNumber<number>
              min={0}
              max={1e12}
              suffix="kWh"
              value={kWh}
              onChange={(next) => {
                setKwh(next)
                guard.setDirty(true)
              }}
            />
          </Field>
        </div>
        <div className={page.column}>
          <span id="sharing">{t('meters:correct.sharing')}</span>
          <Segmented
            aria-labelledby="sharing"
            value={sharing}
            onChange={setSharing}
            options={DISTRIBUTION_METHODS.map((method) => ({
              value: method,
              label: t(`meters:correct.sharings.${method}`),
            }))}
          />
          <span className={page.hint}>{t(`meters:correct.sharingWhy.${sharing}`)}</span>
        </div>
        <Field label={t('meters:noteRequired')} fault={faults['Note']}>
          <Input.TextArea
            rows={2}
            maxLength={500}
            value={note}
            onChange={({ target }) => {
              setNote(target.value)
              guard.setDirty(true)
            }}
          />
        </Field>
        {span && meter !== undefined && (
          <ChangePreview lines={lines()} error={energy.error} retry={energy.retry} />
        )}
        <div className={page.buttons}>
          <Button
            type="primary"
            loading={busy}
            disabled={!span || meter === undefined || kWh === null || note.trim() === ''}
            onClick={() => void send()}
          >
            {t('meters:correct.save')}
          </Button>
        </div>
      </div>
    </Card>
  )
}
