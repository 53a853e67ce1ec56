import DownOutlined from '@ant-design/icons-svg/es/asn/DownOutlined.js'
import { GROUPINGS } from '../../../contract/energy/meter-data-calls.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import type { BarFilter } from '../../ui/filter-bar/bar-filter.ts'
import type { DayRange } from '../../ui/inputs/period-picker/period.ts'
import { ReadOnlyField } from '../../ui/plain/read-only-field.tsx'
import { PlainSegmented, PlainSelect } from '../../ui/plain/plain-choice.tsx'
import { lazyPart } from '../../ui/page/lazy.tsx'
import { barsFor, type EnergyAddress } from './address.ts'
import styles from './electricity.module.css'
import type { MeterChoiceProps } from './meter-choice.tsx'
import type { NamedMeter } from '../../domain/energy/use-names.ts'

/** Loaded when opened: selecting meters needs Ant Design, and most users do not. */
const MeterChoice = lazyPart(() => import('./meter-choice.tsx'), {
  fallback: (props) => <ClosedMeterChoice {...props} />,
})

function ClosedMeterChoice({ selected, meters, virtual }: MeterChoiceProps) {
  const t = useT()
  const names = namesOf(selected, meters, virtual)
  return (
    <span className={styles.meterChoice}>
      <ReadOnlyField text={names.join(t('screens:listComma')) || t('energy:allMeters')} icon={DownOutlined} />
    </span>
  )
}

const namesOf = (
  selected: readonly string[],
  meters: MeterNames,
  virtual: MeterNames | undefined,
): string[] => selected.map((id) => (meters.get(id) ?? virtual?.get(id))?.name ?? id)

type MeterNames = ReadonlyMap<string, NamedMeter>

interface Props {
  address: EnergyAddress
  days: DayRange
  meters: ReadonlyMap<string, NamedMeter>
  /** Undefined while they load. */
  virtual: ReadonlyMap<string, NamedMeter> | undefined
  selected: readonly string[]
  /** Whether the whole home can be grouped by energy source. */
  hasSources: boolean
}

export function useControls({ address, days, meters, virtual, selected, hasSources }: Props): BarFilter[] {
  const t = useT()
  const allowed = barsFor(days)
  const { by, bars, change } = address
  const groupings = GROUPINGS.filter((value) => value !== 'source' || hasSources)
  return [
    {
      key: 'by',
      label: t('energy:divide'),
      chosenLabel: by === 'home' ? undefined : t(`energy:by.${by}`),
      clear: () => change({ by: '' }),
      input: (
        <PlainSelect
          label={t('energy:divide')}
          value={by}
          onChange={(next) => change({ by: next })}
          options={groupings.map((value) => ({ value, label: t(`energy:by.${value}`) }))}
        />
      ),
    },
    ...(allowed.length > 1
      ? [
          {
            key: 'bars',
            isFolded: true,
            label: t('energy:resolution'),
            chosenLabel: bars === allowed[0] ? undefined : t(`energy:bars.${bars}`),
            clear: () => change({ bars: '' }),
            input: (
              <PlainSegmented
                label={t('energy:resolution')}
                value={bars}
                onChange={(next) => change({ bars: next })}
                options={allowed.map((value) => ({ value, label: t(`energy:bars.${value}`) }))}
              />
            ),
          },
        ]
      : []),
    {
      key: 'meters',
      isFolded: true,
      label: t('energy:meters'),
      chosenLabel:
        selected.length === 0
          ? undefined
          : selected.length === 1
            ? namesOf(selected, meters, virtual)[0]
            : t('energy:metersChosen', { count: selected.length }),
      clear: () => change({ meters: [] }),
      input: (
        <MeterChoice
          selected={selected}
          meters={meters}
          virtual={virtual}
          choose={(next) => change({ meters: next })}
        />
      ),
    },
  ]
}
