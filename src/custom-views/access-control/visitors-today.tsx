import type { FC } from 'react'
import { Link, useNavigate } from 'react-router'
import { visitor, type VisitorRow } from '../../../contract/access-control/visitor.ts'
import { CheckVisitor } from '../../domain/access/check-visitor.tsx'
import { VisitStateTag } from '../../domain/access/visit-state-tag.tsx'
import { useT } from '../../lib/i18n/i18n.ts'
import { pathTo } from '../../navigation/paths.ts'
import { CallList } from '../../record-kit/list/call-list.tsx'
import { useFormatWhen } from '../../ui/page/format-when.ts'
import page from '../../ui/page/page.module.css'

interface Props {
  /** Beginning and end of today, epoch ms. */
  From: number
  Until: number
}

/** Today's visitors who are expected or inside, to check in and out. */
export const VisitorsToday: FC<Props> = ({ From, Until }) => {
  const t = useT()
  const navigate = useNavigate()
  const { when } = useFormatWhen()
  const timesOf = ({ ValidFrom, ValidUntil }: VisitorRow) => `${when(ValidFrom)} – ${when(ValidUntil)}`
  const toVisit = ({ VisitorID }: VisitorRow) => pathTo('VisitorEdit', { visitorID: VisitorID })
  return (
    <CallList
      isEmbedded
      endpoint={visitor.operations.list}
      input={{
        States: ['expected', 'inside', 'overdue'],
        From,
        Until,
        Sort: 'ValidFrom',
        Descending: false,
      }}
      keyOf={({ VisitorID }) => VisitorID}
      title={t('access:visitorsToday')}
      columns={[
        {
          key: 'VisitorName',
          title: t('access:fields.VisitorName'),
          render: (row) => <Link to={toVisit(row)}>{row.VisitorName}</Link>,
        },
        {
          key: 'ValidFrom',
          title: t('access:fields.Window'),
          width: 230,
          text: timesOf,
          render: (row) => <span className={page.numbers}>{timesOf(row)}</span>,
        },
        {
          key: 'Company',
          title: t('access:fields.Company'),
          omitOrder: 2,
          render: (row) => row.Company || '–',
        },
        {
          key: 'State',
          title: t('access:fields.State'),
          width: 110,
          minWidth: 110,
          onPhone: 'aside',
          render: (row) => <VisitStateTag visit={row} />,
        },
        {
          key: 'HostName',
          title: t('access:fields.HostEmployeeID'),
          omitOrder: 1,
          render: (row) => row.HostName ?? '–',
        },
      ]}
      filtered={false}
      clear={() => {}}
      open={(row) => void navigate(toVisit(row))}
      renderActions={(row) => <CheckVisitor visitor={row} />}
      empty={t('access:noVisitorsToday')}
    />
  )
}
