import { Button } from 'antd'
import type { FC } from 'react'
import { Link } from 'react-router'
import { pathTo } from '../../paths.ts'
import { useT } from '../../providers/i18n.ts'
import { useMay } from '../../providers/session.ts'

/** To where devices are added, for those who may. */
export const AddDevicesLink: FC<{ homeId: string }> = ({ homeId }) => {
  const t = useT()
  const may = useMay('device', 'Create')
  if (!may) return null
  return (
    <Link to={pathTo('AddDevices', { HomeID: homeId })}>
      <Button type="primary">{t('shell:pages.AddDevices')}</Button>
    </Link>
  )
}

/** To where past energy is imported, for those who may. */
export const ImportLink: FC<{ homeId: string }> = ({ homeId }) => {
  const t = useT()
  const may = useMay('electricity', 'Update')
  if (!may) return null
  return <Link to={pathTo('MeterImport', { HomeID: homeId })}>{t('shell:pages.MeterImport')}</Link>
}
