import { Card } from 'antd'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { type EnergyUseIntensity, insight } from '../../../contract/energy/insight-calls.ts'
import { EUI_DAYS } from '../../../contract/energy/eui.ts'
import { callQuery } from '../../data/api.ts'
import { BeingComputed } from '../../domain/energy/being-computed.tsx'
import { formatShare, useEnergyFormat } from '../../domain/energy/use-figures.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { useFormatDate } from '../../ui/page/format-when.ts'
import { pathTo } from '../../navigation/paths.ts'
import page from '../../ui/page/page.module.css'
import { ListSkeleton, LoadFailed } from '../../ui/page/states.tsx'

/** Energy use intensity of a site over a year, or the data that is missing. */
export function IntensityCard({ homeId }: { homeId: string }) {
  const t = useT()
  const query = useQuery(callQuery(insight.getEnergyUseIntensity, { HomeID: homeId }))
  return (
    <Card title={t('insight:intensity.title')}>
      {query.data ? (
        <>
          <BeingComputed percent={query.data.ComputedPercent} isSum={false} />
          <Intensity homeId={homeId} known={query.data} />
        </>
      ) : query.error ? (
        <LoadFailed error={query.error} retry={() => void query.refetch()} />
      ) : (
        <ListSkeleton rows={1} />
      )}
    </Card>
  )
}

function Intensity({ homeId, known }: { homeId: string; known: EnergyUseIntensity }) {
  const t = useT()
  const date = useFormatDate()
  const figures = useEnergyFormat()
  const { Eui, Complete, Area, Lack, Days, From, Through } = known
  if (Lack === 'area')
    return (
      <p className={page.hint}>
        {t('insight:intensity.lacks.area')}{' '}
        <Link to={pathTo('Meters', { HomeID: homeId })}>{t('insight:intensity.toArea')}</Link>
      </p>
    )
  if (Eui === null || Complete === null)
    return (
      <p className={page.hint}>
        {Lack === 'days'
          ? t('insight:intensity.lacks.days', { days: Days, needed: EUI_DAYS })
          : t('insight:intensity.lacks.coverage')}
      </p>
    )
  return (
    <div className={page.column}>
      <strong className={page.figures}>{t('insight:intensity.value', { value: figures(Eui) })}</strong>
      <p className={page.hint}>
        {t('insight:intensity.from', {
          from: date(From ?? ''),
          through: date(Through ?? ''),
          share: formatShare(Complete),
          area: figures(Area ?? 0),
        })}
      </p>
    </div>
  )
}
