import { Alert, Button } from 'antd'
import { useState } from 'react'
import { useNavigate, useParams, useSearchParams } from 'react-router'
import { rightBeyond } from '../../../contract/kernel/permissions.ts'
import type { User } from '../../../contract/people/user.ts'
import { displayName } from '../../../contract/kernel/text.ts'
import { useCanInvite, useMailEnabled } from '../../data/gateway-features.ts'
import { useMay, useMe, useSubject } from '../../data/session.ts'
import { PersonDataButtons } from '../../domain/person-data/person-data-buttons.tsx'
import { t as words, useT, t } from '../../lib/i18n/i18n.ts'
import { pathTo } from '../../navigation/paths.ts'
import { FormCard, OneRecordPage, RecordPage } from '../../record-kit/record-page.tsx'
import { useRecordForm } from '../../record-kit/use-record-form.ts'
import styles from '../../ui/page/page.module.css'
import { ListSkeleton } from '../../ui/page/states.tsx'
import { useNow } from '../../ui/page/use-now.ts'
import { InvitationButtons } from './invite/invitation-buttons.tsx'
import { BY_PASSWORD, InvitePage } from './invite/invite-form.tsx'
import { isOwner, useUserFields } from './use-user-fields.tsx'
import { hasDifference, pendingAccess, RightsChange } from './rights/rights-change.tsx'
import { UserConflict } from './user-conflict.tsx'
import { ViewAs } from './view-as.tsx'
import { people } from '../../../contract/people/calls.ts'
import { useAction } from '../../data/use-action.ts'
import { confirm, showError } from '../../ui/page/dialogs.ts'
import { describeRefusal } from '../../data/failure.ts'
import { callErrorIn } from '../../data/post.ts'
import { RowMenu } from '../../ui/table/row-menu.tsx'
import { gatewayNow } from '../../lib/gateway-clock.ts'

const describeMissing = () => ({
  title: words('resources:user.gone'),
  toList: words('resources:user.toList'),
})

/** Page that adds a user (/user/add) or edits one (/user/{userID}), with their rights. */
export function UserPage() {
  const { userID } = useParams()
  if (userID === undefined) return <NewUser />
  return (
    <OneRecordPage
      key={userID}
      resource="user"
      id={{ CognitoId: userID }}
      missingTexts={describeMissing}
      list={pathTo('UserListing')}
    >
      {(person, isDeleted) => <UserForm person={person} isDeleted={isDeleted} />}
    </OneRecordPage>
  )
}

/** Form of an invitation; with an initial password if accounts are managed elsewhere, or if the URL requests it. */
function NewUser() {
  const [params] = useSearchParams()
  const invites = useCanInvite()
  if (invites === undefined) return <ListSkeleton rows={8} />
  if (invites && params.get('by') !== BY_PASSWORD) return <InvitePage />
  return <UserForm person={undefined} isDeleted={false} />
}

const NEW = { enabled: true, rank: 0, Permissions: [] }

function UserForm({ person, isDeleted }: { person: User | undefined; isDeleted: boolean }) {
  const t = useT()
  const navigate = useNavigate()
  const fields = useUserFields(person)
  const list = pathTo('UserListing')
  const now = useNow()
  const edited = useRecordForm('user', person, {
    successText: (saved) => {
      const pending = person && pendingAccess(person, now)
      const isEnded =
        pending &&
        hasDifference(person.Permissions, (saved as User).Permissions) &&
        !edited.form.getFieldValue('password')
      return isEnded
        ? words(`people:pending.${pending}Ended`, { name: displayName(person) })
        : words(person ? 'screens:updated' : 'screens:created')
    },
    toInput: ({ password, ...values }) => ({
      ...values,
      DepartmentID: values['DepartmentID'] ?? null,
      rank: values['rank'] ?? 0,
      ...(password ? { password } : {}),
    }),
  })
  const base = edited.tracked.base as User | undefined
  const { takeRemote, keepLocal, conflicting } = edited.tracked
  const isStronger = useIsStronger(person)
  return (
    <RecordPage
      title={person ? displayName(person) : t('people:invite.titleByPassword')}
      head={
        person && (
          <Head
            person={person}
            isStronger={isStronger}
            typed={() => edited.form.getFieldsValue() as Partial<User>}
          />
        )
      }
    >
      {person && <RightsNote person={person} isStronger={isStronger} />}
      <FormCard
        resource="user"
        formState={edited}
        record={person}
        fields={fields}
        initial={NEW}
        isMissing={isDeleted}
        isReadOnly={isStronger}
        conflict={
          base && person && conflicting.length > 0 ? (
            <UserConflict base={base} remote={person} onTakeRemote={takeRemote} onKeepLocal={keepLocal} />
          ) : undefined
        }
        cancelTo={list}
        submit={async (values) => {
          if (!(await confirmRightsChange(base, values as Partial<User>))) return
          try {
            if (await edited.save(values)) void navigate(list)
          } catch (error) {
            if (!person) showCreateFailure(error)
            throw error
          }
        }}
      />
    </RecordPage>
  )
}

/** Whether a user has rights that the current user lacks; such a user is read-only. */
function useIsStronger(person: User | undefined): boolean {
  const subject = useSubject()
  if (!person || !subject) return false
  return isOwner(person) ? !subject.isRoot : rightBeyond(subject, person) !== undefined
}

/** Note about the owner's rights, or about the effect of changing another user's rights. */
function RightsNote({ person, isStronger }: { person: User; isStronger: boolean }) {
  const t = useT()
  const me = useMe()
  const isSelf = person.CognitoId === me?.CognitoId
  const pending = pendingAccess(person, useNow())
  return (
    <Alert
      showIcon
      type="info"
      message={t(
        isOwner(person)
          ? 'resources:user.ownerNote'
          : isSelf
            ? 'people:ownRights'
            : isStronger
              ? 'errors:fields.stronger'
              : pending
                ? `people:pending.${pending}`
                : 'resources:user.signOutNote',
      )}
    />
  )
}

/** Actions on a user in addition to the form: a password reset link, and a preview with the rights in the form. */
function Head({
  person,
  isStronger,
  typed,
}: {
  person: User
  isStronger: boolean
  typed: () => Partial<User>
}) {
  const t = useT()
  const navigate = useNavigate()
  const me = useMe()
  const mayReset = useMay('user', 'Update') && !isStronger && person.CognitoId !== me?.CognitoId
  const mailGoesOut = useMailEnabled()
  const [viewed, setViewed] = useState<Partial<User>>()
  return (
    <>
      <span className={styles.count}>{person.Email}</span>
      {mailGoesOut && mayReset && person.enabled && person.InvitedUntil === null && (
        <ResetLinkButton email={person.Email} />
      )}
      <span className={styles.buttonAndMenu}>
        <Button onClick={() => setViewed(typed())}>{t('people:viewAs.button')}</Button>
        <RowMenu name={displayName(person)}>
          <InvitationButtons row={person} />
          {!isStronger && (
            <PersonDataButtons
              of={{ CognitoId: person.CognitoId }}
              name={displayName(person)}
              email={person.Email}
              mayErase={!isOwner(person) && person.CognitoId !== me?.CognitoId}
              erased={() => void navigate(pathTo('UserListing'))}
            />
          )}
        </RowMenu>
      </span>
      {viewed && (
        <ViewAs
          name={displayName(person)}
          enabled={viewed.enabled ?? person.enabled}
          permissions={viewed.Permissions ?? person.Permissions}
          isRoot={isOwner(person)}
          close={() => setViewed(undefined)}
        />
      )}
    </>
  )
}

/** Button that emails a user a link to set a new password. */
function ResetLinkButton({ email }: { email: string }) {
  const t = useT()
  const { busy, run } = useAction(people.resetUserPassword)
  const confirmRemoval = () =>
    confirm({
      title: t('people:resetLink.ask', { email }),
      content: t('people:resetLink.note'),
      okText: t('people:resetLink.send'),
      cancelText: t('screens:cancel'),
      onOk: () => void run({ Email: email }, () => t('people:resetLink.sent', { email })),
    })
  return (
    <Button loading={busy} onClick={confirmRemoval}>
      {t('people:resetLink.button')}
    </Button>
  )
}

/**
 * Error dialog after a user could not be created (§8): titled Error, with the gateway's message and a button OK. The reason in the user's
 * language comes first, because the gateway's message is English.
 */
function showCreateFailure(error: unknown): void {
  const message = callErrorIn(error)?.message
  showError({
    title: t('resources:user.error'),
    content: (
      <>
        <p>{describeRefusal(error)}</p>
        {message && <p lang="en">{message}</p>}
      </>
    ),
    okText: t('resources:user.ok'),
  })
}

/** Confirmation of changed rights: lists additions and removals, and warns that the user is signed out or that unused access ends. */
function confirmRightsChange(
  person: User | undefined,
  next: Partial<User> & { password?: string },
): Promise<boolean> {
  return new Promise((resolve) => {
    const changes = person && next.Permissions && hasDifference(person.Permissions, next.Permissions)
    const disables = person?.enabled === true && next.enabled === false
    if (!person || !(changes || disables)) return resolve(true)
    const pending = changes && !next.password ? pendingAccess(person, gatewayNow()) : undefined
    confirm({
      title: t('people:rights.confirm', { name: displayName(person) }),
      content: (
        <>
          {next.Permissions && <RightsChange before={person.Permissions} after={next.Permissions} />}
          {disables && <p>{t('people:rights.disables')}</p>}
          {pending ? (
            <p>{t(`people:pending.${pending}`)}</p>
          ) : (
            !disables && <p>{t('resources:user.signOutNote')}</p>
          )}
        </>
      ),
      okText: t('screens:save'),
      cancelText: t('screens:cancel'),
      onOk: () => resolve(true),
      onCancel: () => resolve(false),
    })
  })
}
