import type { Coverage } from '../../../contract/procedures/meter-data.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import type { View } from '../../ui/chart/model.ts'
import { isPartly } from '../../ui/chart/partly.ts'
import { useNow } from '../../ui/page/use-now.ts'
import page from '../../ui/page/page.module.css'
import styles from './energy.module.css'
import { estimatedShare, missingShare } from './totals.ts'
import { formatLack } from './use-figures.ts'

interface Props {
  coverage: Coverage
  /** The time of the figure. */
  span: View
}

/** What a figure must be read with: how much of its time is not known, and how much of it is an estimate. */
export function useLacks(): (of: Props) => { missing: string | undefined; estimated: string | undefined } {
  const t = useT()
  const now = useNow()
  return ({ coverage, span }) => {
    const missing = missingShare(coverage)
    const estimated = estimatedShare(coverage)
    return {
      missing: isPartly(missing, span, now)
        ? t('energy:missingShare', { share: formatLack(missing) })
        : undefined,
      estimated: estimated > 0 ? t('energy:estimatedShare', { share: formatLack(estimated) }) : undefined,
    }
  }
}

/** Says it beside the figure; nothing where all of it was measured. */
export function Lacks(props: Props) {
  const { missing, estimated } = useLacks()(props)
  if (missing === undefined && estimated === undefined) return null
  return (
    <span className={styles.lacks}>
      {missing !== undefined && <span className={page.warning}>{missing}</span>}
      {estimated !== undefined && <span>{estimated}</span>}
    </span>
  )
}
