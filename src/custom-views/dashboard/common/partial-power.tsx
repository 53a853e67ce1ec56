import { useT } from '../../../lib/i18n/i18n.ts'
import { Figure, PowerValue } from '../../../ui/tags/power-value.tsx'
import page from '../../../ui/page/page.module.css'

interface Props {
  /** Sum over the reporting meters; null if unknown. */
  watts: number | null
  isPartial: boolean
}

/** A sum of power in large figures; a sum over some of the meters is marked "at least", so that it does not look complete. */
export function PartialPower({ watts, isPartial }: Props) {
  const t = useT()
  if (watts === null) return <Figure value="–" unit="kW" large />
  return (
    <>
      {isPartial && <span className={page.small}>{t('dashboard:atLeast')}</span>}
      <PowerValue watts={watts} large />
    </>
  )
}
