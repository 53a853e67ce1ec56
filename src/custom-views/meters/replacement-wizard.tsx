import { Alert, Button, Card, Input, InputNumber, Steps } from 'antd'
import { useState } from 'react'
import { meterCorrections } from '../../../contract/procedures/meter-corrections.ts'
import type { Sample } from '../../../contract/rules/intervals.ts'
import { dayOf, formatDay, startOfDay } from '../../../contract/rules/periods.ts'
import { formatWall } from '../../lib/export/table.ts'
import { describeRight } from '../../data/failure.ts'
import { t as tNow, useT } from '../../lib/i18n/i18n.ts'
import { useMay } from '../../data/session.ts'
import { MomentField } from '../../ui/inputs/day-field/day-field.tsx'
import { useNow } from '../../ui/page/use-now.ts'
import { useFigures } from '../../domain/energy/use-figures.ts'
import { ChangePreview } from './change-preview.tsx'
import { Field } from './field.tsx'
import { MeterSelect } from './meter-select.tsx'
import styles from './meters.module.css'
import type { Guard, Place } from './place.ts'
import { readingsAround, replacementEffect, withheldBy } from './replacement-effect.ts'
import type { MetersAddress } from './use-address.ts'
import { useReadings, useSave, useSpanEnergy } from './use-meters.ts'
import { fromWall, toWall } from './wall-input.ts'

const STEPS = ['when', 'values', 'check'] as const
const MOST_KWH = 1e12

/** Enters that a meter was replaced: which and when, what the old one showed last and the new one first, and what that changes. */
export function ReplacementWizard(props: { place: Place; address: MetersAddress; guard: Guard }) {
  const { place, address, guard } = props
  const t = useT()
  const figures = useFigures()
  const now = useNow()
  const { homeId, zone, meters } = place
  const mayLookBack = useMay('history', 'Read')
  const { busy, faults, save, forget } = useSave()
  const [step, setStep] = useState(0)
  const [wall, setWall] = useState(address.moments.at ?? '')
  // Undefined until the person types: then the suggestion stands.
  const [old, setOld] = useState<number | null>()
  const [first, setFirst] = useState<number | null>()
  const [note, setNote] = useState('')

  const meter = address.meter !== undefined && meters.has(address.meter) ? address.meter : undefined
  const at = fromWall(wall, zone)
  const inFuture = at !== undefined && at > now
  const day = at === undefined ? 0 : dayOf(at, zone)
  const span = { from: startOfDay(day, zone), to: startOfDay(day + 1, zone) }
  const whole = at !== undefined && !inFuture
  const readings = useReadings(homeId, mayLookBack ? meter : undefined, whole ? at : undefined, zone)
  const energy = useSpanEnergy(homeId, meter, whole ? span : undefined, zone)
  const around = readings.data && at !== undefined ? readingsAround(readings.data, at) : undefined
  const oldKwh = old === undefined ? (around?.before?.kwh ?? null) : old
  const newKwh = first === undefined ? (around?.after?.kwh ?? null) : first
  const filled = oldKwh !== null && newKwh !== null
  const before = energy.data?.days ?? null
  const effect =
    readings.data && at !== undefined && filled
      ? replacementEffect(readings.data, { at, oldKwh, newKwh }, span.from, span.to)
      : undefined

  const withheld =
    readings.data && at !== undefined && filled ? withheldBy(readings.data, { at, oldKwh, newKwh }) : 0

  /** What was typed for another meter or moment says nothing of this one. */
  const forgetValues = () => {
    setOld(undefined)
    setFirst(undefined)
    forget()
  }
  const restart = () => {
    setStep(0)
    setWall('')
    forgetValues()
    setNote('')
    guard.setDirty(false)
  }
  const send = async () => {
    if (meter === undefined || at === undefined || !filled) return
    const done = await save(
      meterCorrections.createMeterCorrection,
      {
        HomeID: homeId,
        PeripheralUID: meter,
        Kind: 'replacement',
        From: at,
        OldKwh: oldKwh,
        NewKwh: newKwh,
        Note: note,
      },
      () => tNow('meters:saved'),
    )
    if (done) restart()
  }
  const hint = (sample: Sample | undefined) =>
    sample
      ? t('meters:replace.reading', {
          kwh: figures(sample.kwh),
          at: formatWall(sample.timestamp, zone).slice(0, 16),
        })
      : mayLookBack
        ? readings.isLoading
          ? t('shell:loading')
          : t(readings.error ? 'screens:loadFailed' : 'meters:replace.noReading')
        : describeRight({ feature: 'history', operation: 'Read' })
  const counter = (value: number | null, change: (next: number | null) => void) => (
    <InputNumber<number>
      min={0}
      max={MOST_KWH}
      suffix="kWh"
      value={value}
      onChange={(next) => {
        guard.setDirty(true)
        change(next)
      }}
    />
  )
  return (
    <Card title={t('meters:replace.title')}>
      <div className={styles.stack}>
        <p className={styles.note}>{t('meters:replace.why')}</p>
        <Steps
          size="small"
          current={step}
          items={STEPS.map((one) => ({ title: t(`meters:replace.steps.${one}`) }))}
        />
        {step === 0 && (
          <div className={styles.fields}>
            <Field label={t('energy:meter')}>
              <MeterSelect
                meters={[...meters.values()]}
                value={meter}
                onChange={(id) => {
                  address.go('replace', id)
                  forgetValues()
                }}
                label={t('energy:meter')}
              />
            </Field>
            <Field
              label={t('meters:replace.at')}
              hint={t('meters:homeClock', { zone })}
              fault={inFuture ? t('errors:fields.future') : undefined}
            >
              <MomentField
                zone={zone}
                minutes={1}
                max={toWall(now, zone)}
                value={wall}
                change={(next) => {
                  setWall(next)
                  guard.setDirty(true)
                  forgetValues()
                }}
              />
            </Field>
          </div>
        )}
        {step === 1 && (
          <div className={styles.fields}>
            <Field label={t('meters:replace.old')} hint={hint(around?.before)} fault={faults['OldKwh']}>
              {counter(oldKwh, setOld)}
            </Field>
            <Field label={t('meters:replace.new')} hint={hint(around?.after)} fault={faults['NewKwh']}>
              {counter(newKwh, setFirst)}
            </Field>
          </div>
        )}
        {step === 2 && (
          <>
            <p>
              {t('meters:replace.sentence', {
                name: meter === undefined ? '' : place.nameOf(meter),
                at: wall.replace('T', ' '),
                old: figures(oldKwh),
                new: figures(newKwh),
              })}
            </p>
            {mayLookBack ? (
              <ChangePreview
                lines={
                  energy.data && effect !== undefined
                    ? [
                        {
                          label: t('meters:preview.day', { day: formatDay(day) }),
                          before,
                          after: (before ?? 0) + effect,
                        },
                      ]
                    : undefined
                }
                error={energy.error ?? readings.error}
                retry={() => void readings.refetch()}
              />
            ) : (
              <p className={styles.note}>{describeRight({ feature: 'history', operation: 'Read' })}</p>
            )}
            {withheld > 0 && (
              <Alert type="warning" showIcon message={t('meters:replace.withheld', { count: withheld })} />
            )}
            <Field label={t('meters:note')} fault={faults['Note']}>
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
            {faults['From'] && (
              <p className={styles.fault} role="alert">
                {faults['From'] === t('errors:fields.overlap') ? t('meters:already') : faults['From']}
              </p>
            )}
          </>
        )}
        <div className={styles.row}>
          {step > 0 && <Button onClick={() => setStep(step - 1)}>{t('screens:addDevice.back')}</Button>}
          {step < 2 ? (
            <Button
              type="primary"
              disabled={step === 0 ? meter === undefined || !whole : !filled}
              onClick={() => setStep(step + 1)}
            >
              {t('screens:addDevice.next')}
            </Button>
          ) : (
            <Button
              type="primary"
              loading={busy}
              disabled={meter === undefined || !filled}
              onClick={() => void send()}
            >
              {t('meters:replace.save')}
            </Button>
          )}
        </div>
      </div>
    </Card>
  )
}
