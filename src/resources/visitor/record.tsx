import { VISITOR_SORTS } from '../../../contract/access-control/visitor.ts'
import { t } from '../../lib/i18n/i18n.ts'
import { pathTo } from '../../navigation/paths.ts'
import { defineRecord } from '../../record-kit/define-record.tsx'
import { lazyPart } from '../../ui/page/lazy-part.tsx'
import { ExpectedToday } from './expected-today.tsx'
import { useVisitorColumns, useVisitorExport } from './use-visitor-columns.tsx'
import { useVisitorFilters } from './use-visitor-filters.tsx'
import { VisitorActions } from './visitor-actions.tsx'
import { VisitorEdit } from './visitor-edit.tsx'
import { VisitorRegister } from './visitor-register.tsx'

/** Who is expected, inside, late to leave or was here. */
export default defineRecord({
  resource: 'visitor',
  words: () => ({
    list: t('shell:pages.VisitorManagement'),
    create: t('shell:pages.VisitorRegister'),
    empty: t('access:visitor.empty'),
  }),
  columns: useVisitorColumns,
  drawing: 'visitor',
  filters: useVisitorFilters,
  search: () => t('access:visitor.search'),
  sort: { Sort: VISITOR_SORTS[0], Descending: true },
  to: { list: () => pathTo('VisitorManagement'), create: () => pathTo('VisitorRegister') },
  open: ({ VisitorID }) => pathTo('VisitorEdit', { visitorID: VisitorID }),
  remove: { notInRows: true },
  Actions: ({ row }) => <VisitorActions visitor={row} short />,
  actionsWidth: 220,
  many: {
    needs: [{ feature: 'access_control_visitor', operation: 'Update' }],
    Bar: lazyPart(() => import('./visitor-bulk-bar.tsx')),
  },
  Tools: ExpectedToday,
  views: 'visitor',
  exports: {
    needs: { feature: 'access_control_visitor', operation: 'Export' },
    columns: useVisitorExport,
  },
  pages: { Create: VisitorRegister, Edit: VisitorEdit },
})
