import { Alert, Button, Card, Form } from 'antd'
import { useState, type FC } from 'react'
import { useNavigate } from 'react-router'
import { right } from '../../../../contract/kernel/permissions.ts'
import { useMailEnabled } from '../../../data/mail-enabled.ts'
import { notices } from '../../../data/notices.ts'
import { useMay } from '../../../data/session.ts'
import { useAction } from '../../../data/use-action.ts'
import { t as words, useLanguage, useT } from '../../../lib/i18n/i18n.ts'
import { pathTo } from '../../../navigation/paths.ts'
import { MissingRight } from '../../../ui/page/missing-right.tsx'
import page from '../../../ui/page/page.module.css'
import { useLeaveGuard } from '../../../ui/page/use-leave-guard.ts'
import { InviteFields, type InviteValues } from './invite-fields.tsx'
import { invitePeople, type Outcome } from './invite-people.ts'
import { Refused } from './outcomes.tsx'
import { isRead, readAddresses } from './read-addresses.ts'
import { RightsChoice, useRights } from './rights-choice.tsx'

interface Props {
  /** Failed outcomes of an earlier attempt. */
  again: readonly Outcome[]
  /** Receives the outcomes if the links must be passed on by hand. */
  handOn: (outcomes: readonly Outcome[]) => void
}

/** Form of an invitation. Addresses that fail stay in it, with the reason. */
export const InviteForm: FC<Props> = ({ again, handOn }) => {
  const t = useT()
  const navigate = useNavigate()
  const may = useMay('user', 'Create')
  const mailGoesOut = useMailEnabled()
  const [form] = Form.useForm<InviteValues>()
  const rights = useRights()
  const [refused, setRefused] = useState(again)
  const { setDirty } = useLeaveGuard()
  const read = readAddresses(Form.useWatch('emails', form) ?? '')
  const count = isRead(read) ? read.length : 1
  const { busy, run } = useAction(invitePeople)

  const invite = async ({ emails, DepartmentID, ...values }: InviteValues) => {
    const addresses = readAddresses(emails)
    if (!isRead(addresses)) return
    setRefused([])
    const outcomes = await run({
      ...values,
      DepartmentID: DepartmentID ?? null,
      Permissions: rights.permissions,
      emails: addresses,
    })
    if (!outcomes) return
    const failed = outcomes.filter(({ invited }) => !invited)
    const done = outcomes.length - failed.length
    setDirty(false)
    if (outcomes.some(({ invited }) => invited?.Link !== undefined)) return handOn(outcomes)
    if (done > 0) notices.success(() => words('people:invite.sent', { count: done }))
    if (failed.length === 0) return void navigate(pathTo('UserListing'))
    setRefused(failed)
    setDirty(true)
    form.setFieldValue('emails', failed.map(({ email }) => email).join('\n'))
  }
  return (
    <Card>
      {!may && <MissingRight right={right('user', 'Create')} />}
      <Form<InviteValues>
        form={form}
        layout="vertical"
        disabled={!may}
        initialValues={{
          Language: useLanguage(),
          FirstName: '',
          LastName: '',
          emails: again.map(({ email }) => email).join('\n'),
        }}
        onValuesChange={() => setDirty(true)}
        onFinish={(values) => void invite(values)}
      >
        <div className={page.stack}>
          {!mailGoesOut && <Alert showIcon type="info" message={t('people:invite.noMail')} />}
          <InviteFields several={count > 1} />
          <RightsChoice {...rights} />
          {refused.length > 0 && <Refused outcomes={refused} />}
          <div className={page.actions}>
            <Button disabled={false} onClick={() => void navigate(pathTo('UserListing'))}>
              {t('screens:cancel')}
            </Button>
            <Button type="primary" htmlType="submit" loading={busy} disabled={!may}>
              {t(mailGoesOut ? 'people:invite.submit' : 'people:invite.makeLink', { count })}
            </Button>
          </div>
        </div>
      </Form>
    </Card>
  )
}
