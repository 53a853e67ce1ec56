import { useQuery } from '@tanstack/react-query'
import { Alert, App, Button, Card, Input, InputNumber, Switch } from 'antd'
import { useState } from 'react'
import { Link, useNavigate, useParams } from 'react-router'
import { right } from '../../../contract/features.ts'
import { user, type User } from '../../../contract/resources/user.ts'
import { displayName } from '../../../contract/rules/display-name.ts'
import { pathTo } from '../../paths.ts'
import { callQuery } from '../../data/api.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { callErrorIn } from '../../data/post.ts'
import { useMay, useMe } from '../../data/session.ts'
import { MissingRight } from '../../shell/missing-right.tsx'
import styles from '../../record-kit/crud.module.css'
import { RecordForm, type FormField } from '../../record-kit/record-form.tsx'
import { ListSkeleton, LoadFailed, Nothing } from '../../ui/page/states.tsx'
import { useBase } from '../../record-kit/use-base.ts'
import { useLeaveGuard } from '../../ui/page/use-leave-guard.ts'
import { useRecordForm } from '../../record-kit/use-record-form.ts'
import { FormSelect } from '../../ui/inputs/form-select.tsx'
import { difference } from './permission-matrix-rules.ts'
import { RightsChange } from './rights-change.tsx'
import { RightsField } from './rights-field.tsx'
import { useDepartments } from '../../domain/department/use-departments.ts'
import { UserConflict } from './user-conflict.tsx'
import { ViewAs } from './view-as.tsx'

/** Adds a person (/user/add) or changes one (/user/{userID}), with their rights. */
export default function UserPage() {
  const { userID } = useParams()
  return userID === undefined ? (
    <UserForm person={undefined} departed={false} />
  ) : (
    <Existing key={userID} CognitoId={userID} />
  )
}

function Existing({ CognitoId }: { CognitoId: string }) {
  const query = useQuery(callQuery(user.operations.get, { CognitoId }))
  const failure = callErrorIn(query.error)?.failure
  // An address that is no id is nobody's either.
  const gone = failure === 'NOT_FOUND' || failure === 'INVALID'
  if (query.data) return <UserForm person={query.data} departed={gone} />
  if (gone) return <Gone />
  return query.error ? (
    <LoadFailed error={query.error} retry={() => void query.refetch()} />
  ) : (
    <ListSkeleton rows={10} />
  )
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

/** departed  Whether somebody else has deleted the person meanwhile. */
function UserForm({ person, departed }: { person: User | undefined; departed: boolean }) {
  const t = useT()
  const navigate = useNavigate()
  const { modal } = App.useApp()
  const { base, theirs, stand, save: saveOnce } = useBase(person)
  const [viewed, setViewed] = useState<Pick<User, 'Permissions' | 'enabled'>>()
  const { form, busy, save } = useRecordForm(user, base)
  const guard = useLeaveGuard()
  const me = useMe()
  const isOwner = base !== undefined && base.CognitoId === me?.RootCognitoId
  const isSelf = base !== undefined && base.CognitoId === me?.CognitoId
  const needed = right('user', base ? 'Update' : 'Create')
  const may = useMay(needed.feature, needed.operation)
  const departments = useDepartments()
  const list = pathTo('UserListing')

  const fields: FormField[] = [
    ...(base ? [] : ['Email']),
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
    ...(isSelf ? [] : [{ name: 'password', input: <Input.Password autoComplete="new-password" /> }]),
    // The owner has every right, and nobody changes their own.
    ...(isOwner || isSelf
      ? []
      : [
          { name: 'enabled', input: <Switch />, valuePropName: 'checked', wide: true },
          {
            name: 'Permissions',
            input: <RightsField held={base?.Permissions ?? []} of={base?.CognitoId} />,
            wide: true,
          },
        ]),
  ]

  /** Asks before rights change: what is added, what is taken away, and that it signs the person out. */
  const agreed = (next: Partial<User>) =>
    new Promise<boolean>((resolve) => {
      const change = base && next.Permissions && difference(base.Permissions, next.Permissions)
      const disables = base?.enabled === true && next.enabled === false
      if (!base || !((change && change.added.length + change.removed.length > 0) || disables))
        return resolve(true)
      void modal.confirm({
        title: t('people:rights.confirm', { name: displayName(base) }),
        content: (
          <>
            {next.Permissions && <RightsChange before={base.Permissions} after={next.Permissions} />}
            <p>{t(disables ? 'people:rights.disables' : 'resources:user.signOutNote')}</p>
          </>
        ),
        okText: t('screens:save'),
        cancelText: t('screens:cancel'),
        onOk: () => resolve(true),
        onCancel: () => resolve(false),
      })
    })

  const submit = async (values: Record<string, unknown>) => {
    const { password, ...rest } = values
    if (!(await agreed(rest as Partial<User>))) return
    const saved = await saveOnce(() =>
      save({
        ...rest,
        DepartmentID: rest['DepartmentID'] ?? null,
        rank: rest['rank'] ?? 0,
        ...(password ? { password } : {}),
        ...(base && { Version: base.Version }),
      }),
    )
    if (saved) guard.setDirty(false)
    // Somebody else's comes with the answer, and is shown above the buttons.
    if (saved) void navigate(list)
  }

  const take = (record: User) => {
    stand(record)
    form.setFieldsValue({ ...record })
    guard.setDirty(false)
  }

  return (
    <section className={styles.formWide}>
      <header className={styles.header}>
        <h1>{base ? displayName(base) : t('resources:user.create')}</h1>
        {base && <span className={styles.count}>{base.Email}</span>}
        {base && (
          <div className={styles.tools}>
            <Button
              onClick={() => {
                const now = form.getFieldsValue() as Partial<User>
                setViewed({
                  Permissions: now.Permissions ?? base.Permissions,
                  enabled: now.enabled ?? base.enabled,
                })
              }}
            >
              {t('people:viewAs.button')}
            </Button>
          </div>
        )}
      </header>
      {departed && (
        <Alert showIcon type="error" message={t('resources:user.gone')} style={{ marginBottom: 16 }} />
      )}
      {isOwner && (
        <Alert showIcon type="info" message={t('resources:user.ownerNote')} style={{ marginBottom: 16 }} />
      )}
      {base && !isOwner && (
        <Alert
          showIcon
          type="info"
          message={t(isSelf ? 'people:ownRights' : 'resources:user.signOutNote')}
          style={{ marginBottom: 16 }}
        />
      )}
      {!may && <MissingRight right={needed} />}
      <Card>
        <RecordForm
          resource="user"
          schema={base ? user.operations.update.input : user.operations.create.input}
          fields={fields}
          form={form}
          columns
          initial={base ?? { enabled: true, rank: 0, Permissions: [] }}
          submit={submit}
          onDirty={guard.setDirty}
        >
          {/* Beside the button that it holds back. */}
          {theirs && base && (
            <UserConflict base={base} theirs={theirs} take={() => take(theirs)} keep={() => stand(theirs)} />
          )}
          <div className={styles.actions}>
            <Button onClick={() => void navigate(list)}>{t('screens:cancel')}</Button>
            <Button
              type="primary"
              htmlType="submit"
              loading={busy}
              disabled={!may || departed || theirs !== undefined}
            >
              {t('screens:save')}
            </Button>
          </div>
        </RecordForm>
      </Card>
      {viewed && base && (
        <ViewAs
          name={displayName(base)}
          enabled={viewed.enabled}
          permissions={viewed.Permissions}
          isRoot={isOwner}
          close={() => setViewed(undefined)}
        />
      )}
    </section>
  )
}
