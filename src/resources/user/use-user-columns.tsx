import { Tag } from 'antd'
import { Link } from 'react-router'
import type { UserRow } from '../../../contract/people/user.ts'
import { displayName } from '../../../contract/kernel/text.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { pathTo } from '../../navigation/paths.ts'
import type { ListColumn } from '../../record-kit/export/columns.ts'
import type { ListTableColumn } from '../../record-kit/list/column.ts'
import styles from '../../ui/page/page.module.css'
import { useNow } from '../../ui/page/use-now.ts'
import { StateTag } from '../../ui/tags/state-tag.tsx'
import { isOwner } from './is-owner.ts'

/** Sign-in state of a user: enabled, disabled, or with an open or expired invitation. */
const stateOf = ({ enabled, InvitedUntil }: UserRow, now: number) =>
  !enabled ? 'off' : InvitedUntil === null ? 'on' : InvitedUntil > now ? 'invited' : 'invitationOver'
const TONES = { on: 'good', off: 'offline', invited: 'plain', invitationOver: 'warning' } as const

export function useUserColumns(): readonly ListTableColumn<UserRow>[] {
  const t = useT()
  const now = useNow()
  return [
    {
      key: 'name',
      sort: 'Name',
      width: 150,
      text: displayName,
      render: (row) => (
        <>
          <Link to={pathTo('editUser', { userID: row.CognitoId })}>{displayName(row)}</Link>{' '}
          {isOwner(row) && <Tag>{t('resources:user.owner')}</Tag>}
        </>
      ),
    },
    { key: 'Email', sort: 'Email', width: 250 },
    {
      key: 'Department',
      sort: 'Department',
      title: t('resources:user.fields.DepartmentID'),
      width: 110,
      minWidth: 110,
      render: (row) => row.Department ?? '–',
    },
    {
      key: 'rank',
      sort: 'rank',
      width: 90,
      omitOrder: 1,
      render: (row) => <span className={styles.numbers}>{row.rank}</span>,
    },
    {
      key: 'rights',
      title: t('resources:user.fields.Permissions'),
      width: 110,
      minWidth: 120,
      omitOrder: 2,
      render: (row) =>
        isOwner(row) ? t('people:list.everything') : t('people:list.rights', { count: row.Rights }),
    },
    {
      key: 'enabled',
      title: t('people:list.state'),
      width: 130,
      text: (row) => t(`resources:user.${stateOf(row, now)}`),
      render: (row) => {
        const state = stateOf(row, now)
        return <StateTag tone={TONES[state]}>{t(`resources:user.${state}`)}</StateTag>
      },
    },
  ]
}

export function useUserExport(): readonly ListColumn<UserRow>[] {
  const t = useT()
  const now = useNow()
  return [
    { title: t('resources:user.fields.Email'), of: (row) => row.Email },
    { title: t('resources:user.fields.LastName'), of: (row) => row.LastName },
    { title: t('resources:user.fields.FirstName'), of: (row) => row.FirstName },
    { title: t('resources:user.fields.nickname'), of: (row) => row.nickname },
    { title: t('resources:user.fields.DepartmentID'), of: (row) => row.Department },
    { title: t('resources:user.fields.rank'), of: (row) => row.rank },
    {
      title: t('resources:user.fields.enabled'),
      of: (row) => t(`resources:user.${stateOf(row, now)}`),
    },
  ]
}
