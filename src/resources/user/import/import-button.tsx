import { UploadOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useState } from 'react'
import { useMay } from '../../../data/session.ts'
import { useDepartments } from '../../../domain/department/use-department-filter.tsx'
import { useT } from '../../../lib/i18n/i18n.ts'
import { ImportUsers } from './import-users.tsx'

/** Button that imports users from a file; needs the right to create users. */
export function ImportButton() {
  const t = useT()
  const mayCreate = useMay('user', 'Create')
  const departments = useDepartments()
  const [importing, setImporting] = useState(false)
  if (!mayCreate) return null
  return (
    <>
      <Button icon={<UploadOutlined />} onClick={() => setImporting(true)}>
        {t('people:import.button')}
      </Button>
      {importing && <ImportUsers departments={departments} close={() => setImporting(false)} />}
    </>
  )
}
