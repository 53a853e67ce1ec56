import { Button } from 'antd'
import type { FC } from 'react'
import { Link } from 'react-router'
import type { ScannerWithState } from '../../../contract/resources/scanner.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { pathTo } from '../../paths.ts'
import styles from '../../ui/page/page.module.css'
import { ScannerOnline } from './scanner-online.tsx'

/** Whether a scanner is connected, and the other pages about it. */
export const ScannerHead: FC<{ record: ScannerWithState }> = ({ record }) => {
  const t = useT()
  const deviceName = record.ThingName
  return (
    <>
      <ScannerOnline scanner={record} />
      <div className={styles.tools}>
        <Link to={pathTo('ScannerEmployeeList', { deviceName })}>
          <Button tabIndex={-1}>{t('shell:pages.ScannerEmployeeList')}</Button>
        </Link>
        <Link to={pathTo('DeviceQrcodeView', { deviceName })}>
          <Button tabIndex={-1}>{t('shell:pages.DeviceQrcodeView')}</Button>
        </Link>
      </div>
    </>
  )
}
