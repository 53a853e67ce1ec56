import { Alert, Button, Switch } from 'antd'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { accessControl } from '../../../contract/access-control/calls.ts'
import { visitor } from '../../../contract/access-control/visitor.ts'
import { formatPhone } from '../../../contract/access-control/access-pass.ts'
import { call, type ResultsOf } from '../../data/api.ts'
import { t as words, useT } from '../../lib/i18n/i18n.ts'
import { pathTo } from '../../navigation/paths.ts'
import { FormCard, RecordPage } from '../../record-kit/record-page.tsx'
import { useRecordForm } from '../../record-kit/use-record-form.ts'
import { useFormZone } from './use-form-zone.ts'
import { useVisitorFields } from './use-visitor-fields.tsx'
import { FIELD_NAMES, newVisit, toVisitor } from './visitor-values.ts'

type Former = NonNullable<ResultsOf<typeof accessControl.findFormerVisitor>>

/** Page that registers a visit; a former visitor's data can be filled in from their last visit. */
export function VisitorRegister() {
  const t = useT()
  const zone = useFormZone()
  const navigate = useNavigate()
  const [former, setFormer] = useState<Former>()
  const [host, setHost] = useState<{ id: string; name: string }>()
  const [initial] = useState(() => ({ ...newVisit(zone), MailPass: true }))
  const edited = useRecordForm('visitor', undefined, {
    toInput: (values) => ({ ...toVisitor(values, zone), MailPass: values['MailPass'] === true }),
    done: (row) => words('access:visitor.registered', { name: row['VisitorName'] as string }),
  })
  const { form } = edited
  const mail = {
    name: 'MailPass',
    label: t('access:visitor.mailPass'),
    input: <Switch />,
    valuePropName: 'checked',
    isWide: true,
  }

  async function lookFor(by: 'Email' | 'Phone') {
    const value = String(form.getFieldValue(by) ?? '')
    if (!visitor.operations.create.input.shape[by].safeParse(value).success) return
    // The search does not change the form; a failure counts as no match.
    const found = await call(accessControl.findFormerVisitor, { [by]: value }).catch(() => null)
    setFormer(found ?? undefined)
  }
  const fields = useVisitorFields({ host, onContact: (by) => void lookFor(by) })

  function fillIn({ HostName, Visits: _visits, ...last }: Former) {
    form.setFieldsValue({ ...last, Phone: formatPhone(last.Phone) })
    if (last.HostEmployeeID && HostName) setHost({ id: last.HostEmployeeID, name: HostName })
    setFormer(undefined)
  }

  return (
    <RecordPage title={t('shell:pages.VisitorRegister')}>
      {/* Always rendered, so that the layout below does not shift while the user clicks. */}
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
      <FormCard
        resource="visitor"
        formState={edited}
        record={undefined}
        fields={[...fields, mail]}
        initial={initial}
        names={FIELD_NAMES}
        submitText={t('access:visitor.register')}
        cancelTo={pathTo('VisitorManagement')}
        submit={async (values) => {
          const row = await edited.save(values)
          if (row) void navigate(pathTo('VisitorEdit', { visitorID: row['VisitorID'] as string }))
        }}
      />
    </RecordPage>
  )
}
