import type { FC } from 'react'
import type { ScannerWithState } from '../../../contract/access-control/scanner.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { pathTo } from '../../navigation/paths.ts'
import styles from '../../ui/page/page.module.css'
import { ScannerOnline } from './scanner-online.tsx'
import { ButtonLink } from '../../ui/plain/plain-button.tsx'

/** Whether a scanner is connected, and the other pages about it. */
export const ScannerHead: FC<{ record: ScannerWithState }> = ({ record }) => {
  const t = useT()
  const deviceName = record.ThingName
  return (
    <>
      <ScannerOnline scanner={record} />
      <div className={styles.tools}>
        <ButtonLink to={pathTo('ScannerEmployeeList', { deviceName })}>
          {t('shell:pages.ScannerEmployeeList')}
        </ButtonLink>
        <ButtonLink to={pathTo('DeviceQrcodeView', { deviceName })}>
          {t('shell:pages.DeviceQrcodeView')}
        </ButtonLink>
      </div>
    </>
  )
}
