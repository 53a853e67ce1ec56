import { Card, Form } from 'antd'
import { useNavigate } from 'react-router'
import { right } from '../../../contract/features.ts'
import { employee } from '../../../contract/resources/employee.ts'
import { AccessForm } from '../../domain/access/access-form.tsx'
import styles from '../../domain/access/access.module.css'
import { pathTo } from '../../paths.ts'
import { call } from '../../data/api.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { notices } from '../../data/notices.ts'
import { EmployeeFields } from './employee-fields.tsx'
import { toEmployee } from './employee-values.ts'

/** /CreateEmployee. */
export default function CreateEmployee() {
  const t = useT()
  const navigate = useNavigate()
  const [form] = Form.useForm()
  const list = pathTo('EmployeeManagement')
  return (
    <section className={`${styles.page} ${styles.narrow}`}>
      <header className={styles.header}>
        <h1>{t('shell:pages.CreateEmployee')}</h1>
      </header>
      <Card>
        <AccessForm
          form={form}
          initial={{ Active: true }}
          right={right('access_control_employee', 'Create')}
          cancelTo={list}
          submitText={t('screens:save')}
          submit={async (values) => {
            await call(employee.operations.create, toEmployee(values))
          }}
          saved={() => {
            notices.success(() => t('screens:created'))
            void navigate(list)
          }}
        >
          <EmployeeFields />
        </AccessForm>
      </Card>
    </section>
  )
}
