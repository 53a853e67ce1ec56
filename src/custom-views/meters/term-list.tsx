import { DeleteOutlined } from '@ant-design/icons'
import { Button, Segmented } from 'antd'
import type { VirtualTerm } from '../../../contract/meters/virtual-meter.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { REST_COLOR } from '../../ui/chart/energy-colors.ts'
import { MeterSelect } from './common/meter-select.tsx'
import styles from './common/meters.module.css'
import type { Place } from './common/place.ts'

interface Props {
  place: Place
  terms: readonly Partial<VirtualTerm>[]
  change: (terms: readonly Partial<VirtualTerm>[]) => void
}

/** Meters that a virtual meter adds and subtracts, each at most once. */
export function TermList({ place, terms, change }: Props) {
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
    <ul className={styles.terms} aria-label={t('meters:virtual.terms')}>
      {terms.map(({ PeripheralUID, Factor = 1 }, i) => (
        // Terms have no identity other than their position.
        // oxlint-disable-next-line react/no-array-index-key
        <li key={i} className={styles.term}>
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
