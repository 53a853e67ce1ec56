import type { FC } from 'react'
import { user, type UserRow } from '../../../contract/resources/user.ts'
import { call, type SentOf } from '../../data/api.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { ListExport } from '../../record-kit/export/list-export.tsx'

interface Props {
  filter: SentOf<typeof user.operations.page>
  total: number | undefined
}

/** The people of the company as a file, filtered and sorted as they are shown. */
export const UserExport: FC<Props> = ({ filter, total }) => {
  const t = useT()
  return (
    <ListExport<UserRow>
      name={t('resources:user.list')}
      right={{ feature: 'user', operation: 'Export' }}
      total={total}
      rows={(Cursor, signal) =>
        call(user.operations.page, { ...filter, Limit: 500, ...(Cursor && { Cursor }) }, { signal })
      }
      columns={[
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
      ]}
    />
  )
}
