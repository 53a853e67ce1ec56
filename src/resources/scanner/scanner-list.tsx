import { PlusOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { Button, Card, Space, Table } from 'antd'
import { Link } from 'react-router'
import { scanner, type ScannerWithState } from '../../../contract/resources/scanner.ts'
import styles from '../../custom-views/access-control/access.module.css'
import { pathTo } from '../../paths.ts'
import { callQuery } from '../../providers/api.ts'
import { useHomes } from '../../providers/homes.ts'
import { useT } from '../../providers/i18n.ts'
import { useMay } from '../../providers/session.ts'
import { ListSkeleton, LoadFailed, Nothing } from '../../ui/crud/states.tsx'
import { ListExport } from '../../ui/list-export/list-export.tsx'
import { usePhone } from '../../ui/use-phone.ts'
import { ScannerOnline } from './scanner-online.tsx'

/** /ScannerManagement: the scanners at the doors and whether they are connected. */
export default function ScannerList() {
  const t = useT()
  const phone = usePhone()
  const homes = useHomes()
  const mayCreate = useMay('access_control_scanner', 'Create')
  const query = useQuery({ ...callQuery(scanner.operations.list, {}), refetchOnMount: 'always' })
  const create = mayCreate && (
    <Link to={pathTo('CreateScanner')}>
      <Button type="primary" icon={<PlusOutlined />} tabIndex={-1}>
        {t('shell:pages.CreateScanner')}
      </Button>
    </Link>
  )
  const homeOf = (row: ScannerWithState) =>
    homes?.find(({ HomeID }) => HomeID === row.HomeID)?.HomeName ?? '–'
  const peopleOf = (row: ScannerWithState) =>
    row.AllEmployees ? t('access:scanner.everybody') : t('access:scanner.assigned', { count: row.Assigned })
  const name = (row: ScannerWithState) => (
    <Link to={pathTo('ScannerEdit', { ThingName: row.ThingName })}>{row.ScannerName}</Link>
  )
  const links = (row: ScannerWithState) => (
    <Space wrap>
      <Link to={pathTo('ScannerEmployeeList', { deviceName: row.ThingName })}>
        {t('shell:pages.ScannerEmployeeList')}
      </Link>
      <Link to={pathTo('DeviceQrcodeView', { deviceName: row.ThingName })}>
        {t('shell:pages.DeviceQrcodeView')}
      </Link>
    </Space>
  )
  return (
    <section className={styles.page}>
      <header className={styles.header}>
        <h1>{t('shell:pages.ScannerManagement')}</h1>
        {query.data && (
          <span className={styles.count}>{t('screens:list.count', { count: query.data.length })}</span>
        )}
        <div className={styles.tools}>
          <ListExport<ScannerWithState>
            name={t('shell:pages.ScannerManagement')}
            right={{ feature: 'access_control_scanner', operation: 'Export' }}
            rows={query.data}
            columns={[
              { title: t('access:fields.ScannerName'), of: (row) => row.ScannerName },
              { title: t('access:fields.HomeID'), of: homeOf },
              { title: t('access:fields.Direction'), of: (row) => t(`access:directions.${row.Direction}`) },
              { title: t('access:scanner.who'), of: peopleOf },
              {
                title: t('access:fields.AllowVisitors'),
                of: (row) => t(row.AllowVisitors ? 'access:scanner.yes' : 'access:scanner.no'),
              },
              { title: t('access:scanner.lastSeen'), at: (row) => row.SeenAt },
            ]}
          />
          {create}
        </div>
      </header>
      {!query.data ? (
        query.error ? (
          <LoadFailed error={query.error} retry={() => void query.refetch()} />
        ) : (
          <ListSkeleton />
        )
      ) : query.data.length === 0 ? (
        <Nothing why={t('access:scanner.empty')} next={create} />
      ) : phone ? (
        <ul className={styles.cards}>
          {query.data.map((row) => (
            <li key={row.ThingName}>
              <Card size="small" title={name(row)} extra={<ScannerOnline scanner={row} />}>
                <dl>
                  <div>
                    <dt>{t('access:fields.HomeID')}</dt>
                    <dd>{homeOf(row)}</dd>
                  </div>
                  <div>
                    <dt>{t('access:fields.Direction')}</dt>
                    <dd>{t(`access:directions.${row.Direction}`)}</dd>
                  </div>
                  <div>
                    <dt>{t('access:scanner.who')}</dt>
                    <dd>{peopleOf(row)}</dd>
                  </div>
                </dl>
                {links(row)}
              </Card>
            </li>
          ))}
        </ul>
      ) : (
        <Table<ScannerWithState>
          dataSource={query.data}
          rowKey="ThingName"
          size="small"
          sticky
          pagination={query.data.length > 50 ? { pageSize: 50, showSizeChanger: false } : false}
          columns={[
            { key: 'name', title: t('access:fields.ScannerName'), render: (_, row) => name(row) },
            {
              key: 'online',
              title: t('access:fields.State'),
              render: (_, row) => <ScannerOnline scanner={row} />,
            },
            { key: 'home', title: t('access:fields.HomeID'), render: (_, row) => homeOf(row) },
            {
              key: 'direction',
              title: t('access:fields.Direction'),
              render: (_, row) => t(`access:directions.${row.Direction}`),
            },
            { key: 'who', title: t('access:scanner.who'), render: (_, row) => peopleOf(row) },
            {
              key: 'actions',
              title: <span className="visually-hidden">{t('lists:page.actions')}</span>,
              align: 'end',
              render: (_, row) => links(row),
            },
          ]}
        />
      )}
    </section>
  )
}
