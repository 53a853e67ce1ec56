import { useCan, useList, type BaseRecord, type HttpError } from '@refinedev/core'
import { Alert, Button, Card, Input, InputNumber, Switch } from 'antd'
import { Link, useNavigate, useParams } from 'react-router'
import { user, type User } from '../../../contract/resources/user.ts'
import { displayName } from '../../../contract/rules/display-name.ts'
import { pathTo } from '../../paths.ts'
import { useT } from '../../providers/i18n.ts'
import { useMe } from '../../providers/session.ts'
import styles from '../../ui/crud/crud.module.css'
import { RecordForm, type FormField } from '../../ui/crud/record-form.tsx'
import { refreshAfter } from '../../ui/crud/refresh-after.ts'
import { ListSkeleton, LoadFailed, Nothing } from '../../ui/crud/states.tsx'
import { useLeaveGuard } from '../../ui/crud/use-leave-guard.ts'
import { useRecordForm } from '../../ui/crud/use-record-form.ts'
import { FormSelect } from '../../ui/form-select.tsx'
import { PermissionMatrix } from './permission-matrix.tsx'
import { useDepartments } from './use-departments.ts'

/** Adds a person (/user/add) or changes one (/user/{userID}), with their rights. */
export default function UserPage() {
  const { userID } = useParams()
  const { query } = useList<User & BaseRecord, HttpError>({
    resource: user.name,
    pagination: { mode: 'off' },
    liveMode: 'auto',
    errorNotification: false,
    queryOptions: { enabled: userID !== undefined },
  })
  if (userID === undefined) return <UserForm person={undefined} />
  if (!query.data)
    return query.error ? (
      <LoadFailed error={query.error} retry={() => void query.refetch()} />
    ) : (
      <ListSkeleton rows={10} />
    )
  const person = query.data.data.find(({ CognitoId }) => CognitoId === userID)
  return person ? <UserForm key={userID} person={person} /> : <Gone />
}

/** The address of a person who is not there (any more). */
function Gone() {
  const t = useT()
  return (
    <section className={styles.formWide}>
      <header className={styles.header}>
        <h1>{t('resources:user.list')}</h1>
      </header>
      <Nothing
        why={t('resources:user.gone')}
        next={<Link to={pathTo('UserListing')}>{t('resources:user.toList')}</Link>}
      />
    </section>
  )
}

function UserForm({ person }: { person: User | undefined }) {
  const t = useT()
  const navigate = useNavigate()
  const { form, busy, save } = useRecordForm(user, person)
  const guard = useLeaveGuard()
  const me = useMe()
  const isOwner = person !== undefined && person.CognitoId === me?.RootCognitoId
  const may = useCan({ resource: user.name, action: person ? 'edit' : 'create' }).data?.can
  const departments = useDepartments()
  const list = pathTo('UserListing')

  const fields: FormField[] = [
    ...(person ? [] : ['Email']),
    'LastName',
    'FirstName',
    'nickname',
    {
      name: 'DepartmentID',
      input: (
        <FormSelect
          allowClear
          showSearch
          optionFilterProp="label"
          options={departments.map(({ DepartmentID, Department }) => ({
            value: DepartmentID,
            label: Department,
          }))}
        />
      ),
    },
    { name: 'rank', input: <InputNumber min={0} max={99} precision={0} style={{ width: '100%' }} /> },
    // One's own password is changed in the personal settings, with the present one.
    ...(person && person.CognitoId === me?.CognitoId
      ? []
      : [{ name: 'password', input: <Input.Password autoComplete="new-password" /> }]),
    ...(isOwner
      ? []
      : [
          { name: 'enabled', input: <Switch />, valuePropName: 'checked', wide: true },
          { name: 'Permissions', input: <PermissionMatrix />, wide: true },
        ]),
  ]

  const submit = async (values: Record<string, unknown>) => {
    const { password, ...rest } = values
    await save({
      ...rest,
      DepartmentID: rest['DepartmentID'] ?? null,
      rank: rest['rank'] ?? 0,
      ...(password ? { password } : {}),
    })
    guard.setDirty(false)
    await refreshAfter('user')
    void navigate(list)
  }

  return (
    <section className={styles.formWide}>
      <header className={styles.header}>
        <h1>{person ? displayName(person) : t('resources:user.create')}</h1>
        {person && <span className={styles.count}>{person.Email}</span>}
      </header>
      {isOwner && (
        <Alert showIcon type="info" message={t('resources:user.ownerNote')} style={{ marginBottom: 16 }} />
      )}
      {person && !isOwner && (
        <Alert showIcon type="info" message={t('resources:user.signOutNote')} style={{ marginBottom: 16 }} />
      )}
      <Card>
        <RecordForm
          resource="user"
          schema={person ? user.operations.update.input : user.operations.create.input}
          fields={fields}
          form={form}
          columns
          initial={person ?? { enabled: true, rank: 0, Permissions: [] }}
          submit={submit}
          onDirty={guard.setDirty}
        >
          <div className={styles.actions}>
            <Button onClick={() => void navigate(list)}>{t('screens:cancel')}</Button>
            <Button type="primary" htmlType="submit" loading={busy} disabled={!may}>
              {t('screens:save')}
            </Button>
          </div>
        </RecordForm>
      </Card>
    </section>
  )
}
