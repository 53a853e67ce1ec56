import type { automations } from '../../../../contract/automation/calls.ts'
import type { ResultsOf } from '../../../../contract/kernel/define-endpoint.ts'
import { useT } from '../../../lib/i18n/i18n.ts'

export type MovedCounts = ResultsOf<typeof automations.replacePeripheral>

/** How many of each name the new device now; that nothing named the old one, where none do. */
export function ReplacedReferences({ counts }: { counts: MovedCounts }) {
  const t = useT()
  const found = (Object.keys(counts) as (keyof MovedCounts)[]).filter((key) => counts[key] > 0)
  if (found.length === 0) return <p role="status">{t('automation:replace.nothingMoved')}</p>
  return (
    <div role="status">
      <p>{t('automation:replace.moved')}</p>
      <ul>
        {found.map((key) => (
          <li key={key}>{t(`automation:replace.counts.${key}`, { count: counts[key] })}</li>
        ))}
      </ul>
    </div>
  )
}
