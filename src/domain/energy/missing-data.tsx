import type { Coverage } from '../../../contract/energy/meter-data-calls.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import type { ChartView } from '../../ui/chart/model.ts'
import { isPartly } from '../../ui/chart/partly.ts'
import { useNow } from '../../ui/page/use-now.ts'
import page from '../../ui/page/page.module.css'
import styles from './energy.module.css'
import { betweenShare, estimatedShare, missingShare, quarantinedShare } from './totals.ts'
import { formatLack } from './use-figures.ts'
import { QuarantinedShare } from './quarantined-share.tsx'

interface Props {
  coverage: Coverage
  /** The time of the figure. */
  span: ChartView
}

/** What a figure must be read with. */
interface Lacking {
  /** How much of its time is not known. */
  missing: string | undefined
  /** How much of it lies between two readings of a meter on time. */
  between: string | undefined
  /** And how much was estimated over a silence. */
  estimated: string | undefined
}

/** What a figure must be read with, in words. */
export function useMissingData(): (of: Props) => Lacking {
  const t = useT()
  const now = useNow()
  return ({ coverage, span }) => {
    const missing = missingShare(coverage)
    const between = betweenShare(coverage)
    const estimated = estimatedShare(coverage)
    return {
      missing: isPartly(missing, span, now)
        ? t('energy:missingShare', { share: formatLack(missing) })
        : undefined,
      between: between > 0 ? t('energy:betweenShare', { share: formatLack(between) }) : undefined,
      estimated: estimated > 0 ? t('energy:estimatedShare', { share: formatLack(estimated) }) : undefined,
    }
  }
}

/**
 * Says it beside the figure; nothing where all of it was measured.
 *
 * homeId  left out where the words stand in a button, which holds no link
 */
export function MissingDataNote({ homeId, ...props }: Props & { homeId?: string }) {
  const { missing, between, estimated } = useMissingData()(props)
  const { coverage } = props
  if (!missing && !between && !estimated && quarantinedShare(coverage) === 0) return null
  return (
    <span className={styles.lacks}>
      {missing !== undefined && <span className={page.warning}>{missing}</span>}
      <QuarantinedShare coverage={coverage} homeId={homeId} />
      {between !== undefined && <span>{between}</span>}
      {estimated !== undefined && <span>{estimated}</span>}
    </span>
  )
}
