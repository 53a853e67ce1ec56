import { Alert, Button, Card, Form, Switch } from 'antd'
import { useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { right } from '../../../contract/features.ts'
import { accessControl } from '../../../contract/procedures/access-control.ts'
import { visitor } from '../../../contract/resources/visitor.ts'
import { formatPhone } from '../../../contract/rules/access-pass.ts'
import { AccessForm } from '../../domain/access/access-form.tsx'
import styles from '../../domain/access/access.module.css'
import { pathTo } from '../../paths.ts'
import { call, type ResultsOf } from '../../data/api.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { notices } from '../../data/notices.ts'
import { useFormZone } from './use-form-zone.ts'
import { VisitorFields } from './visitor-fields.tsx'
import { FIELD_NAMES, newVisit, toVisitor } from './visitor-values.ts'

type Former = NonNullable<ResultsOf<typeof accessControl.findFormerVisitor>>

/** /VisitorRegister: a new visit; who was here before is filled in from the last one. */
export default function VisitorRegister() {
  const t = useT()
  const zone = useFormZone()
  const navigate = useNavigate()
  const [form] = Form.useForm()
  const [former, setFormer] = useState<Former>()
  const [host, setHost] = useState<{ id: string; name: string }>()
  const [initial] = useState(() => ({ ...newVisit(zone), MailPass: true }))
  const made = useRef('')

  async function lookFor(by: 'Email' | 'Phone') {
    const value = String(form.getFieldValue(by) ?? '')
    if (!visitor.operations.create.input.shape[by].safeParse(value).success) return
    // What somebody has filled in stays; not finding anybody is no fault.
    const found = await call(accessControl.findFormerVisitor, { [by]: value }).catch(() => null)
    setFormer(found ?? undefined)
  }

  function fillIn({ HostName, Visits: _visits, ...last }: Former) {
    form.setFieldsValue({ ...last, Phone: formatPhone(last.Phone) })
    if (last.HostEmployeeID && HostName) setHost({ id: last.HostEmployeeID, name: HostName })
    setFormer(undefined)
  }

  return (
    <section className={`${styles.page} ${styles.narrow}`}>
      <header className={styles.header}>
        <h1>{t('shell:pages.VisitorRegister')}</h1>
      </header>
      {/* Stands there from the beginning: what is below must not move while somebody presses it. */}
      <Alert
        showIcon
        type="info"
        message={
          former
            ? t('access:visitor.former', { name: former.VisitorName, visits: former.Visits })
            : t('access:visitor.formerHint')
        }
        action={
          <Button disabled={!former} onClick={() => former && fillIn(former)}>
            {t('access:visitor.fillIn')}
          </Button>
        }
      />
      <Card>
        <AccessForm
          form={form}
          initial={initial}
          right={right('access_control_visitor', 'Create')}
          cancelTo={pathTo('VisitorManagement')}
          submitText={t('access:visitor.register')}
          names={FIELD_NAMES}
          submit={async (values) => {
            const MailPass = values['MailPass'] === true
            const row = await call(visitor.operations.create, { ...toVisitor(values, zone), MailPass })
            made.current = row.VisitorID
            notices.success(() => t('access:visitor.registered', { name: row.VisitorName }))
          }}
          saved={() => void navigate(pathTo('VisitorEdit', { visitorID: made.current }))}
        >
          <VisitorFields chosenHost={host} onContact={(by) => void lookFor(by)} />
          <Form.Item
            name="MailPass"
            label={t('access:visitor.mailPass')}
            valuePropName="checked"
            className={styles.wide ?? ''}
          >
            <Switch />
          </Form.Item>
        </AccessForm>
      </Card>
    </section>
  )
}
