import { formatLack } from '../../../contract/kernel/numbers.ts'
import type { Coverage } from '../../../contract/energy/meter-data-calls.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import type { ChartView } from '../../ui/chart/model.ts'
import { isPartly } from '../../ui/chart/partly.ts'
import { useNow } from '../../ui/page/use-now.ts'
import page from '../../ui/page/page.module.css'
import { betweenShare, estimatedShare, missingShare, quarantinedShare } from './totals.ts'
import { QuarantinedShare } from './quarantined-share.tsx'

interface Props {
  coverage: Coverage
  /** Period of the figure. */
  span: ChartView
}

/** Notes on the data quality of a figure. */
interface Lacking {
  /** Share of the period without data. */
  missing: string | undefined
  /** Share of the period between two readings of a meter that reports on time. */
  betweenText: string | undefined
  /** Share of the period that was estimated over a silence. */
  estimated: string | undefined
}

export function useMissingData(): (of: Props) => Lacking {
  const t = useT()
  const now = useNow()
  return ({ coverage, span }) => {
    const missing = missingShare(coverage)
    const betweenText = betweenShare(coverage)
    const estimated = estimatedShare(coverage)
    return {
      missing: isPartly(missing, span, now)
        ? t('energy:missingShare', { share: formatLack(missing) })
        : undefined,
      betweenText: betweenText > 0 ? t('energy:betweenShare', { share: formatLack(betweenText) }) : undefined,
      estimated: estimated > 0 ? t('energy:estimatedShare', { share: formatLack(estimated) }) : undefined,
    }
  }
}

/**
 * Notes on the data quality next to a figure; renders nothing if all of it was measured.
 *
 * homeId  omitted inside a button, which cannot contain a link
 */
export function MissingDataNote({ homeId, ...props }: Props & { homeId?: string }) {
  const { missing, betweenText, estimated } = useMissingData()(props)
  const { coverage } = props
  if (!missing && !betweenText && !estimated && quarantinedShare(coverage) === 0) return null
  return (
    <span className={`${page.wideRow} ${page.small}`}>
      {missing !== undefined && <span className={page.warning}>{missing}</span>}
      <QuarantinedShare coverage={coverage} homeId={homeId} />
      {betweenText !== undefined && <span>{betweenText}</span>}
      {estimated !== undefined && <span>{estimated}</span>}
    </span>
  )
}
