import { PlusOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { Button, Space } from 'antd'
import { Link, useNavigate } from 'react-router'
import { scanner, type ScannerWithState } from '../../../contract/resources/scanner.ts'
import { formatAge } from '../../lib/format-age.ts'
import { pathTo } from '../../paths.ts'
import { call, callQuery } from '../../data/api.ts'
import { useHomes } from '../../data/homes.ts'
import { useLanguage, useT } from '../../lib/i18n/i18n.ts'
import { useMay } from '../../data/session.ts'
import { RemovalBar } from '../../record-kit/bulk/removal-bar.tsx'
import { RecordList } from '../../record-kit/record-list.tsx'
import { ListExport } from '../../record-kit/export/list-export.tsx'
import { ScannerOnline } from './scanner-online.tsx'

/** /ScannerManagement: the scanners at the doors and whether they are connected. */
export default function ScannerList() {
  const t = useT()
  const navigate = useNavigate()
  const language = useLanguage()
  const homes = useHomes()
  const mayCreate = useMay('access_control_scanner', 'Create')
  const mayDelete = useMay('access_control_scanner', 'Delete')
  const query = useQuery({ ...callQuery(scanner.operations.list, {}) })
  const homeOf = (row: ScannerWithState) =>
    homes?.find(({ HomeID }) => HomeID === row.HomeID)?.HomeName ?? '–'
  const peopleOf = (row: ScannerWithState) =>
    row.AllEmployees ? t('access:scanner.everybody') : t('access:scanner.assigned', { count: row.Assigned })
  const edit = ({ ThingName }: ScannerWithState) => pathTo('ScannerEdit', { ThingName })
  return (
    <RecordList<ScannerWithState>
      resource="scanner"
      title={t('shell:pages.ScannerManagement')}
      views="scanner"
      columns={[
        {
          key: 'name',
          title: t('access:fields.ScannerName'),
          text: (row) => row.ScannerName,
          render: (row) => <Link to={edit(row)}>{row.ScannerName}</Link>,
        },
        {
          key: 'online',
          title: t('access:fields.State'),
          text: ({ Online, SeenAt }) =>
            Online
              ? t('access:scanner.online')
              : SeenAt === null
                ? t('access:scanner.never')
                : t('access:scanner.offline', { age: formatAge(SeenAt, Date.now(), language) }),
          render: (row) => <ScannerOnline scanner={row} />,
        },
        { key: 'home', title: t('access:fields.HomeID'), text: homeOf },
        {
          key: 'direction',
          title: t('access:fields.Direction'),
          text: (row) => t(`access:directions.${row.Direction}`),
        },
        { key: 'who', title: t('access:scanner.who'), text: peopleOf },
      ]}
      rows={query.data}
      error={query.error}
      retry={() => void query.refetch()}
      rowKey={({ ThingName }) => ThingName}
      nameOf={({ ScannerName }) => ScannerName}
      empty={t('access:scanner.empty')}
      renderExport={(rows) => (
        <ListExport<ScannerWithState>
          name={t('shell:pages.ScannerManagement')}
          right={{ feature: 'access_control_scanner', operation: 'Export' }}
          rows={rows}
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
      )}
      create={
        mayCreate && (
          <Link to={pathTo('CreateScanner')}>
            <Button type="primary" icon={<PlusOutlined />} tabIndex={-1}>
              {t('shell:pages.CreateScanner')}
            </Button>
          </Link>
        )
      }
      onOpen={(row) => void navigate(edit(row))}
      renderActions={({ ThingName }) => (
        <Space wrap>
          <Link to={pathTo('ScannerEmployeeList', { deviceName: ThingName })}>
            {t('shell:pages.ScannerEmployeeList')}
          </Link>
          <Link to={pathTo('DeviceQrcodeView', { deviceName: ThingName })}>
            {t('shell:pages.DeviceQrcodeView')}
          </Link>
        </Space>
      )}
      renderBar={
        mayDelete
          ? (rows, clear) => (
              <RemovalBar
                items={rows.map(({ ThingName, ScannerName }) => ({ id: ThingName, name: ScannerName }))}
                consequence={t('access:scanner.consequence')}
                remove={({ id }) => call(scanner.operations.remove, { ThingName: id })}
                clear={clear}
              />
            )
          : undefined
      }
    />
  )
}
