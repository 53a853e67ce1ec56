import type { FC } from 'react'
import { visitor, type VisitorRow } from '../../../contract/resources/visitor.ts'
import { formatPhone, visitState } from '../../../contract/rules/access-pass.ts'
import { call, type SentOf } from '../../data/api.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { ListExport } from '../../record-kit/export/list-export.tsx'

interface Props {
  filter: SentOf<typeof visitor.operations.list>
  total: number | undefined
}

/** Visits as a file, filtered and sorted as they are shown. */
export const VisitorExport: FC<Props> = ({ filter, total }) => {
  const t = useT()
  return (
    <ListExport<VisitorRow>
      name={t('shell:pages.VisitorManagement')}
      right={{ feature: 'access_control_visitor', operation: 'Export' }}
      total={total}
      rows={(Cursor, signal) =>
        call(visitor.operations.list, { ...filter, Limit: 500, ...(Cursor && { Cursor }) }, { signal })
      }
      columns={[
        {
          title: t('access:fields.VisitorName'),
          of: (row) => row.VisitorName || t('access:anonymised'),
        },
        { title: t('access:fields.Company'), of: (row) => row.Company },
        { title: t('access:fields.State'), of: (row) => t(`access:states.${visitState(row, Date.now())}`) },
        { title: t('access:fields.ValidFrom'), at: (row) => row.ValidFrom },
        { title: t('access:fields.ValidUntil'), at: (row) => row.ValidUntil },
        { title: t('access:fields.HostEmployeeID'), of: (row) => row.HostName },
        { title: t('access:fields.Phone'), of: (row) => formatPhone(row.Phone) },
        { title: t('access:fields.Email'), of: (row) => row.Email },
        { title: t('access:fields.Purpose'), of: (row) => row.Purpose },
      ]}
    />
  )
}
