import { Link } from 'react-router'
import type { LackingPeakDays } from '../../../contract/energy/lacking-peak-days.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { pathTo } from '../../navigation/paths.ts'
import page from '../../ui/page/page.module.css'

interface Props {
  homeId: string
  of: 'change' | 'forecast'
  /** Announced peak days that are missing; undefined if that is not the reason. */
  peakDays: LackingPeakDays | undefined
}

/** Reason why some days have no price, with a link to the page that fixes it. */
export function NoPrice({ homeId, of, peakDays }: Props) {
  const t = useT()
  if (!peakDays) return <p className={page.hint}>{t(`insight:${of}.noPrice`)}</p>
  const { Year: year, Known: known, Needed: needed } = peakDays
  return (
    <p className={page.hint}>
      {t(`insight:${of}.peakDays`, { year, known, needed })}{' '}
      <Link to={`${pathTo('Tariff', { HomeID: homeId })}?tab=rules`}>{t('insight:toPeakDays')}</Link>
    </p>
  )
}
