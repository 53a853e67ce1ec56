import { Button } from 'antd'
import { useState } from 'react'
import { useT } from '../../lib/i18n/i18n.ts'
import type { View } from '../../ui/chart/model.ts'
import { Nothing } from '../../ui/page/states.tsx'
import { Figure } from '../../ui/tags/power-value.tsx'
import { useThemeMode } from '../../ui/theme/theme-mode.ts'
import type { Measure } from '../../domain/energy/measures.ts'
import page from '../../ui/page/page.module.css'
import styles from './electricity.module.css'
import { Lacks } from '../../domain/energy/lacks.tsx'
import { homeOf, leavesOf, type MeterNode } from './meter-forest.ts'
import { figureOf } from '../../domain/energy/totals.ts'
import { formatShare, UNITS, useFigures } from '../../domain/energy/use-figures.ts'
import type { NamedMeter } from '../../domain/energy/use-names.ts'

interface Props {
  forest: readonly MeterNode[]
  meters: ReadonlyMap<string, NamedMeter>
  measure: Measure
  /** The time of the figures. */
  span: View
  choose: (id: string) => void
}

const SHOWN = 10

/** The meters that nothing stands below, the greatest first and those of which nothing is known last, with their parts of the home. */
export function Ranking({ forest, meters, measure, span, choose }: Props) {
  const t = useT()
  const figures = useFigures()
  const mode = useThemeMode()
  const [all, setAll] = useState(false)
  const leaves = leavesOf(forest).map(({ key, total }) => ({ key, total, value: figureOf(total, measure) }))
  if (leaves.every(({ value }) => value === null)) return <Nothing why={t(`energy:noData.${measure}`)} />
  const sorted = leaves.toSorted((a, b) => (b.value ?? -Infinity) - (a.value ?? -Infinity) || 0)
  const whole = homeOf(forest, measure)
  return (
    <>
      <ol className={styles.ranking}>
        {(all ? sorted : sorted.slice(0, SHOWN)).map(({ key, total, value }) => {
          const share = whole > 0 && value !== null ? value / whole : undefined
          return (
            <li key={key}>
              <button type="button" className={styles.rank} onClick={() => choose(key)}>
                <span className={styles.named}>
                  <span className={`${page.ellipsis} ${styles.name}`}>{meters.get(key)?.name ?? key}</span>
                  <Lacks coverage={total.Coverage} span={span} />
                </span>
                <span className={styles.bar} aria-hidden="true">
                  <span
                    style={{
                      width: `${Math.max(0, share ?? 0) * 100}%`,
                      background: meters.get(key)?.color[mode] ?? '',
                    }}
                  />
                </span>
                <Figure value={figures(value)} unit={UNITS[measure]} />
                <span className={styles.share}>{share === undefined ? '–' : formatShare(share)}</span>
              </button>
            </li>
          )
        })}
      </ol>
      {!all && sorted.length > SHOWN && (
        <Button onClick={() => setAll(true)}>{t('energy:showAll', { count: sorted.length })}</Button>
      )}
    </>
  )
}
