import { Card } from 'antd'
import type { FC } from 'react'
import { accessControl } from '../../../contract/access-control/calls.ts'
import type { EmployeeRow } from '../../../contract/access-control/employee.ts'
import { call } from '../../data/api.ts'
import { useMay } from '../../data/session.ts'
import styles from '../../domain/access/access.module.css'
import { useT } from '../../lib/i18n/i18n.ts'
import { PictureUpload } from '../../ui/inputs/picture-upload.tsx'

/** An employee's photo; users with the right can replace it, which takes effect at once. */
export const EmployeePhoto: FC<{ record: EmployeeRow }> = ({ record }) => {
  const t = useT()
  const mayUpdate = useMay('access_control_employee', 'Update')
  const { EmployeeID, EmployeeName: name, PhotoUrl } = record
  return (
    <Card title={t('access:employee.photo')}>
      {mayUpdate ? (
        <PictureUpload
          alt={name}
          url={PhotoUrl}
          target={(ContentType) => call(accessControl.uploadEmployeePhoto, { EmployeeID, ContentType })}
          remove={async () => {
            await call(accessControl.deleteEmployeePhoto, { EmployeeID })
          }}
        />
      ) : PhotoUrl ? (
        <img src={PhotoUrl} alt={name} style={{ maxWidth: '100%', maxHeight: 180 }} />
      ) : (
        <p className={styles.note}>{t('screens:picture.none')}</p>
      )}
    </Card>
  )
}
