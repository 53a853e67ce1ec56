import { useQuery } from '@tanstack/react-query'
import { Button, Card, Form } from 'antd'
import { useState, type FC } from 'react'
import { Link, useNavigate, useParams } from 'react-router'
import { right } from '../../../contract/features.ts'
import { accessControl } from '../../../contract/procedures/access-control.ts'
import { employee as resource, type EmployeeRow } from '../../../contract/resources/employee.ts'
import { AccessForm } from '../../domain/access/access-form.tsx'
import styles from '../../domain/access/access.module.css'
import { pathTo } from '../../paths.ts'
import { call, callQuery } from '../../data/api.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { notices } from '../../data/notices.ts'
import { callErrorIn } from '../../data/post.ts'
import { useMay } from '../../data/session.ts'
import { useConfirmRemoval } from '../../ui/page/confirm-removal.tsx'
import { changesBetween } from '../../record-kit/record-conflict.tsx'
import { ListSkeleton, LoadFailed } from '../../ui/page/states.tsx'
import { useBase } from '../../record-kit/use-base.ts'
import { MessagePage } from '../../ui/page/message-page.tsx'
import { PictureUpload } from '../../ui/inputs/picture-upload.tsx'
import { EmployeeFields } from './employee-fields.tsx'
import { EmployeePass } from './employee-pass.tsx'
import { fromEmployee, toEmployee } from './employee-values.ts'
import { useEmployeeWords } from './use-employee-words.ts'

/** /EmployeeEdit/{employeeID}: one employee with photo and pass. */
export default function EmployeeEdit() {
  const t = useT()
  const { employeeID = '' } = useParams()
  const query = useQuery({
    ...callQuery(resource.operations.get, { EmployeeID: employeeID }),
  })
  if (query.data) return <Person key={employeeID} employee={query.data} />
  if (!query.error) return <ListSkeleton rows={8} />
  const failure = callErrorIn(query.error)?.failure
  return failure === 'NOT_FOUND' || failure === 'INVALID' ? (
    <MessagePage
      title={t('access:employee.gone')}
      actions={<Link to={pathTo('EmployeeManagement')}>{t('access:employee.toList')}</Link>}
    />
  ) : (
    <LoadFailed error={query.error} retry={() => void query.refetch()} />
  )
}

const Person: FC<{ employee: EmployeeRow }> = ({ employee }) => {
  const t = useT()
  const navigate = useNavigate()
  const [form] = Form.useForm()
  const [showsPass, setShowsPass] = useState(false)
  const confirmRemoval = useConfirmRemoval()
  const mayUpdate = useMay('access_control_employee', 'Update')
  const mayDelete = useMay('access_control_employee', 'Delete')
  const list = pathTo('EmployeeManagement')
  const { EmployeeID, EmployeeName: name } = employee
  const { base, theirs, stand, save } = useBase(employee)
  const words = useEmployeeWords()
  return (
    <section className={`${styles.page} ${styles.narrow}`}>
      <header className={styles.header}>
        <h1>{name}</h1>
        <div className={styles.tools}>
          <Button onClick={() => setShowsPass(true)}>{t('access:pass.show')}</Button>
          {mayDelete && (
            <Button
              danger
              onClick={() =>
                confirmRemoval({
                  name,
                  consequence: t('access:employee.consequence'),
                  remove: async () => {
                    await call(resource.operations.remove, { EmployeeID })
                    void navigate(list)
                  },
                })
              }
            >
              {t('screens:remove.ok')}
            </Button>
          )}
        </div>
      </header>
      <Card title={t('access:employee.photo')}>
        {mayUpdate ? (
          <PictureUpload
            alt={name}
            url={employee.PhotoUrl}
            target={(ContentType) => call(accessControl.uploadEmployeePhoto, { EmployeeID, ContentType })}
            remove={async () => {
              await call(accessControl.deleteEmployeePhoto, { EmployeeID })
            }}
          />
        ) : employee.PhotoUrl ? (
          <img src={employee.PhotoUrl} alt={name} style={{ maxWidth: '100%', maxHeight: 180 }} />
        ) : (
          <p className={styles.note}>{t('screens:picture.none')}</p>
        )}
      </Card>
      <Card>
        <AccessForm
          form={form}
          initial={fromEmployee(employee)}
          right={right('access_control_employee', 'Update')}
          cancelTo={list}
          submitText={t('screens:save')}
          conflict={
            theirs && {
              changes: changesBetween(base, theirs, words),
              values: fromEmployee(theirs),
              stand: () => stand(theirs),
            }
          }
          submit={async (values) => {
            const { Version } = base
            const saved = await save(() =>
              call(resource.operations.update, { EmployeeID, ...toEmployee(values), Version }),
            )
            return saved
          }}
          saved={() => {
            notices.success(() => t('screens:updated'))
            void navigate(list)
          }}
        >
          <EmployeeFields />
        </AccessForm>
      </Card>
      {showsPass && <EmployeePass employee={employee} close={() => setShowsPass(false)} />}
    </section>
  )
}
