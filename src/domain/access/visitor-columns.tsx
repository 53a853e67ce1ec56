import { Link } from 'react-router'
import type { VisitorRow } from '../../../contract/access-control/visitor.ts'
import { formatPhone } from '../../../contract/access-control/access-pass.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { pathTo } from '../../navigation/paths.ts'
import type { TitledColumn } from '../../record-kit/list/column.ts'
import { useFormatWhen } from '../../ui/page/format-when.ts'
import page from '../../ui/page/page.module.css'
import { VisitStateTag } from './visit-state-tag.tsx'

/** Columns of lists of visitors. */
export function useVisitorColumns(): readonly TitledColumn<VisitorRow>[] {
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
      onPhone: 'first',
      render: (row) => <VisitStateTag visit={row} />,
    },
    {
      key: 'ValidFrom',
      sort: 'ValidFrom',
      title: t('access:fields.Window'),
      width: 230,
      text: (row) => span(row.ValidFrom, row.ValidUntil),
      render: (row) => <span className={page.figures}>{span(row.ValidFrom, row.ValidUntil)}</span>,
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
      render: (row) => <span className={page.numbers}>{formatPhone(row.Phone) || '–'}</span>,
    },
  ]
}
