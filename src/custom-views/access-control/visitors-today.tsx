import type { FC } from 'react'
import { useNavigate } from 'react-router'
import { visitor, type VisitorRow } from '../../../contract/access-control/visitor.ts'
import { CheckVisitor } from '../../domain/access/check-visitor.tsx'
import { useVisitorColumns } from '../../domain/access/visitor-columns.tsx'
import { useT } from '../../lib/i18n/i18n.ts'
import { pathTo } from '../../navigation/paths.ts'
import { useFormatWhen } from '../../ui/page/format-when.ts'
import page from '../../ui/page/page.module.css'
import { CallList } from '../../record-kit/list/call-list.tsx'

interface Props {
  /** Beginning and end of today, epoch ms. */
  From: number
  Until: number
}

/** Columns in order. */
const SHOWN = ['VisitorName', 'ValidFrom', 'Company', 'State', 'HostName']

/** Today's visitors who are expected or inside, to check in and out. */
export const VisitorsToday: FC<Props> = ({ From, Until }) => {
  const t = useT()
  const navigate = useNavigate()
  const { when } = useFormatWhen()
  const all = useVisitorColumns()
  // Times of today need no date.
  const timesOf = ({ ValidFrom, ValidUntil }: VisitorRow) => (
    <span className={page.figures}>{`${when(ValidFrom)} – ${when(ValidUntil)}`}</span>
  )
  const columns = SHOWN.flatMap((key) => all.filter((column) => column.key === key)).map((column) =>
    column.key === 'ValidFrom' ? { ...column, width: 130, render: timesOf } : column,
  )
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
      columns={columns}
      filtered={false}
      clear={() => {}}
      open={(row) => void navigate(toVisit(row))}
      renderActions={(row) => <CheckVisitor visitor={row} />}
      empty={t('access:noVisitorsToday')}
    />
  )
}
