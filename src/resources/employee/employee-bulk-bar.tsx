import { CheckCircleOutlined, StopOutlined, TeamOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useState, type FC } from 'react'
import { employee, type EmployeeRow } from '../../../contract/resources/employee.ts'
import type { Department } from '../../../contract/resources/department.ts'
import { call, type SentOf } from '../../providers/api.ts'
import { t, useT } from '../../providers/i18n.ts'
import { BulkBar } from '../../ui/bulk/bulk-bar.tsx'
import type { BulkAction, Item } from '../../ui/bulk/bulk-run.ts'
import { callEach } from '../../ui/bulk/call-each.ts'
import { ChooseDialog } from '../../ui/bulk/choose-dialog.tsx'
import { useAskFirst } from '../../ui/bulk/use-ask-first.tsx'
import { refreshAfter } from '../../ui/crud/refresh-after.ts'

/** Of the choice that means no department. */
const NONE = ''

interface Props {
  rows: readonly EmployeeRow[]
  /** Undefined for who may not see departments. */
  departments: readonly Department[] | undefined
  clear: () => void
}

/** What can be done with the chosen employees. */
const EmployeeBulkBar: FC<Props> = ({ rows, departments, clear }) => {
  const t = useT()
  const askFirst = useAskFirst()
  const [moves, setMoves] = useState(false)
  const items = rows.map((row): Item => ({ id: row.EmployeeID, name: row.EmployeeName }))
  const count = items.length
  return (
    <BulkBar words={t('lists:bulk.items', { count })} items={items} clear={clear}>
      {(run) => (
        <>
          <Button icon={<CheckCircleOutlined />} onClick={() => run(changing({ Active: true }, activated))}>
            {t('access:bulk.activate')}
          </Button>
          <Button
            icon={<StopOutlined />}
            onClick={() =>
              askFirst({
                title: t('access:bulk.askDeactivate', { count }),
                why: t('access:bulk.whyDeactivate'),
                items,
                ok: t('access:bulk.deactivate'),
                run: () => run(changing({ Active: false }, deactivated)),
              })
            }
          >
            {t('access:bulk.deactivate')}
          </Button>
          {departments && (
            <Button icon={<TeamOutlined />} onClick={() => setMoves(true)}>
              {t('lists:bulk.department')}
            </Button>
          )}
          {moves && (
            <ChooseDialog
              title={t('lists:toDepartment.title', { count })}
              label={t('lists:toDepartment.department')}
              ok={t('lists:moveTo.ok')}
              options={[
                { value: NONE, label: t('lists:toDepartment.none') },
                ...(departments ?? []).map(({ DepartmentID, Department }) => ({
                  value: DepartmentID,
                  label: Department,
                })),
              ]}
              choose={(DepartmentID, department) => {
                setMoves(false)
                run(changing({ DepartmentID: DepartmentID || null }, () => moved(department)))
              }}
              close={() => setMoves(false)}
            />
          )}
        </>
      )}
    </BulkBar>
  )
}
export default EmployeeBulkBar

// In the language of the moment, which may change while results are shown.
const activated = () => t('access:bulk.activating')
const deactivated = () => t('access:bulk.deactivating')
const moved = (department: string) => t('lists:toDepartment.moving', { department })

const changing = (
  change: Omit<SentOf<typeof employee.operations.update>, 'EmployeeID'>,
  title: () => string,
): BulkAction => ({
  title,
  start: (items) =>
    callEach(
      items,
      ({ id }) => call(employee.operations.update, { EmployeeID: id, ...change }),
      () => refreshAfter('employee'),
    ),
})
