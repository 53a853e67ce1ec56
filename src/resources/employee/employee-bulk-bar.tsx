import type { FC } from 'react'
import { employee, type EmployeeRow } from '../../../contract/access-control/employee.ts'
import { call, type RequestOf } from '../../data/api.ts'
import { t, useT } from '../../lib/i18n/i18n.ts'
import { SelectionBar } from '../../record-kit/bulk/selection-bar.tsx'
import { type BulkAction, type BulkItem, callEach } from '../../record-kit/bulk/bulk-run.ts'
import { OnOffButtons } from '../../record-kit/bulk/bulk-buttons.tsx'
import { MoveToDepartment } from '../../domain/department/move-to-department.tsx'

interface Props {
  rows: readonly EmployeeRow[]
  clear: () => void
}

const EmployeeBulkBar: FC<Props> = ({ rows, clear }) => {
  const t = useT()
  const items = rows.map((row): BulkItem => ({ id: row.EmployeeID, name: row.EmployeeName }))
  const count = items.length
  return (
    <SelectionBar words={t('lists:bulk.items', { count })} items={items} clear={clear}>
      {(run) => (
        <>
          <OnOffButtons
            items={items}
            run={run}
            enabled={{ label: t('access:bulk.activate'), action: changing({ Active: true }, activated) }}
            blocked={{
              label: t('access:bulk.deactivate'),
              question: t('access:bulk.askDeactivate', { count }),
              reason: t('access:bulk.whyDeactivate'),
              action: changing({ Active: false }, deactivated),
            }}
          />
          <MoveToDepartment
            count={count}
            move={(DepartmentID, name) => run(changing({ DepartmentID }, () => moved(name)))}
          />
        </>
      )}
    </SelectionBar>
  )
}
export default EmployeeBulkBar

// Functions, because the language may change while results are shown.
const activated = () => t('access:bulk.activating')
const deactivated = () => t('access:bulk.deactivating')
const moved = (department: string) => t('lists:toDepartment.moving', { department })

const changing = (
  change: Omit<RequestOf<typeof employee.operations.update>, 'EmployeeID'>,
  title: () => string,
): BulkAction => ({
  title,
  start: (items) =>
    callEach(items, ({ id }) => call(employee.operations.update, { EmployeeID: id, ...change })),
})
