import type { FC } from 'react'
import { user, type UserRow } from '../../../contract/people/user.ts'
import { displayName } from '../../../contract/kernel/text.ts'
import { LazyUsersWarning } from '../../domain/automation/parts/lazy-users-warning.tsx'
import { call } from '../../data/api.ts'
import { t, useT } from '../../lib/i18n/i18n.ts'
import { useMay, useMe } from '../../data/session.ts'
import { SelectionBar } from '../../record-kit/bulk/selection-bar.tsx'
import { ItemFailed, type BulkAction, type BulkItem, callEach } from '../../record-kit/bulk/bulk-run.ts'
import { OnOffButtons, RemovalButton } from '../../record-kit/bulk/bulk-buttons.tsx'
import { MoveToDepartment } from '../../domain/department/move-to-department.tsx'

interface Person extends BulkItem {
  row: UserRow
}

interface Props {
  rows: readonly UserRow[]
  clear: () => void
}

/** Bulk actions on the selected users. The owner and the current user can be neither disabled nor deleted. */
const UserBulkBar: FC<Props> = ({ rows, clear }) => {
  const t = useT()
  const me = useMe()
  const mayUpdate = useMay('user', 'Update')
  const mayDelete = useMay('user', 'Delete')
  const items = rows.map((row): Person => ({ id: row.CognitoId, name: displayName(row), row }))
  const count = items.length
  const isOwner = ({ id }: Person) => id === me?.RootCognitoId
  const isMe = ({ id }: Person) => id === me?.CognitoId

  function assertChangeable(person: Person) {
    if (isOwner(person)) throw new ItemFailed(() => tellOf('owner'))
    if (isMe(person)) throw new ItemFailed(() => tellOf('self'))
  }
  const updating = (title: () => string, work: (person: Person) => Promise<unknown>): BulkAction<Person> => ({
    title,
    start: (people) => callEach(people, work),
  })
  const enabling = updating(
    () => tellOf('enabling'),
    async ({ row }) => {
      if (!row.enabled) await call(user.operations.update, { Email: row.Email, enabled: true })
    },
  )
  const disabling = updating(
    () => tellOf('disabling'),
    async (person) => {
      assertChangeable(person)
      if (person.row.enabled) await call(user.operations.update, { Email: person.row.Email, enabled: false })
    },
  )
  const moving = (DepartmentID: string | null, department: string) =>
    updating(
      () => tellOfMove(department),
      async (person) => {
        if (isOwner(person) && !isMe(person)) throw new ItemFailed(() => tellOf('ownersOwn'))
        await call(user.operations.update, { Email: person.row.Email, DepartmentID })
      },
    )

  return (
    <SelectionBar words={t('lists:bulk.items', { count })} items={items} clear={clear}>
      {(run) => (
        <>
          {mayUpdate && (
            <>
              <OnOffButtons
                items={items}
                run={run}
                enabled={{ label: t('people:bulk.enable'), action: enabling }}
                blocked={{
                  label: t('people:bulk.disable'),
                  question: t('people:bulk.askDisable', { count }),
                  reason: t('people:bulk.whyDisable'),
                  action: disabling,
                }}
              />
              <MoveToDepartment
                count={count}
                move={(DepartmentID, name) => run(moving(DepartmentID, name))}
              />
            </>
          )}
          {mayDelete && (
            <RemovalButton
              items={items}
              consequence={t('people:bulk.whyRemove')}
              breaks={
                <LazyUsersWarning
                  kind="person"
                  of={items
                    .filter((person) => !isOwner(person) && !isMe(person))
                    .map(({ id }) => ({ Subject: 'person', ID: id }))}
                />
              }
              remove={async (person) => {
                assertChangeable(person)
                await call(user.operations.remove, { Email: person.row.Email })
              }}
              run={run}
            />
          )}
        </>
      )}
    </SelectionBar>
  )
}
export default UserBulkBar

// Functions, because the language may change while results are shown.
const tellOf = (key: 'owner' | 'self' | 'ownersOwn' | 'enabling' | 'disabling') => t(`people:bulk.${key}`)
const tellOfMove = (department: string) => t('lists:toDepartment.moving', { department })
