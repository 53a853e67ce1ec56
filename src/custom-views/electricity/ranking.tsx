import { useState } from 'react'
import { ENERGY_MEASURES, type EnergyMeasure } from '../../domain/energy/measures.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import type { ChartView } from '../../ui/chart/model.ts'
import type { SeriesColor } from '../../ui/chart/energy-colors.ts'
import { PlainSelect } from '../../ui/plain/plain-choice.tsx'
import { PlainButton } from '../../ui/plain/plain-button.tsx'
import { EmptyState } from '../../ui/page/states.tsx'
import { useThemeMode } from '../../ui/theme/theme-mode.ts'
import { Figure } from '../../ui/tags/power-value.tsx'
import page from '../../ui/page/page.module.css'
import styles from './electricity.module.css'
import { Change } from '../../domain/energy/change.tsx'
import { MissingDataNote } from '../../domain/energy/missing-data.tsx'
import { formatShare, ENERGY_UNITS, useEnergyFormat } from '../../domain/energy/use-figures.ts'
import type { EnergyAddress } from './address.ts'
import { RANKED, type RankedLine } from './ranked-lines.ts'

interface Props {
  lines: readonly RankedLine[]
  /** Total that shares are relative to. */
  whole: number
  nameOf: (key: string) => string
  /** Colors of the chart above; undefined if it shows something else, then all bars have one color. */
  colorOf: ((key: string) => SeriesColor) | undefined
  measure: EnergyMeasure
  span: ChartView
  choose: (key: string) => void
}

const SHOWN = 10

/** Consumers of energy, the greatest first and unknown ones last, with their share of the home and their change. */
export function Ranking({ lines, whole, nameOf, colorOf, measure, span, choose }: Props) {
  const t = useT()
  const figures = useEnergyFormat()
  const mode = useThemeMode()
  const [all, setAll] = useState(false)
  if (lines.every(({ value }) => value === null)) return <EmptyState why={t(`energy:noData.${measure}`)} />
  return (
    <>
      <ol className={styles.ranking}>
        {(all ? lines : lines.slice(0, SHOWN)).map(({ key, total, value, change }) => {
          const share = whole > 0 && value !== null ? value / whole : undefined
          return (
            <li key={key}>
              <button type="button" className={styles.rank} onClick={() => choose(key)}>
                <span className={styles.named}>
                  <span className={`${page.ellipsis} ${styles.name}`}>{nameOf(key)}</span>
                  <MissingDataNote coverage={total.Coverage} span={span} />
                  {change && <Change difference={change} unit={ENERGY_UNITS[measure]} format={figures} />}
                </span>
                <span className={styles.bar} aria-hidden="true">
                  <span
                    style={{ width: `${Math.max(0, share ?? 0) * 100}%`, background: colorOf?.(key)[mode] }}
                  />
                </span>
                <Figure value={figures(value)} unit={ENERGY_UNITS[measure]} />
                <span className={styles.share}>{share === undefined ? '–' : formatShare(share)}</span>
              </button>
            </li>
          )
        })}
      </ol>
      {!all && lines.length > SHOWN && (
        <PlainButton onClick={() => setAll(true)}>{t('energy:showAll', { count: lines.length })}</PlainButton>
      )}
    </>
  )
}

/** Controls for the subject and order of a ranking; by change only with a comparison. */
export function RankingControls({ address, isCompared }: { address: EnergyAddress; isCompared: boolean }) {
  const t = useT()
  const { rank, order, measure } = address
  return (
    <div className={`${page.wideRow} ${styles.controls}`}>
      <PlainSelect
        label={t('electricity:ranking.of')}
        value={rank}
        onChange={(next) => address.change({ rank: next })}
        options={RANKED.map((value) => ({ value, label: t(`electricity:ranking.${value}`) }))}
      />
      <PlainSelect<EnergyMeasure | 'change'>
        label={t('electricity:ranking.by')}
        value={order === 'change' && isCompared ? 'change' : measure}
        onChange={(next) =>
          address.change(next === 'change' ? { order: 'change' } : { order: '', measure: next })
        }
        options={[
          ...ENERGY_MEASURES.map((value) => ({ value, label: ENERGY_UNITS[value] })),
          { value: 'change', label: t('electricity:ranking.change'), disabled: !isCompared },
        ]}
      />
    </div>
  )
}
