import { DeleteOutlined, MinusOutlined, PlusOutlined } from '@ant-design/icons'
import { Button, Input, Modal, Segmented } from 'antd'
import { useState } from 'react'
import {
  MAX_TERMS,
  virtualMeter,
  type VirtualMeter,
  type VirtualTerm,
} from '../../../contract/resources/virtual-meter.ts'
import type { SentOf } from '../../../contract/kernel/define-endpoint.ts'
import { describeFields } from '../../data/failure.ts'
import { useAction } from '../../data/use-action.ts'
import { t as tNow, useT } from '../../lib/i18n/i18n.ts'
import { REST_COLOR } from '../../ui/chart/energy-colors.ts'
import { Field } from './field.tsx'
import { MeterSelect } from './meter-select.tsx'
import page from '../../ui/page/page.module.css'
import styles from './meters.module.css'
import type { Guard, Place } from './place.ts'
import { nextFactor, withoutBelow } from './virtual-terms.ts'

interface Props {
  place: Place
  guard: Guard
  /** Undefined for a new one. */
  meter: VirtualMeter | undefined
  close: () => void
}

/** The name of a virtual meter and which meters it adds and takes away. */
export function VirtualMeterForm({ place, guard, meter, close }: Props) {
  const t = useT()
  const [name, setName] = useState(meter?.VirtualMeterName ?? '')
  const [terms, putTerms] = useState<readonly Partial<VirtualTerm>[]>(meter?.Terms ?? [{ Factor: 1 }])
  const setTerms = (next: readonly Partial<VirtualTerm>[]) => {
    putTerms(next)
    guard.setDirty(true)
  }
  // Of the meter as the form was filled with it: what somebody else saves meanwhile is not overwritten.
  const [Version] = useState(meter?.Version)
  const { create, update } = virtualMeter.operations
  const { busy, refused, run } = useAction(
    (record: SentOf<typeof create>, send) =>
      meter
        ? send(update, { ...record, VirtualMeterID: meter.VirtualMeterID, Version })
        : send(create, record),
    { shows: 'fields' },
  )
  const used = new Set(terms.map(({ PeripheralUID }) => PeripheralUID))
  const whole = terms.flatMap(({ PeripheralUID, Factor = 1 }) =>
    PeripheralUID === undefined ? [] : [{ PeripheralUID, Factor }],
  )
  const put = (at: number, change: Partial<VirtualTerm>) =>
    setTerms(terms.map((term, i) => (i === at ? { ...term, ...change } : term)))
  // Of a meter that was removed the id is all that is known; it stays in the sum.
  const choicesFor = (own: string | undefined) => [
    ...[...place.meters.values()].filter(
      ({ PeripheralUID }) => PeripheralUID === own || !used.has(PeripheralUID),
    ),
    ...(own !== undefined && !place.meters.has(own)
      ? [
          {
            PeripheralUID: own,
            name: t('energy:meterGone', { id: own }),
            ParentMeter: null,
            color: REST_COLOR,
          },
        ]
      : []),
  ]
  const send = async () => {
    const record = { HomeID: place.homeId, VirtualMeterName: name.trim(), Terms: whole }
    const done = await run(record, () => tNow(meter ? 'screens:updated' : 'screens:created'))
    if (done) close()
  }
  const shared = withoutBelow(terms, [...place.meters.values()])
  const { VirtualMeterName: nameFault, ...termFaults } = describeFields(refused)
  return (
    <Modal
      open
      title={t(meter ? 'meters:virtual.editTitle' : 'meters:virtual.add')}
      okText={t('screens:save')}
      cancelText={t('screens:cancel')}
      confirmLoading={busy}
      okButtonProps={{ disabled: name.trim() === '' || whole.length === 0 || whole.length < terms.length }}
      onOk={() => void send()}
      onCancel={() => guard.ask(close)}
    >
      <div className={page.stack}>
        <Field label={t('meters:virtual.name')} fault={nameFault}>
          <Input
            value={name}
            maxLength={64}
            onChange={({ target }) => {
              setName(target.value)
              guard.setDirty(true)
            }}
          />
        </Field>
        <ul className={styles.terms} aria-label={t('meters:virtual.terms')}>
          {terms.map(({ PeripheralUID, Factor = 1 }, i) => (
            // A term is what it is at its place.
            // oxlint-disable-next-line react/no-array-index-key
            <li key={i} className={styles.term}>
              <Segmented
                aria-label={t('meters:virtual.factor', { number: i + 1 })}
                value={Factor}
                onChange={(next) => put(i, { Factor: next })}
                options={[
                  { value: 1 as const, label: t('meters:virtual.plus') },
                  { value: -1 as const, label: t('meters:virtual.minus') },
                ]}
              />
              <MeterSelect
                meters={choicesFor(PeripheralUID)}
                value={PeripheralUID}
                onChange={(id) => put(i, { PeripheralUID: id })}
                label={t('meters:virtual.term', { number: i + 1 })}
              />
              <Button
                icon={<DeleteOutlined />}
                aria-label={t('meters:virtual.dropTerm', { number: i + 1 })}
                disabled={terms.length === 1}
                onClick={() => setTerms(terms.filter((_, at) => at !== i))}
              />
            </li>
          ))}
        </ul>
        {Object.entries(termFaults).map(([path, text]) => (
          <p key={path} className={page.fault} role="alert">
            {text}
          </p>
        ))}
        <div className={page.buttons}>
          <Button
            icon={<PlusOutlined />}
            disabled={terms.length >= Math.min(MAX_TERMS, place.meters.size)}
            onClick={() => setTerms([...terms, { Factor: nextFactor(terms) }])}
          >
            {t('meters:virtual.addTerm')}
          </Button>
          {shared && (
            <Button icon={<MinusOutlined />} onClick={() => setTerms(shared)}>
              {t('meters:virtual.withoutBelow', { name: place.nameOf(shared[0]?.PeripheralUID ?? '') })}
            </Button>
          )}
        </div>
      </div>
    </Modal>
  )
}
