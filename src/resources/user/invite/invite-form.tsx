import { Alert, Card, Form, Input } from 'antd'
import { useState, type FC } from 'react'
import { useNavigate } from 'react-router'
import { right, type Permission } from '../../../../contract/kernel/permissions.ts'
import { PERMISSION_TEMPLATES } from '../../../../contract/people/permission-templates.ts'
import { useMailEnabled } from '../../../data/gateway-features.ts'
import { notices } from '../../../data/notices.ts'
import { useMay } from '../../../data/session.ts'
import { useAction } from '../../../data/use-action.ts'
import { t as words, useLanguage, useT } from '../../../lib/i18n/i18n.ts'
import { pathTo } from '../../../navigation/paths.ts'
import { MissingRight } from '../../../ui/page/missing-right.tsx'
import page from '../../../ui/page/page.module.css'
import { useLeaveGuard } from '../../../ui/page/leave-guards.ts'
import { invitePeople, type Outcome, type Invitation } from './invite-people.ts'
import { Refused, Links } from './outcomes.tsx'
import { RightsField } from '../rights/rights-field.tsx'
import { useGrantable } from '../rights/permission-matrix-rules.ts'
import { MAX_INVITATIONS_PER_CALL } from '../../../../contract/people/invitation-calls.ts'
import { user } from '../../../../contract/people/user.ts'
import { useDepartments } from '../../../domain/department/use-department-filter.tsx'
import { LANGUAGES } from '../../../lib/i18n/words.ts'
import { maxLengthOf } from '../../../record-kit/field-rules.ts'
import { FormSelect } from '../../../ui/inputs/form-select.tsx'
import formStyles from '../../../record-kit/form.module.css'
import { holdsLabel } from '../../../lib/match-words.ts'
import { Email } from '../../../../contract/kernel/scalars.ts'
import { FormActions } from '../../../record-kit/form-actions.tsx'
import { OptionalMark } from '../../../record-kit/record-form.tsx'
import { RecordPage } from '../../../record-kit/record-page.tsx'
import { ButtonLink } from '../../../ui/plain/plain-button.tsx'

/** Error in entered addresses; `address` is the first invalid one. */
type AddressFault = { fault: 'required' | 'tooMany' } | { fault: 'email'; address: string }

/**
 * Parses addresses separated by spaces, commas, semicolons or lines, some as `Name <address>`. Returns them in lower case, without
 * duplicates, in the order given.
 */
export function readAddresses(text: string): readonly string[] | AddressFault {
  const words = text.split(/[\s,;，；、]+/).filter(Boolean)
  const bracketed = words.some((word) => /^<.+>$/.test(word))
  // In "Wang Da-ming <ming@example.com>", words outside the brackets are a name.
  const candidates = bracketed ? words.filter((word) => word.includes('@')) : words
  const addresses = new Set<string>()
  for (const word of candidates) {
    const read = Email.safeParse(word.replace(/^<(.+)>$/, '$1'))
    if (!read.success) return { fault: 'email', address: word }
    addresses.add(read.data)
  }
  if (addresses.size === 0) return { fault: 'required' }
  return addresses.size > MAX_INVITATIONS_PER_CALL ? { fault: 'tooMany' } : [...addresses]
}

export const isRead = (read: readonly string[] | AddressFault): read is readonly string[] =>
  Array.isArray(read)

type InviteValues = Pick<Invitation, 'FirstName' | 'LastName' | 'Language' | 'Permissions'> & {
  emails: string
  DepartmentID?: string
}

/** Error message for a list of addresses. */
function inWords(read: AddressFault): string {
  if (read.fault === 'email') return words('people:invite.noAddress', { address: read.address })
  return read.fault === 'required'
    ? words('errors:fields.required')
    : words('people:invite.tooMany', { count: MAX_INVITATIONS_PER_CALL })
}

const checkAddresses = (_: unknown, text: string | undefined) => {
  const read = readAddresses(text ?? '')
  return isRead(read) ? Promise.resolve() : Promise.reject(new Error(inWords(read)))
}

/** Fields of an invitation; several people have no name fields, because each enters their own. */
const InviteFields: FC<{ hasSeveral: boolean }> = ({ hasSeveral }) => {
  const t = useT()
  const departments = useDepartments()
  const maxNameLength = maxLengthOf(user.record.shape.FirstName)
  const name = (field: 'LastName' | 'FirstName') => (
    <Form.Item name={field} label={t(`resources:user.fields.${field}`)} hidden={hasSeveral}>
      <Input {...(maxNameLength !== undefined && { maxLength: maxNameLength })} autoComplete="off" />
    </Form.Item>
  )
  return (
    <div className={formStyles.columns}>
      <Form.Item
        className={page.wholeRow ?? ''}
        name="emails"
        label={t('people:invite.emails')}
        extra={t('people:invite.emailsNote', { count: MAX_INVITATIONS_PER_CALL })}
        validateTrigger={['onBlur', 'onSubmit']}
        rules={[{ required: true, validator: checkAddresses }]}
      >
        <Input.TextArea autoSize={{ minRows: 1, maxRows: 8 }} autoComplete="off" spellCheck={false} />
      </Form.Item>
      {name('LastName')}
      {name('FirstName')}
      <Form.Item name="DepartmentID" label={t('resources:user.fields.DepartmentID')}>
        <FormSelect
          allowClear
          showSearch
          filterOption={holdsLabel}
          options={departments.map(({ DepartmentID, Department }) => ({
            value: DepartmentID,
            label: Department,
          }))}
        />
      </Form.Item>
      <Form.Item name="Language" label={t('people:invite.language')} required>
        <FormSelect options={LANGUAGES.map((value) => ({ value, label: t(`shell:language.${value}`) }))} />
      </Form.Item>
    </div>
  )
}

interface Props {
  /** Failed outcomes of an earlier attempt. */
  previousOutcomes: readonly Outcome[]
  /** Receives the outcomes if the links must be passed on by hand. */
  onInvited: (outcomes: readonly Outcome[]) => void
}

const NO_PERMISSIONS: readonly Permission[] = []
const DEFAULT_TEMPLATE = 'viewer'

/** Form of an invitation. Addresses that fail stay in it, with the reason. */
const InviteForm: FC<Props> = ({ previousOutcomes, onInvited: handOn }) => {
  const t = useT()
  const navigate = useNavigate()
  const may = useMay('user', 'Create')
  const mailGoesOut = useMailEnabled()
  const [form] = Form.useForm<InviteValues>()
  const { limit } = useGrantable(NO_PERMISSIONS)
  const [refused, setRefused] = useState(previousOutcomes)
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
      emails: addresses,
    })
    if (!outcomes) return
    const failed = outcomes.filter(({ invited }) => !invited)
    const sentCount = outcomes.length - failed.length
    setDirty(false)
    if (outcomes.some(({ invited }) => invited?.Link !== undefined)) return handOn(outcomes)
    if (sentCount > 0) notices.success(() => words('people:invite.sent', { count: sentCount }))
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
        requiredMark={OptionalMark}
        disabled={!may}
        initialValues={{
          Language: useLanguage(),
          FirstName: '',
          LastName: '',
          Permissions: limit(PERMISSION_TEMPLATES[DEFAULT_TEMPLATE]).permissions,
          emails: previousOutcomes.map(({ email }) => email).join('\n'),
        }}
        onValuesChange={() => setDirty(true)}
        onFinish={(values) => void invite(values)}
      >
        <div className={page.stack}>
          {!mailGoesOut && <Alert showIcon type="info" message={t('people:invite.noMail')} />}
          <InviteFields hasSeveral={count > 1} />
          <Form.Item name="Permissions" noStyle>
            <RightsField heldPermissions={NO_PERMISSIONS} of={undefined} initialTemplate={DEFAULT_TEMPLATE} />
          </Form.Item>
          {refused.length > 0 && <Refused outcomes={refused} />}
          <FormActions
            cancel={() => void navigate(pathTo('UserListing'))}
            saveText={t(mailGoesOut ? 'people:invite.submit' : 'people:invite.makeLink', { count })}
            busy={busy}
            disabled={!may}
          />
        </div>
      </Form>
    </Card>
  )
}

/** Query value of the form with an initial password, for people without email or who must sign in at once. */
export const BY_PASSWORD = 'password'

/** Page that invites one or many people with their rights, and shows the links if the gateway sends no email. */
export function InvitePage() {
  const t = useT()
  const [links, setLinks] = useState<readonly Outcome[]>()
  const [previousOutcomes, setPreviousOutcomes] = useState<readonly Outcome[]>([])
  return (
    <RecordPage
      title={t('resources:user.create')}
      head={
        <ButtonLink to={`${pathTo('addUser')}?by=${BY_PASSWORD}`}>{t('people:invite.byPassword')}</ButtonLink>
      }
    >
      {links ? (
        <Links
          outcomes={links}
          onInviteMore={() => {
            setPreviousOutcomes(links.filter(({ invited }) => !invited))
            setLinks(undefined)
          }}
        />
      ) : (
        <InviteForm previousOutcomes={previousOutcomes} onInvited={setLinks} />
      )}
    </RecordPage>
  )
}
