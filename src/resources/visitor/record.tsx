import { VISITOR_SORTS } from '../../../contract/access-control/visitor.ts'
import { t, useT } from '../../lib/i18n/i18n.ts'
import { pathTo } from '../../navigation/paths.ts'
import { defineRecord } from '../../record-kit/define-record.tsx'
import { lazyPart } from '../../ui/page/lazy.tsx'
import { useVisitorColumns, useVisitorExport } from './use-visitor-columns.tsx'
import { VisitorActions } from './visitor-actions.tsx'
import { VisitorEdit } from './visitor-edit.tsx'
import { VisitorRegister } from './visitor-register.tsx'
import { CalendarOutlined } from '@ant-design/icons'
import { Button, Select } from 'antd'
import { today, daySpanOf } from '../../ui/inputs/days.ts'
import { useAddress } from '../../ui/page/use-address.ts'
import { useZone } from '../../ui/page/use-zone.ts'
import { VISIT_STATES, type VisitState } from '../../../contract/access-control/access-pass.ts'
import type { FilterOf } from '../../record-kit/resource-types.ts'
import type { ListFilter, Parameter } from '../../record-kit/screen.ts'
import { DaysFilter } from '../../ui/inputs/days-filter.tsx'
import styles from '../../ui/page/page.module.css'

const statesIn = (get: Parameter) => VISIT_STATES.filter((state) => get('state').split(',').includes(state))

/** Filters of the list of visits: by state and by date. */
function useVisitorFilters(): readonly ListFilter<FilterOf<'visitor'>>[] {
  const t = useT()
  const zone = useZone()
  const wordOf = (state: VisitState) => t(`access:states.${state}`)
  return [
    {
      params: ['state'],
      read: (get) => ({ States: statesIn(get) }),
      render: (get, change) => (
        <Select<VisitState[]>
          mode="multiple"
          allowClear
          maxTagCount="responsive"
          className={styles.choice ?? ''}
          value={statesIn(get)}
          placeholder={t('access:anyState')}
          aria-label={t('access:fields.State')}
          onChange={(next) => change({ state: next.join(',') })}
          options={VISIT_STATES.map((value) => ({ value, label: wordOf(value) }))}
        />
      ),
      describe: (get) => statesIn(get).map(wordOf),
    },
    {
      params: ['from', 'to'],
      read: (get) => daySpanOf(get('from'), get('to'), zone),
      render: (get, change) => (
        <DaysFilter label={t('access:period')} from={get('from')} to={get('to')} change={change} />
      ),
    },
  ]
}

/** Visits: expected, checked in, overdue or past. */
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

/** Button that filters the list by visits expected today, sorted by start. */
function ExpectedToday() {
  const t = useT()
  const zone = useZone()
  const { change } = useAddress()
  return (
    <Button
      icon={<CalendarOutlined />}
      onClick={() => change({ state: 'expected', from: today(zone), to: today(zone), sort: 'ValidFrom' })}
    >
      {t('access:expectedToday')}
    </Button>
  )
}
