import { t, useT } from '../../lib/i18n/i18n.ts'
import { pathTo } from '../../navigation/paths.ts'
import { defineRecord } from '../../record-kit/define-record.tsx'
import { CreateScanner } from './create-scanner.tsx'
import { isDeleted } from './scanner-frame.tsx'
import { ScannerSecret } from './scanner-secret.tsx'
import { useScannerColumns, useScannerExport } from './use-scanner-columns.tsx'
import { useScannerFields } from './use-scanner-fields.tsx'
import { Space } from 'antd'
import type { FC } from 'react'
import { Link } from 'react-router'
import type { ScannerWithState } from '../../../contract/access-control/scanner.ts'
import styles from '../../ui/page/page.module.css'
import { ScannerOnline } from './scanner-online.tsx'
import { ButtonLink } from '../../ui/plain/plain-button.tsx'

/** Connection state of a scanner, and links to its other pages. */
const ScannerHead: FC<{ record: ScannerWithState }> = ({ record }) => {
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

const ScannerLinks: FC<{ row: ScannerWithState }> = ({ row: { ThingName } }) => {
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

/** Scanners at doors, with their connection state. */
export default defineRecord({
  resource: 'scanner',
  words: () => ({
    list: t('shell:pages.ScannerManagement'),
    create: t('shell:pages.CreateScanner'),
    empty: t('access:scanner.empty'),
  }),
  columns: useScannerColumns,
  drawing: 'hub',
  form: {
    as: 'page',
    columns: true,
    fields: useScannerFields,
    Head: ScannerHead,
    Below: ScannerSecret,
    missingTexts: isDeleted,
  },
  to: {
    list: () => pathTo('ScannerManagement'),
    create: () => pathTo('CreateScanner'),
    key: ({ ThingName = '' }) => ({ ThingName }),
  },
  open: ({ ThingName }) => pathTo('ScannerEdit', { ThingName }),
  remove: { notInRows: true, bulkConsequence: () => t('access:scanner.consequence') },
  Actions: ScannerLinks,
  actionsWidth: 220,
  many: 'remove',
  views: 'scanner',
  exports: {
    needs: { feature: 'access_control_scanner', operation: 'Export' },
    columns: useScannerExport,
  },
  pages: { Create: CreateScanner },
})
