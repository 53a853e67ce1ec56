import { Button, Card, Form } from 'antd'
import { useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { right } from '../../../contract/features.ts'
import { scanner, type ScannerCredentials as Credentials } from '../../../contract/resources/scanner.ts'
import { AccessForm } from '../../domain/access/access-form.tsx'
import styles from '../../domain/access/access.module.css'
import { Field } from '../../domain/access/field.tsx'
import { pathTo } from '../../paths.ts'
import { call } from '../../data/api.ts'
import { useCurrentHome, useHomes } from '../../data/homes.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { ListSkeleton, Nothing } from '../../ui/page/states.tsx'
import { FormSelect } from '../../ui/inputs/form-select.tsx'
import { ScannerCredentials } from './scanner-credentials.tsx'
import { ScannerFields } from './scanner-fields.tsx'

/** /CreateScanner: adds a scanner and shows its credentials, this once. */
export default function CreateScanner() {
  const t = useT()
  const navigate = useNavigate()
  const homes = useHomes()
  const current = useCurrentHome()
  const [form] = Form.useForm()
  const [made, setMade] = useState<Credentials>()
  const list = pathTo('ScannerManagement')
  return (
    <section className={`${styles.page} ${styles.narrow}`}>
      <header className={styles.header}>
        <h1>{t('shell:pages.CreateScanner')}</h1>
      </header>
      {made ? (
        <Card>
          <ScannerCredentials made={made} />
          <div className={styles.actions}>
            <Link to={pathTo('ScannerEmployeeList', { deviceName: made.ThingName })}>
              {t('shell:pages.ScannerEmployeeList')}
            </Link>
            <Button type="primary" onClick={() => void navigate(list)}>
              {t('access:scanner.done')}
            </Button>
          </div>
        </Card>
      ) : !homes ? (
        <ListSkeleton />
      ) : homes.length === 0 ? (
        <Nothing
          why={t('access:scanner.noHome')}
          next={<Link to={pathTo('CreateHome')}>{t('shell:pages.CreateHome')}</Link>}
        />
      ) : (
        <Card>
          <AccessForm
            form={form}
            initial={{
              HomeID: current?.HomeID ?? homes[0]?.HomeID,
              Direction: 'both',
              AllEmployees: true,
              AllowVisitors: true,
            }}
            right={right('access_control_scanner', 'Create')}
            cancelTo={list}
            submitText={t('shell:pages.CreateScanner')}
            submit={async (values) => {
              const input = scanner.operations.create.input.parse(values)
              setMade(await call(scanner.operations.create, input))
            }}
            saved={() => {}}
          >
            <Field
              name="HomeID"
              label={t('access:fields.HomeID')}
              rule={scanner.operations.create.input.shape.HomeID}
            >
              <FormSelect
                options={homes.map(({ HomeID, HomeName }) => ({ value: HomeID, label: HomeName }))}
              />
            </Field>
            <ScannerFields />
          </AccessForm>
        </Card>
      )}
    </section>
  )
}
