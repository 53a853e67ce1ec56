import { useMemo } from 'react'
import { cellOf, SOURCES, type Source, type Use, USES } from '../../../../contract/energy/balance.ts'
import { formatShare } from '../../../domain/energy/use-figures.ts'
import { useT } from '../../../lib/i18n/i18n.ts'
import { SOURCE_COLORS, USE_COLORS } from '../../../ui/chart/energy-colors.ts'
import { plainPart } from '../../../ui/page/lazy.tsx'
import { useThemeMode } from '../../../ui/theme/theme-mode.ts'
import page from '../../../ui/page/page.module.css'
import styles from '../electricity.module.css'

const Charts = plainPart(() => import('./balance-charts.tsx'), {
  meanwhile: (
    <>
      <div className={styles.sankey} />
      <div className={styles.ring} />
    </>
  ),
})

interface Props {
  flows: readonly { From: Source; To: Use; kWh: number }[]
}

export function BalancePicture({ flows }: Props) {
  const t = useT()
  const mode = useThemeMode()
  const { links, nodes, used, whole } = useMemo(() => {
    const kwh = new Map(flows.map(({ From, To, kWh }) => [cellOf(From, To), kWh]))
    const of = (from: Source, to: Use) => kwh.get(cellOf(from, to)) ?? 0
    const sources = SOURCES.filter((from) => USES.some((to) => of(from, to) > 0))
    const uses = USES.filter((to) => SOURCES.some((from) => of(from, to) > 0))
    const used = sources.flatMap((from) => {
      const kWh = of(from, 'consumption')
      return kWh > 0 ? [{ name: t(`balance:sources.${from}`), color: SOURCE_COLORS[from][mode], kWh }] : []
    })
    return {
      links: sources.flatMap((from) =>
        uses.flatMap((to) =>
          of(from, to) > 0 ? [{ source: `from.${from}`, target: `to.${to}`, value: of(from, to) }] : [],
        ),
      ),
      nodes: [
        ...sources.map((from) => ({
          key: `from.${from}`,
          label: t(`balance:sources.${from}`),
          color: SOURCE_COLORS[from][mode],
        })),
        ...uses.map((to) => ({
          key: `to.${to}`,
          label: t(`balance:uses.${to}`),
          color: USE_COLORS[to][mode],
        })),
      ],
      used,
      whole: used.reduce((sum, { kWh }) => sum + kWh, 0),
    }
  }, [flows, mode, t])
  if (links.length === 0) return null
  return (
    <figure className={styles.picture}>
      <div className={styles.drawn} aria-hidden="true">
        <Charts links={links} nodes={nodes} used={used} mode={mode} />
      </div>
      {used.length > 0 && (
        <figcaption>
          <span className={page.hint}>{t('balance:usedFrom')}</span>
          <ul className={styles.keys}>
            {used.map(({ name, color, kWh }) => (
              <li key={name}>
                <span className={styles.swatch} style={{ background: color }} aria-hidden="true" />
                {name} {formatShare(kWh / whole)}
              </li>
            ))}
          </ul>
        </figcaption>
      )}
    </figure>
  )
}
