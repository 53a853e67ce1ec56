import { Card } from 'antd'
import { Navigate, useLocation, useParams } from 'react-router'
import { capabilityOf } from '../../../contract/devices/kinds/registry.ts'
import { pathTo } from '../../navigation/paths.ts'
import { useDevices, useHomes } from '../../data/homes.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { useMay } from '../../data/session.ts'
import { ListSkeleton, LoadFailed, ForbiddenState, EmptyState } from '../../ui/page/states.tsx'
import { ExportForm } from './export-form.tsx'
import { AddDevicesLink } from '../../ui/page/page-links.tsx'
import page from '../../ui/page/page.module.css'

/** Exports past energy of a home's meters to files, created in the browser (§1, §2). */
export default function ExportPage() {
  const t = useT()
  const { HomeID = '', kind } = useParams()
  const { search } = useLocation()
  if (kind !== 'meter')
    return <Navigate to={`${pathTo('Export', { HomeID, kind: 'meter' })}${search}`} replace />
  return (
    <section className={`${page.stack} ${page.upTo880}`} key={HomeID}>
      <header className={page.intro}>
        <h1>{t('shell:pages.Export')}</h1>
        <p className={page.note}>{t('export:intro')}</p>
      </header>
      <Card>
        <Content homeId={HomeID} />
      </Card>
    </section>
  )
}

function Content({ homeId }: { homeId: string }) {
  const t = useT()
  const home = useHomes()?.find(({ HomeID }) => HomeID === homeId)
  const devices = useDevices(homeId)
  const may = useMay('device', 'Read')
  if (!may) return <ForbiddenState right={{ feature: 'device', operation: 'Read' }} />
  if (devices.error && !devices.data)
    return <LoadFailed error={devices.error} retry={() => void devices.refetch()} />
  if (!devices.data || !home) return <ListSkeleton rows={8} />
  const meters = devices.data.Peripherals.filter(({ PeripheralType }) =>
    capabilityOf(PeripheralType, 'meter'),
  )
  if (meters.length === 0)
    return <EmptyState drawing="meter" why={t('export:noMeters')} next={<AddDevicesLink homeId={homeId} />} />
  return <ExportForm home={home} meters={meters} />
}
