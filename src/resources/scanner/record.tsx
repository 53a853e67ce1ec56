import { t } from '../../lib/i18n/i18n.ts'
import { pathTo } from '../../navigation/paths.ts'
import { defineRecord } from '../../record-kit/define-record.tsx'
import { CreateScanner } from './create-scanner.tsx'
import { isDeleted } from './scanner-frame.tsx'
import { ScannerHead } from './scanner-head.tsx'
import { ScannerLinks } from './scanner-links.tsx'
import { ScannerSecret } from './scanner-secret.tsx'
import { useScannerColumns, useScannerExport } from './use-scanner-columns.tsx'
import { useScannerFields } from './use-scanner-fields.tsx'

/** The scanners at the doors and whether they are connected. */
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
    gone: isDeleted,
  },
  to: {
    list: () => pathTo('ScannerManagement'),
    create: () => pathTo('CreateScanner'),
    key: ({ ThingName = '' }) => ({ ThingName }),
  },
  open: ({ ThingName }) => pathTo('ScannerEdit', { ThingName }),
  remove: { notInRows: true, ofMany: () => t('access:scanner.consequence') },
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
