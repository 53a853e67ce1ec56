import { Link } from 'react-router'
import type { VisitorRow } from '../../../contract/access-control/visitor.ts'
import { formatPhone, visitState } from '../../../contract/access-control/access-pass.ts'
import styles from '../../domain/access/access.module.css'
import { VisitStateTag } from '../../domain/access/visit-state-tag.tsx'
import { useT } from '../../lib/i18n/i18n.ts'
import { pathTo } from '../../navigation/paths.ts'
import type { ListColumn } from '../../record-kit/export/columns.ts'
import type { ListTableColumn } from '../../record-kit/list/column.ts'
import { useFormatWhen } from '../../ui/page/format-when.ts'

export function useVisitorColumns(): readonly ListTableColumn<VisitorRow>[] {
  const t = useT()
  const { span } = useFormatWhen()
  const nameOf = (row: VisitorRow) => row.VisitorName || t('access:anonymised')
  return [
    {
      key: 'VisitorName',
      sort: 'VisitorName',
      title: t('access:fields.VisitorName'),
      text: nameOf,
      render: (row) => <Link to={pathTo('VisitorEdit', { visitorID: row.VisitorID })}>{nameOf(row)}</Link>,
    },
    {
      key: 'Company',
      sort: 'Company',
      title: t('access:fields.Company'),
      omitOrder: 2,
      render: (row) => row.Company || '–',
    },
    {
      key: 'State',
      title: t('access:fields.State'),
      width: 110,
      minWidth: 110,
      render: (row) => <VisitStateTag visit={row} />,
    },
    {
      key: 'ValidFrom',
      sort: 'ValidFrom',
      title: t('access:fields.Window'),
      width: 230,
      render: (row) => <span className={styles.window}>{span(row.ValidFrom, row.ValidUntil)}</span>,
    },
    {
      key: 'HostName',
      title: t('access:fields.HostEmployeeID'),
      width: 110,
      render: (row) => row.HostName ?? '–',
    },
    {
      key: 'Phone',
      title: t('access:fields.Phone'),
      omitOrder: 1,
      render: (row) => <span className={styles.numbers}>{formatPhone(row.Phone) || '–'}</span>,
    },
  ]
}

export function useVisitorExport(): readonly ListColumn<VisitorRow>[] {
  const t = useT()
  return [
    { title: t('access:fields.VisitorName'), of: (row) => row.VisitorName || t('access:anonymised') },
    { title: t('access:fields.Company'), of: (row) => row.Company },
    { title: t('access:fields.State'), of: (row) => t(`access:states.${visitState(row, Date.now())}`) },
    { title: t('access:fields.ValidFrom'), at: (row) => row.ValidFrom },
    { title: t('access:fields.ValidUntil'), at: (row) => row.ValidUntil },
    { title: t('access:fields.HostEmployeeID'), of: (row) => row.HostName },
    { title: t('access:fields.Phone'), of: (row) => formatPhone(row.Phone) },
    { title: t('access:fields.Email'), of: (row) => row.Email },
    { title: t('access:fields.Purpose'), of: (row) => row.Purpose },
  ]
}
