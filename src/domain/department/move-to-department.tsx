import { TeamOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useState, type FC } from 'react'
import { useT } from '../../lib/i18n/i18n.ts'
import { useMay } from '../../data/session.ts'
import { ChooseDialog } from '../../record-kit/bulk/choose-dialog.tsx'
import { useDepartments } from './use-department-filter.tsx'

/** Select value for "no department". */
const NONE = ''

interface Props {
  count: number
  /** The ID is null for "no department", which has a name too. */
  move: (DepartmentID: string | null, name: string) => void
}

/** Button of a bulk bar that moves people to a department; hidden without the right to read users. */
export const MoveToDepartment: FC<Props> = ({ count, move }) => {
  const t = useT()
  const may = useMay('user', 'Read')
  const departments = useDepartments()
  const [isConfirming, setIsConfirming] = useState(false)
  if (!may) return null
  return (
    <>
      <Button icon={<TeamOutlined />} onClick={() => setIsConfirming(true)}>
        {t('lists:bulk.department')}
      </Button>
      {isConfirming && (
        <ChooseDialog
          title={t('lists:toDepartment.title', { count })}
          label={t('lists:toDepartment.department')}
          ok={t('lists:moveTo.ok')}
          options={[
            { value: NONE, label: t('lists:toDepartment.none') },
            ...departments.map(({ DepartmentID, Department }) => ({
              value: DepartmentID,
              label: Department,
            })),
          ]}
          choose={(DepartmentID, name) => {
            setIsConfirming(false)
            move(DepartmentID || null, name)
          }}
          close={() => setIsConfirming(false)}
        />
      )}
    </>
  )
}
