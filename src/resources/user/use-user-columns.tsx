import { Tag } from 'antd'
import { Link } from 'react-router'
import type { UserRow } from '../../../contract/resources/user.ts'
import { displayName } from '../../../contract/rules/access/display-name.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { pathTo } from '../../paths.ts'
import type { ListColumn } from '../../record-kit/export/columns.ts'
import type { Column } from '../../record-kit/list/column.ts'
import styles from '../../ui/page/page.module.css'
import { StateTag } from '../../ui/tags/state-tag.tsx'
import { isOwner } from './is-owner.ts'

/** What the list says of a person. */
export function useUserColumns(): readonly Column<UserRow>[] {
  const t = useT()
  return [
    {
      key: 'name',
      sort: 'Name',
      width: 180,
      text: displayName,
      render: (row) => (
        <>
          <Link to={pathTo('editUser', { userID: row.CognitoId })}>{displayName(row)}</Link>{' '}
          {isOwner(row) && <Tag>{t('resources:user.owner')}</Tag>}
        </>
      ),
    },
    { key: 'Email', sort: 'Email', width: 220 },
    {
      key: 'Department',
      sort: 'Department',
      title: t('resources:user.fields.DepartmentID'),
      render: (row) => row.Department ?? '–',
    },
    {
      key: 'rank',
      sort: 'rank',
      width: 90,
      render: (row) => <span className={styles.numbers}>{row.rank}</span>,
    },
    {
      key: 'rights',
      title: t('resources:user.fields.Permissions'),
      render: (row) =>
        isOwner(row) ? t('people:list.everything') : t('people:list.rights', { count: row.Rights }),
    },
    {
      key: 'enabled',
      width: 110,
      render: (row) => (
        <StateTag tone={row.enabled ? 'good' : 'offline'}>
          {t(row.enabled ? 'resources:user.on' : 'resources:user.off')}
        </StateTag>
      ),
    },
  ]
}

/** What a file says of a person. */
export function useUserExport(): readonly ListColumn<UserRow>[] {
  const t = useT()
  return [
    { title: t('resources:user.fields.Email'), of: (row) => row.Email },
    { title: t('resources:user.fields.LastName'), of: (row) => row.LastName },
    { title: t('resources:user.fields.FirstName'), of: (row) => row.FirstName },
    { title: t('resources:user.fields.nickname'), of: (row) => row.nickname },
    { title: t('resources:user.fields.DepartmentID'), of: (row) => row.Department },
    { title: t('resources:user.fields.rank'), of: (row) => row.rank },
    {
      title: t('resources:user.fields.enabled'),
      of: (row) => t(row.enabled ? 'resources:user.on' : 'resources:user.off'),
    },
  ]
}
