import { useLayoutEffect, useRef, useState } from 'react'
import { useT } from '../../lib/i18n/i18n.ts'
import type { ChartView } from '../../ui/chart/model.ts'
import { EmptyState } from '../../ui/page/states.tsx'
import { REST_COLOR } from '../../ui/chart/energy-colors.ts'
import { Figure } from '../../ui/tags/power-value.tsx'
import { useThemeMode } from '../../ui/theme/theme-mode.ts'
import { useNow } from '../../ui/page/use-now.ts'
import type { EnergyMeasure } from '../../domain/energy/measures.ts'
import page from '../../ui/page/page.module.css'
import styles from './electricity.module.css'
import { BESIDE, flowLayout, HOME, type FlowBox } from './flow-layout.ts'
import { useMissingData } from '../../domain/energy/missing-data.tsx'
import type { MeterNode } from './meter-forest.ts'
import { silentParts } from './silent-parts.ts'
import { ENERGY_UNITS, useEnergyFormat } from '../../domain/energy/use-figures.ts'
import type { NamedMeter } from '../../domain/energy/use-names.ts'

interface Props {
  forest: readonly MeterNode[]
  meters: ReadonlyMap<string, NamedMeter>
  measure: EnergyMeasure
  span: ChartView
}

/** Marks a figure with missing data. */
const PARTLY = '*'
/** Width before the page has been measured, px. */
const USUAL = 960
const EDGE = 4

/**
 * Diagram of the home's energy flow through its meters, with notes on omitted meters and missing data. The tree shows the same figures to
 * screen readers.
 */
export default function FlowView({ forest, meters, measure, span }: Props) {
  const t = useT()
  const mode = useThemeMode()
  const figures = useEnergyFormat()
  const lacks = useMissingData()
  const now = useNow()
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
  const nodes = everyNode(forest)
  const partly = new Set(
    nodes.flatMap(({ key, total }) => (lacks({ coverage: total.Coverage, span }).missing ? [key] : [])),
  )
  if (forest.some(({ key }) => partly.has(key))) partly.add(HOME)
  const shownKeys = new Set(flow?.boxes.map(({ key }) => key))
  const hiddenCount = nodes.filter(({ key, kind }) => kind === 'meter' && !shownKeys.has(key)).length
  const markOf = ({ key }: FlowBox) => (partly.has(key) ? PARTLY : '')
  const silentMeters = new Map(nodes.map((node) => [node.key, silentParts(node, span, now)]))
  const silentAll = (flow?.boxes ?? []).reduce((sum, { key }) => sum + (silentMeters.get(key) ?? 0), 0)
  const words = (flowBox: FlowBox) => {
    const count = silentMeters.get(flowBox.key) ?? 0
    return [
      `${nameOf(flowBox)} ${figures(flowBox.value)} ${ENERGY_UNITS[measure]}`,
      ...(partly.has(flowBox.key) ? [t('charts:partly')] : []),
      ...(count > 0 ? [t('energy:withSilent', { count })] : []),
    ].join(' · ')
  }
  return (
    <div ref={box}>
      {flow ? (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrollable on phones, so the keyboard must reach it
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
            {flow.boxes.map((flowBox) => (
              <rect key={flowBox.key} {...rectangle(flowBox)} rx={2} fill={colorOf(flowBox)}>
                <title>{words(flowBox)}</title>
              </rect>
            ))}
          </svg>
          {flow.boxes.map((flowBox) => (
            <span
              key={flowBox.key}
              aria-hidden="true"
              className={flow.stacked ? styles.stackedWords : styles.flowWords}
              style={{
                left: flowBox.x + flowBox.width + BESIDE,
                top: EDGE + flowBox.y + Math.max(flowBox.height, flow.line) / 2,
                maxWidth: flow.words,
              }}
            >
              <span className={styles.flowName}>{nameOf(flowBox)}</span>{' '}
              <Figure value={`${figures(flowBox.value)}${markOf(flowBox)}`} unit={ENERGY_UNITS[measure]} />
            </span>
          ))}
        </div>
      ) : (
        <EmptyState why={t(`energy:noData.${measure}`)} />
      )}
      {flow && (hiddenCount > 0 || partly.size > 0) && (
        <p className={styles.notes}>
          {partly.size > 0 && (
            <span className={page.warning}>{t('energy:flowPartly', { mark: PARTLY })}</span>
          )}
          {silentAll > 0 && (
            <span className={page.warning}>
              {t('energy:flowSilent', { name: t('energy:untracked'), count: silentAll })}
            </span>
          )}
          {hiddenCount > 0 && <span>{t('energy:flowLeft', { count: hiddenCount })}</span>}
        </p>
      )}
    </div>
  )
}

const everyNode = (nodes: readonly MeterNode[]): MeterNode[] =>
  nodes.flatMap((node) => [node, ...everyNode(node.children ?? [])])

const rectangle = ({ x, y, width, height }: FlowBox) => ({ x, y, width, height })
