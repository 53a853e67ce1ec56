import { Alert, Button, Checkbox } from 'antd'
import type { FC } from 'react'
import { Link, useParams } from 'react-router'
import { accessControl } from '../../../contract/procedures/access-control.ts'
import type { ScannerWithState } from '../../../contract/resources/scanner.ts'
import styles from '../../domain/access/access.module.css'
import { PagedList } from '../../record-kit/paged-list/paged-list.tsx'
import { SearchBox } from '../../ui/inputs/search-box.tsx'
import { useAct } from '../../record-kit/paged-list/use-act.ts'
import { useAddress } from '../../ui/page/use-address.ts'
import { pathTo } from '../../paths.ts'
import { call, callKey, type ResultsOf } from '../../data/api.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { useMay } from '../../data/session.ts'
import { lazyPart } from '../../ui/page/lazy-part.tsx'
import { StateTag } from '../../ui/tags/state-tag.tsx'
import { ScannerFrame } from './scanner-frame.tsx'

const AssignmentBar = lazyPart(() => import('./assignment-bar.tsx'))

type Row = ResultsOf<typeof accessControl.listScannerEmployee>['Rows'][number]

/** /ScannerEmployeeList/{deviceName}: who may pass a scanner. */
export default function ScannerEmployees() {
  const { deviceName = '' } = useParams()
  return <ScannerFrame thingName={deviceName}>{(scanner) => <Assignments scanner={scanner} />}</ScannerFrame>
}

const Assignments: FC<{ scanner: ScannerWithState }> = ({ scanner }) => {
  const t = useT()
  const { get, change } = useAddress()
  const { busy, act } = useAct()
  const mayAssign = useMay('access_control_scanner', 'Update')
  const { ThingName } = scanner
  const input = { ThingName, Search: get('q').slice(0, 100), AssignedOnly: get('assigned') === '1' }
  const assign = (EmployeeIDs: string[], Assigned: boolean) =>
    void act(async () => {
      await call(accessControl.assignScannerEmployee, { ThingName, EmployeeIDs, Assigned })
    })
  return (
    <section className={styles.page}>
      <PagedList<Row>
        queryKey={callKey(accessControl.listScannerEmployee, input)}
        load={(asked, signal) => call(accessControl.listScannerEmployee, { ...input, ...asked }, { signal })}
        label={t('shell:pages.ScannerEmployeeList')}
        rowKey={(row) => row.EmployeeID}
        filtered={input.Search !== '' || input.AssignedOnly}
        clear={() => change({ q: undefined, assigned: undefined })}
        empty={t('access:employee.empty')}
        bulk={
          mayAssign
            ? {
                nameOf: (row) => row.EmployeeName,
                renderBar: (rows, clear) => <AssignmentBar ThingName={ThingName} rows={rows} clear={clear} />,
              }
            : undefined
        }
        next={<Link to={pathTo('EmployeeManagement')}>{t('shell:pages.EmployeeManagement')}</Link>}
        renderHead={(total) => (
          <>
            <header className={styles.header}>
              <h1>{t('access:scanner.employeesOf', { name: scanner.ScannerName })}</h1>
              {total !== undefined && (
                <span className={styles.count}>{t('screens:list.count', { count: total })}</span>
              )}
            </header>
            {scanner.AllEmployees && (
              <Alert
                showIcon
                type="info"
                message={t('access:scanner.openNote')}
                action={<Link to={pathTo('ScannerEdit', { ThingName })}>{t('access:scanner.change')}</Link>}
              />
            )}
            <div className={styles.filters}>
              <SearchBox value={get('q')} label={t('access:employee.search')} search={(q) => change({ q })} />
              <Checkbox
                checked={input.AssignedOnly}
                onChange={(event) => change({ assigned: event.target.checked ? '1' : undefined })}
              >
                {t('access:scanner.assignedOnly')}
              </Checkbox>
            </div>
          </>
        )}
        columns={[
          { key: 'EmployeeName', title: t('access:fields.EmployeeName'), render: (row) => row.EmployeeName },
          {
            key: 'Department',
            title: t('access:fields.DepartmentID'),
            render: (row) => row.Department ?? '–',
          },
          {
            key: 'Active',
            title: t('access:fields.State'),
            render: (row) => (
              <StateTag tone={row.Active ? 'good' : 'offline'}>
                {t(row.Active ? 'access:employee.active' : 'access:employee.inactive')}
              </StateTag>
            ),
          },
          {
            key: 'Assigned',
            title: t('access:scanner.mayPass'),
            render: (row) =>
              t(
                row.Active && (scanner.AllEmployees || row.Assigned)
                  ? 'access:scanner.yes'
                  : 'access:scanner.no',
              ),
          },
        ]}
        renderActions={
          mayAssign
            ? (row) => (
                <Button disabled={busy} onClick={() => assign([row.EmployeeID], !row.Assigned)}>
                  {t(row.Assigned ? 'access:scanner.unassign' : 'access:scanner.assign')}
                  <span className="visually-hidden"> {row.EmployeeName}</span>
                </Button>
              )
            : undefined
        }
      />
    </section>
  )
}
