import { CalendarOutlined, PlusOutlined } from '@ant-design/icons'
import { Button, Select } from 'antd'
import { Link } from 'react-router'
import { visitor, VISITOR_SORTS, type VisitorRow } from '../../../contract/resources/visitor.ts'
import { formatPhone, VISIT_STATES, type VisitState } from '../../../contract/rules/access-pass.ts'
import styles from '../../domain/access/access.module.css'
import { DaysFilter } from '../../ui/inputs/days-filter.tsx'
import { spanOf, today } from '../../ui/inputs/days.ts'
import { useFormatWhen } from '../../ui/page/format-when.ts'
import { PagedList } from '../../record-kit/paged-list/paged-list.tsx'
import { SearchBox } from '../../ui/inputs/search-box.tsx'
import { useZone } from '../../ui/page/use-zone.ts'
import { VisitStateTag } from '../../domain/access/visit-state-tag.tsx'
import { readSort, useAddress } from '../../ui/page/use-address.ts'
import { pathTo } from '../../paths.ts'
import { call, callKey } from '../../data/api.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { useMay } from '../../data/session.ts'
import { lazyPart } from '../../ui/page/lazy-part.tsx'
import { ListViews } from '../../record-kit/views/list-views.tsx'
import { VisitorActions } from './visitor-actions.tsx'
import { VisitorExport } from './visitor-export.tsx'

const VisitorBulkBar = lazyPart(() => import('./visitor-bulk-bar.tsx'))

const DEFAULT_SORT = { Sort: 'ValidFrom', Descending: true } as const

/** /VisitorManagement: who is expected, inside, late to leave or was here; filters and order stand in the address. */
export default function VisitorList() {
  const t = useT()
  const zone = useZone()
  const { span } = useFormatWhen()
  const { get, change } = useAddress()
  const mayUpdate = useMay('access_control_visitor', 'Update')
  const mayRegister = useMay('access_control_visitor', 'Create')
  const States = VISIT_STATES.filter((state) => get('state').split(',').includes(state))
  const sort = readSort(VISITOR_SORTS, get('sort')) ?? DEFAULT_SORT
  const filter = { Search: get('q').slice(0, 100), States, ...spanOf(get('from'), get('to'), zone) }
  const input = { ...filter, ...sort }
  const register = mayRegister && (
    <Link to={pathTo('VisitorRegister')}>
      <Button type="primary" icon={<PlusOutlined />} tabIndex={-1}>
        {t('shell:pages.VisitorRegister')}
      </Button>
    </Link>
  )
  const edit = (row: VisitorRow) => pathTo('VisitorEdit', { visitorID: row.VisitorID })

  return (
    <section className={styles.page}>
      <PagedList<VisitorRow>
        queryKey={callKey(visitor.operations.list, input)}
        load={(asked, signal) => call(visitor.operations.list, { ...input, ...asked }, { signal })}
        label={t('shell:pages.VisitorManagement')}
        rowKey={(row) => row.VisitorID}
        open={edit}
        sort={sort}
        onSort={(name, descending) => change({ sort: `${descending ? '-' : ''}${name}` })}
        filtered={filter.Search !== '' || States.length > 0 || get('from') !== '' || get('to') !== ''}
        clear={() => change({ q: undefined, state: undefined, from: undefined, to: undefined })}
        empty={t('access:visitor.empty')}
        next={register}
        bulk={
          mayUpdate
            ? {
                nameOf: (row) => row.VisitorName || t('access:anonymised'),
                renderBar: (rows, clear) => <VisitorBulkBar rows={rows} clear={clear} />,
              }
            : undefined
        }
        renderActions={(row) => <VisitorActions visitor={row} short />}
        renderHead={(total) => (
          <>
            <header className={styles.header}>
              <h1>{t('shell:pages.VisitorManagement')}</h1>
              {total !== undefined && (
                <span className={styles.count}>{t('screens:list.count', { count: total })}</span>
              )}
              <div className={styles.tools}>
                <ListViews
                  list="visitor"
                  sorts={{
                    ValidFrom: t('access:fields.Window'),
                    VisitorName: t('access:fields.VisitorName'),
                    Company: t('access:fields.Company'),
                  }}
                  inWords={(of) =>
                    VISIT_STATES.filter((state) => of('state').split(',').includes(state)).map((state) =>
                      t(`access:states.${state}`),
                    )
                  }
                />
                <Button
                  icon={<CalendarOutlined />}
                  onClick={() =>
                    change({ state: 'expected', from: today(zone), to: today(zone), sort: 'ValidFrom' })
                  }
                >
                  {t('access:expectedToday')}
                </Button>
                <VisitorExport filter={input} total={total} />
                {register}
              </div>
            </header>
            <div className={styles.filters}>
              <SearchBox value={get('q')} label={t('access:visitor.search')} search={(q) => change({ q })} />
              <Select<VisitState[]>
                mode="multiple"
                allowClear
                maxTagCount="responsive"
                className={styles.choice}
                value={States}
                placeholder={t('access:anyState')}
                aria-label={t('access:fields.State')}
                onChange={(next) => change({ state: next.join(',') })}
                options={VISIT_STATES.map((value) => ({ value, label: t(`access:states.${value}`) }))}
              />
              <DaysFilter label={t('access:period')} from={get('from')} to={get('to')} change={change} />
            </div>
          </>
        )}
        columns={[
          {
            key: 'VisitorName',
            sort: 'VisitorName',
            title: t('access:fields.VisitorName'),
            render: (row) => <Link to={edit(row)}>{row.VisitorName || t('access:anonymised')}</Link>,
          },
          {
            key: 'Company',
            sort: 'Company',
            title: t('access:fields.Company'),
            render: (row) => row.Company || '–',
          },
          {
            key: 'State',
            title: t('access:fields.State'),
            render: (row) => <VisitStateTag visit={row} />,
          },
          {
            key: 'ValidFrom',
            sort: 'ValidFrom',
            title: t('access:fields.Window'),
            render: (row) => <span className={styles.window}>{span(row.ValidFrom, row.ValidUntil)}</span>,
          },
          { key: 'HostName', title: t('access:fields.HostEmployeeID'), render: (row) => row.HostName ?? '–' },
          {
            key: 'Phone',
            title: t('access:fields.Phone'),
            render: (row) => <span className={styles.numbers}>{formatPhone(row.Phone) || '–'}</span>,
          },
        ]}
      />
    </section>
  )
}
