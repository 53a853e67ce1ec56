import { DeleteOutlined, PlusOutlined, UploadOutlined } from '@ant-design/icons'
import { Button, Select, Tag } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { user, USER_SORTS, type UserRow } from '../../../contract/resources/user.ts'
import { displayName } from '../../../contract/rules/display-name.ts'
import { pathTo } from '../../paths.ts'
import { call, callKey } from '../../data/api.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { useMay, useMe } from '../../data/session.ts'
import { useConfirmRemoval } from '../../ui/page/confirm-removal.tsx'
import { PagedList } from '../../record-kit/paged-list/paged-list.tsx'
import styles from '../../ui/page/list-page.module.css'
import { SearchBox } from '../../ui/inputs/search-box.tsx'
import { oneOf, readSort, useAddress } from '../../ui/page/use-address.ts'
import { lazyPart } from '../../ui/page/lazy-part.tsx'
import { StateTag } from '../../ui/tags/state-tag.tsx'
import { ListViews } from '../../record-kit/views/list-views.tsx'
import { ImportUsers } from './import/import-users.tsx'
import { DepartmentFilter } from '../../domain/department/department-filter.tsx'
import { useDepartments } from '../../domain/department/use-departments.ts'
import { UserExport } from './user-export.tsx'

const UserBulkBar = lazyPart(() => import('./user-bulk-bar.tsx'))

/** /user/list: people of the company, ten thousand of them as soon as ten; filters and order stand in the address. */
export default function UserList() {
  const t = useT()
  const me = useMe()
  const { get, change } = useAddress()
  const [importing, setImporting] = useState(false)
  const departments = useDepartments()
  const mayCreate = useMay('user', 'Create')
  const mayUpdate = useMay('user', 'Update')
  const mayDelete = useMay('user', 'Delete')
  const confirmRemoval = useConfirmRemoval()
  const state = oneOf(['on', 'off'], get('state'))
  const department = departments.find(({ DepartmentID }) => DepartmentID === get('dept'))?.DepartmentID
  const sort = readSort(USER_SORTS, get('sort')) ?? { Sort: 'Name' as const, Descending: false }
  const input = {
    Search: get('q').slice(0, 100),
    ...(state && { enabled: state === 'on' }),
    ...(department && { DepartmentID: department }),
    ...sort,
  }
  const edit = (row: UserRow) => pathTo('editUser', { userID: row.CognitoId })
  const isOwner = (row: UserRow) => row.CognitoId === me?.RootCognitoId
  const create = mayCreate && (
    <Link to={pathTo('addUser')}>
      <Button type="primary" icon={<PlusOutlined />} tabIndex={-1}>
        {t('resources:user.create')}
      </Button>
    </Link>
  )
  return (
    <section className={styles.page}>
      <PagedList<UserRow>
        queryKey={callKey(user.operations.page, input)}
        load={(asked, signal) => call(user.operations.page, { ...input, ...asked }, { signal })}
        label={t('resources:user.list')}
        rowKey={(row) => row.CognitoId}
        open={edit}
        sort={sort}
        onSort={(name, descending) => change({ sort: `${descending ? '-' : ''}${name}` })}
        filtered={input.Search !== '' || state !== undefined || department !== undefined}
        clear={() => change({ q: undefined, state: undefined, dept: undefined })}
        empty={t('resources:user.empty')}
        next={create}
        renderHead={(total) => (
          <>
            <header className={styles.header}>
              <h1>{t('resources:user.list')}</h1>
              {total !== undefined && (
                <span className={styles.count}>{t('screens:list.count', { count: total })}</span>
              )}
              <div className={styles.tools}>
                <ListViews
                  list="user"
                  sorts={{
                    Name: t('resources:user.fields.name'),
                    Email: t('resources:user.fields.Email'),
                    Department: t('resources:user.fields.DepartmentID'),
                    rank: t('resources:user.fields.rank'),
                  }}
                  inWords={(of) => [
                    departments.find(({ DepartmentID }) => DepartmentID === of('dept'))?.Department,
                    of('state') && t(`resources:user.${of('state') === 'on' ? 'on' : 'off'}`),
                  ]}
                />
                <UserExport filter={input} total={total} />
                {mayCreate && (
                  <Button icon={<UploadOutlined />} onClick={() => setImporting(true)}>
                    {t('people:import.button')}
                  </Button>
                )}
                {create}
              </div>
            </header>
            <div className={styles.filters}>
              <SearchBox value={get('q')} label={t('people:list.search')} search={(q) => change({ q })} />
              <DepartmentFilter
                departments={departments}
                value={department}
                label={t('resources:user.fields.DepartmentID')}
                change={(dept) => change({ dept })}
              />
              <Select
                allowClear
                className={styles.choice}
                value={state ?? null}
                placeholder={t('people:list.anyState')}
                aria-label={t('resources:user.fields.enabled')}
                onChange={(next: string | undefined) => change({ state: next })}
                options={(['on', 'off'] as const).map((value) => ({
                  value,
                  label: t(`resources:user.${value}`),
                }))}
              />
            </div>
          </>
        )}
        columns={[
          {
            key: 'name',
            sort: 'Name',
            title: t('resources:user.fields.name'),
            render: (row) => (
              <>
                <Link to={edit(row)}>{displayName(row)}</Link>{' '}
                {isOwner(row) && <Tag>{t('resources:user.owner')}</Tag>}
              </>
            ),
          },
          {
            key: 'Email',
            sort: 'Email',
            title: t('resources:user.fields.Email'),
            render: (row) => row.Email,
          },
          {
            key: 'Department',
            sort: 'Department',
            title: t('resources:user.fields.DepartmentID'),
            render: (row) => row.Department ?? '–',
          },
          {
            key: 'rank',
            sort: 'rank',
            title: t('resources:user.fields.rank'),
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
            title: t('resources:user.fields.enabled'),
            render: (row) => (
              <StateTag tone={row.enabled ? 'good' : 'offline'}>
                {t(row.enabled ? 'resources:user.on' : 'resources:user.off')}
              </StateTag>
            ),
          },
        ]}
        bulk={
          mayUpdate || mayDelete
            ? {
                nameOf: displayName,
                renderBar: (rows, clear) => <UserBulkBar rows={rows} clear={clear} />,
              }
            : undefined
        }
        renderActions={
          mayDelete
            ? (row) =>
                !isOwner(row) &&
                row.CognitoId !== me?.CognitoId && (
                  <Button
                    type="text"
                    danger
                    icon={<DeleteOutlined />}
                    aria-label={t('screens:list.remove', { name: displayName(row) })}
                    onClick={() =>
                      confirmRemoval({
                        name: displayName(row),
                        consequence: t('resources:user.consequence'),
                        remove: async () => {
                          await call(user.operations.remove, { Email: row.Email })
                        },
                      })
                    }
                  />
                )
            : undefined
        }
      />
      {importing && <ImportUsers departments={departments} close={() => setImporting(false)} />}
    </section>
  )
}
