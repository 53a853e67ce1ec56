import { CheckCircleOutlined, StopOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import type { FC } from 'react'
import { accessControl } from '../../../contract/access-control/calls.ts'
import { call, type ResultsOf } from '../../data/api.ts'
import { t, useT } from '../../lib/i18n/i18n.ts'
import { SelectionBar } from '../../record-kit/bulk/selection-bar.tsx'
import { type BulkAction, type BulkItem, callEach } from '../../record-kit/bulk/bulk-run.ts'

interface Props {
  ThingName: string
  rows: readonly ResultsOf<typeof accessControl.listScannerEmployee>['Rows'][number][]
  clear: () => void
}

/** Assigns the selected employees to a scanner, or unassigns them. */
const AssignmentBar: FC<Props> = ({ ThingName, rows, clear }) => {
  const t = useT()
  const items = rows.map((row): BulkItem => ({ id: row.EmployeeID, name: row.EmployeeName }))
  const assigning = (Assigned: boolean): BulkAction => ({
    title: Assigned ? assigned : unassigned,
    start: (selectedScanners) =>
      callEach(selectedScanners, ({ id }) =>
        call(accessControl.assignScannerEmployee, { ThingName, EmployeeIDs: [id], Assigned }),
      ),
  })
  return (
    <SelectionBar words={t('lists:bulk.items', { count: items.length })} items={items} clear={clear}>
      {(run) => (
        <>
          <Button icon={<CheckCircleOutlined />} onClick={() => run(assigning(true))}>
            {t('access:scanner.assign')}
          </Button>
          <Button icon={<StopOutlined />} onClick={() => run(assigning(false))}>
            {t('access:scanner.unassign')}
          </Button>
        </>
      )}
    </SelectionBar>
  )
}
export default AssignmentBar

// Functions, because the language may change while results are shown.
const assigned = () => t('access:bulk.assigning')
const unassigned = () => t('access:bulk.unassigning')
