import { Space } from 'antd'
import type { FC } from 'react'
import { Link } from 'react-router'
import type { ScannerWithState } from '../../../contract/access-control/scanner.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { pathTo } from '../../navigation/paths.ts'

/** The other pages about a scanner. */
export const ScannerLinks: FC<{ row: ScannerWithState }> = ({ row: { ThingName } }) => {
  const t = useT()
  return (
    <Space wrap>
      <Link to={pathTo('ScannerEmployeeList', { deviceName: ThingName })}>
        {t('shell:pages.ScannerEmployeeList')}
      </Link>
      <Link to={pathTo('DeviceQrcodeView', { deviceName: ThingName })}>
        {t('shell:pages.DeviceQrcodeView')}
      </Link>
    </Space>
  )
}
