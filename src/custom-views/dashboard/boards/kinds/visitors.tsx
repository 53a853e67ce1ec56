import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { accessControl } from '../../../../../contract/access-control/calls.ts'
import { pathTo } from '../../../../navigation/paths.ts'
import { callQuery } from '../../../../data/api.ts'
import { useT } from '../../../../lib/i18n/i18n.ts'
import { daySpanOf, today } from '../../../../ui/inputs/days.ts'
import { useZone } from '../../../../ui/page/format-when.ts'
import { Figure } from '../../../../ui/tags/power-value.tsx'
import { QueryCard, CardFrame } from '../../cards/card-frame.tsx'
import pageStyles from '../../../../ui/page/page.module.css'
import cards from '../../cards/cards.module.css'
import type { CardProps } from './card-props.ts'

/** Polling interval: a visitor becomes overdue without a data change. */
const REFETCH_INTERVAL_MS = 60_000

/** Visitors expected today, on site, and overdue. */
export default function VisitorsCard({ title }: CardProps<'visitors'>) {
  const t = useT()
  const zone = useZone()
  const day = today(zone)
  const { From = 0, Until = 0 } = daySpanOf(day, day, zone)
  const query = useQuery({
    ...callQuery(accessControl.getVisitorOverview, { From, Until }),
    refetchInterval: REFETCH_INTERVAL_MS,
  })
  const list = (state: string, on?: string) =>
    `${pathTo('VisitorManagement')}?${new URLSearchParams({ state, ...(on && { from: on, to: on }) })}`
  return (
    <CardFrame
      title={title ?? t('boards:kinds.visitors.name')}
      to={pathTo('VisitorManagement')}
      busy={query.isPending}
    >
      <QueryCard query={{ ...query, isPlaceholderData: false }}>
        {query.data && (
          <dl className={`${pageStyles.wideRow} ${pageStyles.measures} ${pageStyles.links} ${cards.figures}`}>
            <div>
              <dt>
                <Link to={list('expected', day)}>{t('boards:visitors.expected')}</Link>
              </dt>
              <dd>
                <Figure value={String(query.data.Expected)} large />
              </dd>
            </div>
            <div>
              <dt>
                <Link to={list('inside,overdue')}>{t('boards:visitors.inside')}</Link>
              </dt>
              <dd>
                <Figure value={String(query.data.Inside)} />
              </dd>
            </div>
            <div>
              <dt>
                <Link to={list('overdue')}>{t('boards:visitors.overdue')}</Link>
              </dt>
              <dd className={query.data.Overdue > 0 ? `${pageStyles.small} ${pageStyles.fault}` : undefined}>
                <Figure value={String(query.data.Overdue)} />
              </dd>
            </div>
          </dl>
        )}
      </QueryCard>
    </CardFrame>
  )
}
