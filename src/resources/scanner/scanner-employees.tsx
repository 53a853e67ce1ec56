import { Alert, Button } from 'antd'
import type { FC } from 'react'
import { Link } from 'react-router'
import { ButtonLink } from '../../ui/plain/plain-button.tsx'
import { accessControl } from '../../../contract/access-control/calls.ts'
import type { ScannerWithState } from '../../../contract/access-control/scanner.ts'
import type { ResultsOf } from '../../data/api.ts'
import { useMay } from '../../data/session.ts'
import { useAction } from '../../data/use-action.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { pathTo } from '../../navigation/paths.ts'
import { CallList } from '../../record-kit/list/call-list.tsx'
import type { TitledColumn } from '../../record-kit/list/column.ts'
import { barSwitch } from '../../ui/filter-bar/bar-switch.tsx'
import { SearchBox } from '../../ui/inputs/search-box.tsx'
import { lazyPart } from '../../ui/page/lazy.tsx'
import { useAddress } from '../../ui/page/use-address.ts'
import { StateTag } from '../../ui/tags/state-tag.tsx'
import { ScannerFrame } from './scanner-frame.tsx'

const AssignmentBar = lazyPart(() => import('./assignment-bar.tsx'))

type Row = ResultsOf<typeof accessControl.listScannerEmployee>['Rows'][number]

/** /ScannerEmployeeList/{deviceName}: employees who may pass a scanner. */
export default function ScannerEmployees() {
  return <ScannerFrame>{(scanner) => <Assignments scanner={scanner} />}</ScannerFrame>
}

function useColumns(scanner: ScannerWithState): readonly TitledColumn<Row>[] {
  const t = useT()
  return [
    { key: 'EmployeeName', title: t('access:fields.EmployeeName') },
    { key: 'Department', title: t('access:fields.DepartmentID'), render: (row) => row.Department ?? '–' },
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
        t(row.Active && (scanner.AllEmployees || row.Assigned) ? 'access:scanner.yes' : 'access:scanner.no'),
    },
  ]
}

const Assignments: FC<{ scanner: ScannerWithState }> = ({ scanner }) => {
  const t = useT()
  const { get, change } = useAddress()
  const columns = useColumns(scanner)
  const { busy, run } = useAction(accessControl.assignScannerEmployee)
  const mayAssign = useMay('access_control_scanner', 'Update')
  const { ThingName } = scanner
  const input = { ThingName, Search: get('q').slice(0, 100), AssignedOnly: get('assigned') === '1' }
  const assign = async (EmployeeIDs: string[], Assigned: boolean) => {
    await run({ ThingName, EmployeeIDs, Assigned })
  }
  return (
    <CallList
      endpoint={accessControl.listScannerEmployee}
      input={input}
      keyOf={(row) => row.EmployeeID}
      title={t('access:scanner.employeesOf', { name: scanner.ScannerName })}
      columns={columns}
      filtered={input.Search !== '' || input.AssignedOnly}
      clear={() => change({ q: undefined, assigned: undefined })}
      bar={{
        leading: (
          <SearchBox value={get('q')} label={t('access:employee.search')} search={(q) => change({ q })} />
        ),
        filters: [
          barSwitch({
            key: 'assigned',
            label: t('access:scanner.assignedOnly'),
            checked: input.AssignedOnly,
            onChange: (isOn) => change({ assigned: isOn ? '1' : undefined }),
          }),
        ],
      }}
      note={
        scanner.AllEmployees && (
          <Alert
            showIcon
            type="info"
            message={t('access:scanner.openNote')}
            action={<Link to={pathTo('ScannerEdit', { ThingName })}>{t('access:scanner.change')}</Link>}
          />
        )
      }
      empty={t('access:employee.empty')}
      next={<ButtonLink to={pathTo('EmployeeManagement')}>{t('shell:pages.EmployeeManagement')}</ButtonLink>}
      bulk={
        mayAssign
          ? {
              nameOf: (row) => row.EmployeeName,
              renderBar: (rows, clear) => <AssignmentBar ThingName={ThingName} rows={rows} clear={clear} />,
            }
          : undefined
      }
      renderActions={
        mayAssign
          ? (row) => (
              <Button disabled={busy} onClick={() => void assign([row.EmployeeID], !row.Assigned)}>
                {t(row.Assigned ? 'access:scanner.unassign' : 'access:scanner.assign')}
                <span className="visually-hidden"> {row.EmployeeName}</span>
              </Button>
            )
          : undefined
      }
    />
  )
}
