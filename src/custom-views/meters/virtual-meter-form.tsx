import { MinusOutlined, PlusOutlined, DeleteOutlined } from '@ant-design/icons'
import { Button, Input, Segmented } from 'antd'
import { useState } from 'react'
import {
  MAX_TERMS,
  virtualMeter,
  type VirtualMeter,
  type VirtualTerm,
} from '../../../contract/meters/virtual-meter.ts'
import type { RequestOf } from '../../../contract/kernel/define-endpoint.ts'
import { dayOf, formatDay } from '../../../contract/time/periods.ts'
import { describeFields } from '../../data/failure.ts'
import { useAction } from '../../data/use-action.ts'
import { t as tNow, useT } from '../../lib/i18n/i18n.ts'
import { sameValue } from '../../lib/same-value.ts'
import { useNow } from '../../ui/page/use-now.ts'
import { Field, firstDay, Since, type SinceChoice, MeterSelect } from './common/fields.tsx'
import page from '../../ui/page/page.module.css'
import type { Guard, Place } from './common/place.ts'
import { Modal } from '../../ui/page/dialog.tsx'
import type { TreeMeter } from '../../../contract/meters/meter-tree.ts'
import { REST_COLOR } from '../../ui/chart/energy-colors.ts'

type Terms = readonly Partial<VirtualTerm>[]

/** Factor of a new term: repeats that of the last term. */
export const nextFactor = (terms: Terms): 1 | -1 => (terms.length > 1 ? (terms.at(-1)?.Factor ?? 1) : 1)

/**
 * A meter minus its direct submeters: for example, what tenants below a main meter share.
 *
 * terms    possibly incomplete
 * returns  undefined unless exactly one meter is chosen, it is added, and it has submeters within the maximum number of terms
 */
export function withoutBelow(terms: Terms, meters: readonly TreeMeter[]): VirtualTerm[] | undefined {
  const [first, ...otherTerms] = terms
  if (first?.PeripheralUID === undefined || first.Factor === -1) return undefined
  if (otherTerms.some(({ PeripheralUID }) => PeripheralUID !== undefined)) return undefined
  const childMeters = meters.filter(({ ParentMeter }) => ParentMeter === first.PeripheralUID)
  if (childMeters.length === 0 || childMeters.length >= MAX_TERMS) return undefined
  return [
    { PeripheralUID: first.PeripheralUID, Factor: 1 },
    ...childMeters.map(({ PeripheralUID }) => ({ PeripheralUID, Factor: -1 as const })),
  ]
}

interface Props {
  place: Place
  guard: Guard
  /** Undefined for a new one. */
  meter: VirtualMeter | undefined
  close: () => void
}

export function VirtualMeterForm({ place, guard, meter, close }: Props) {
  const t = useT()
  const [name, setName] = useState(meter?.VirtualMeterName ?? '')
  const [terms, putTerms] = useState<readonly Partial<VirtualTerm>[]>(meter?.Terms ?? [{ Factor: 1 }])
  const setTerms = (next: readonly Partial<VirtualTerm>[]) => {
    putTerms(next)
    guard.setDirty(true)
  }
  // Version with which the form was filled, so that saving does not overwrite another user's change.
  const [Version] = useState(meter?.Version)
  const today = formatDay(dayOf(useNow(), place.zone))
  const [since, setSince] = useState<SinceChoice>({ way: 'today', date: today })
  const From = firstDay(since, today)
  const hasOtherTerms = meter !== undefined && !sameValue(terms, meter.Terms)
  const { create, update } = virtualMeter.operations
  const { busy, refused, run } = useAction(
    (record: RequestOf<typeof create>, send) =>
      meter
        ? send(update, {
            HomeID: record.HomeID,
            VirtualMeterID: meter.VirtualMeterID,
            VirtualMeterName: record.VirtualMeterName,
            ...(hasOtherTerms && { Terms: record.Terms, From: From ?? null }),
            Version,
          })
        : send(create, record),
    { feedback: 'fields' },
  )
  const completeTerms = terms.flatMap(({ PeripheralUID, Factor = 1 }) =>
    PeripheralUID === undefined ? [] : [{ PeripheralUID, Factor }],
  )
  const send = async () => {
    if (From === undefined) return
    const record = { HomeID: place.homeId, VirtualMeterName: name.trim(), Terms: completeTerms }
    const isDone = await run(record, () => tNow(meter ? 'screens:updated' : 'screens:created'))
    if (isDone) close()
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
      okButtonProps={{
        disabled:
          name.trim() === '' ||
          completeTerms.length === 0 ||
          completeTerms.length < terms.length ||
          (hasOtherTerms && From === undefined),
      }}
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
        <TermList place={place} terms={terms} change={setTerms} />
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
        {hasOtherTerms && <Since value={since} today={today} zone={place.zone} change={setSince} />}
      </div>
    </Modal>
  )
}

interface TermListProps {
  place: Place
  terms: readonly Partial<VirtualTerm>[]
  change: (terms: readonly Partial<VirtualTerm>[]) => void
}

/** Meters that a virtual meter adds and subtracts, each at most once. */
function TermList({ place, terms, change }: TermListProps) {
  const t = useT()
  const usedIds = new Set(terms.map(({ PeripheralUID }) => PeripheralUID))
  const changeTerm = (at: number, next: Partial<VirtualTerm>) =>
    change(terms.map((term, i) => (i === at ? { ...term, ...next } : term)))
  // A removed meter is known only by its id; it stays in the sum.
  const choicesFor = (ownId: string | undefined) => [
    ...[...place.meters.values()].filter(
      ({ PeripheralUID }) => PeripheralUID === ownId || !usedIds.has(PeripheralUID),
    ),
    ...(ownId !== undefined && !place.meters.has(ownId)
      ? [
          {
            PeripheralUID: ownId,
            name: t('energy:meterGone', { id: ownId }),
            ParentMeter: null,
            color: REST_COLOR,
          },
        ]
      : []),
  ]
  return (
    <ul className={page.tightStack} aria-label={t('meters:virtual.terms')}>
      {terms.map(({ PeripheralUID, Factor = 1 }, i) => (
        // Terms have no identity other than their position.
        // oxlint-disable-next-line react/no-array-index-key
        <li key={i} className={page.tightRow}>
          <Segmented
            aria-label={t('meters:virtual.factor', { number: i + 1 })}
            value={Factor}
            onChange={(next) => changeTerm(i, { Factor: next })}
            options={[
              { value: 1 as const, label: t('meters:virtual.plus') },
              { value: -1 as const, label: t('meters:virtual.minus') },
            ]}
          />
          <MeterSelect
            meters={choicesFor(PeripheralUID)}
            value={PeripheralUID}
            onChange={(id) => changeTerm(i, { PeripheralUID: id })}
            label={t('meters:virtual.term', { number: i + 1 })}
          />
          <Button
            icon={<DeleteOutlined />}
            aria-label={t('meters:virtual.dropTerm', { number: i + 1 })}
            disabled={terms.length === 1}
            onClick={() => change(terms.filter((_, at) => at !== i))}
          />
        </li>
      ))}
    </ul>
  )
}
