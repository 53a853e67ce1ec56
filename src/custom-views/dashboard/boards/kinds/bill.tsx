import { formatEnergy } from '../../../../../contract/kernel/numbers.ts'
import { useQuery } from '@tanstack/react-query'
import { insight, type PeriodForecast } from '../../../../../contract/energy/insight-calls.ts'
import { pathTo } from '../../../../navigation/paths.ts'
import { callQuery } from '../../../../data/api.ts'
import { useT } from '../../../../lib/i18n/i18n.ts'
import { useFormatDate, useFormatPeriod } from '../../../../ui/page/format-when.ts'
import { useEstimateWords } from '../../../../domain/energy/use-estimate-words.ts'
import page from '../../../../ui/page/page.module.css'
import { AmountValue, Figure } from '../../../../ui/tags/power-value.tsx'
import { QueryCard, CardFrame } from '../../cards/card-frame.tsx'
import cards from '../../cards/cards.module.css'
import type { CardProps } from './card-props.ts'
import { SiteName } from './of-site.tsx'

/** Amount of the current bill so far, and its forecast. */
export default function BillCard({ card: { HomeID }, title, homes }: CardProps<'bill'>) {
  const t = useT()
  const query = useQuery(callQuery(insight.getForecast, { HomeID }))
  return (
    <CardFrame
      title={title ?? t('boards:kinds.bill.name')}
      to={pathTo('Insight', { HomeID })}
      extra={<SiteName homes={homes} HomeID={HomeID} />}
      busy={query.isPending}
    >
      <QueryCard query={{ ...query, isPlaceholderData: false }}>
        {query.data && <Bill bill={query.data.Bill} />}
      </QueryCard>
    </CardFrame>
  )
}

function Bill({ bill }: { bill: PeriodForecast }) {
  const t = useT()
  const date = useFormatDate()
  const daysText = useFormatPeriod()
  const estimateText = useEstimateWords()
  const { From, Through, SoFarKwh, DaysOver, DaysKnown, Refused, Forecast } = bill
  const cost = Forecast?.Cost
  return (
    <>
      <p className={page.small}>{t('insight:forecast.bill', { days: daysText(From, Through) })}</p>
      <dl className={`${page.wideRow} ${page.measures} ${cards.figures}`}>
        <div>
          <dt>{t('insight:forecast.soFar', { count: DaysOver })}</dt>
          <dd>
            <AmountValue amount={formatEnergy(SoFarKwh)} />
          </dd>
        </div>
        {cost && (
          <div>
            <dt>{t('insight:forecast.expectedBill')}</dt>
            <dd>
              <Figure
                value={estimateText({ mid: cost.Mid, low: cost.Low, high: cost.High }, 'money')}
                large
              />
            </dd>
            {cost.Low !== null && cost.High !== null && (
              <dd className={page.small}>{t('insight:forecast.range')}</dd>
            )}
          </div>
        )}
      </dl>
      {Refused && (
        <p className={page.small}>
          {t(`insight:forecast.refused.${Refused.Reason}`, {
            have: Refused.Have,
            needed: Refused.Needed,
            day: date(Refused.EnoughOn ?? '–'),
          })}
        </p>
      )}
      {Forecast && !cost && <p className={page.small}>{t('insight:forecast.noPrice')}</p>}
      {Forecast && DaysKnown < DaysOver && (
        <p className={`${page.small} ${page.warning}`}>
          {t('insight:forecast.daysUnknown', { count: DaysOver - DaysKnown })}
        </p>
      )}
    </>
  )
}
