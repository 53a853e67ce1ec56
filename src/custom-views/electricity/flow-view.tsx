import { useLayoutEffect, useRef, useState } from 'react'
import { useT } from '../../providers/i18n.ts'
import { Nothing } from '../../ui/crud/states.tsx'
import { REST_COLOR } from '../../ui/energy-colors.ts'
import { Figure } from '../../ui/power-value.tsx'
import { useThemeMode } from '../../ui/theme-mode.ts'
import type { Measure } from './address.ts'
import styles from './electricity.module.css'
import { BESIDE, flowLayout, type FlowBox } from './flow-layout.ts'
import type { MeterNode } from './meter-forest.ts'
import { UNITS, useFigures } from './use-figures.ts'
import type { NamedMeter } from './use-names.ts'

interface Props {
  forest: readonly MeterNode[]
  meters: ReadonlyMap<string, NamedMeter>
  measure: Measure
}

/** Before the page has been measured, px. */
const USUAL = 960
const EDGE = 4

/** The home's energy as it flows through its meters. The same figures stand in the tree, for those who do not see it. */
export function FlowView({ forest, meters, measure }: Props) {
  const t = useT()
  const mode = useThemeMode()
  const figures = useFigures()
  const box = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(USUAL)
  useLayoutEffect(() => {
    const element = box.current
    if (!element) return
    const measured = () => setWidth(element.clientWidth || USUAL)
    const observer = new ResizeObserver(measured)
    observer.observe(element)
    measured()
    return () => observer.disconnect()
  }, [])
  const flow = flowLayout(forest, measure, width)
  const nameOf = ({ key, kind }: FlowBox) =>
    kind === 'home'
      ? t('energy:whole')
      : kind === 'remainder'
        ? t('energy:untracked')
        : (meters.get(key)?.name ?? key)
  const colorOf = ({ key, kind }: FlowBox) =>
    (kind === 'meter' ? (meters.get(key)?.color ?? REST_COLOR) : REST_COLOR)[mode]
  const words = (one: FlowBox) => `${nameOf(one)} ${figures(one.value)} ${UNITS[measure]}`
  return (
    <div ref={box}>
      {flow ? (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- on a phone it scrolls, for the keyboard too
        <div className={styles.flow} role="group" aria-label={t('energy:flowLabel')} tabIndex={0}>
          <svg
            viewBox={`0 ${-EDGE} ${flow.width} ${flow.height + 2 * EDGE}`}
            width={flow.width}
            height={flow.height + 2 * EDGE}
            role="img"
            aria-label={t('energy:flowLabel')}
          >
            {flow.bands.map(({ key, to, path }) => (
              <path key={key} d={path} fill={colorOf(to)} opacity={0.3}>
                <title>{words(to)}</title>
              </path>
            ))}
            {flow.boxes.map((one) => (
              <rect key={one.key} {...rectangle(one)} rx={2} fill={colorOf(one)}>
                <title>{words(one)}</title>
              </rect>
            ))}
          </svg>
          {flow.boxes.map((one) => (
            <span
              key={one.key}
              aria-hidden="true"
              className={flow.stacked ? styles.stackedWords : styles.flowWords}
              style={{
                left: one.x + one.width + BESIDE,
                top: EDGE + one.y + Math.max(one.height, flow.stacked ? 36 : 14) / 2,
                maxWidth: flow.words,
              }}
            >
              <span>{nameOf(one)}</span> <Figure value={figures(one.value)} unit={UNITS[measure]} />
            </span>
          ))}
        </div>
      ) : (
        <Nothing why={t(`energy:noData.${measure}`)} />
      )}
    </div>
  )
}

const rectangle = ({ x, y, width, height }: FlowBox) => ({ x, y, width, height })
