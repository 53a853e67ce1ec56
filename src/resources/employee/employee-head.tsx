import { Button } from 'antd'
import { useState, type FC } from 'react'
import { useNavigate } from 'react-router'
import type { EmployeeRow } from '../../../contract/access-control/employee.ts'
import { PersonDataButtons } from '../../domain/person-data/person-data-buttons.tsx'
import { useT } from '../../lib/i18n/i18n.ts'
import { pathTo } from '../../navigation/paths.ts'
import { RemoveButton } from '../../record-kit/remove-button.tsx'
import styles from '../../ui/page/page.module.css'
import { EmployeePass } from './employee-pass.tsx'

/** What can be done with an employee beside changing what is said of them. */
export const EmployeeHead: FC<{ record: EmployeeRow }> = ({ record }) => {
  const t = useT()
  const navigate = useNavigate()
  const [showsPass, setShowsPass] = useState(false)
  return (
    <div className={styles.tools}>
      <Button onClick={() => setShowsPass(true)}>{t('access:pass.show')}</Button>
      <RemoveButton
        resource="employee"
        row={record}
        name={record.EmployeeName}
        remove={{ consequence: () => t('access:employee.consequence') }}
        done={() => void navigate(pathTo('EmployeeManagement'))}
      />
      <PersonDataButtons
        of={{ EmployeeID: record.EmployeeID }}
        name={record.EmployeeName}
        email={record.Email}
        erased={() => void navigate(pathTo('EmployeeManagement'))}
      />
      {showsPass && <EmployeePass employee={record} close={() => setShowsPass(false)} />}
    </div>
  )
}
