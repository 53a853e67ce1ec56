import { useLocation, useNavigate } from 'react-router'
import { readParameters, viewQuery } from '../../../contract/lists/list-query.ts'
import { GROUPINGS } from '../../../contract/energy/meter-data-calls.ts'
import type { SavedView } from '../../../contract/people/personal-calls.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { pathTo } from '../../navigation/paths.ts'
import { ViewsMenu } from '../../record-kit/views/views-menu.tsx'
import { PERIOD_COMPARISONS, PRESETS } from '../../ui/inputs/period-picker/period.ts'
import { usePeriod } from '../../ui/inputs/period-picker/use-period.ts'
import { oneOf } from '../../ui/page/use-address.ts'
import { useNow } from '../../ui/page/use-now.ts'
import { openingRange } from './opening-range.ts'

/** Saved views of the page: period, comparison, division, unit and meters. Those with meters belong to the home. */
export default function EnergyViews({ homeId, zone }: { homeId: string; zone: string }) {
  const t = useT()
  const navigate = useNavigate()
  const { search } = useLocation()
  const { value } = usePeriod(zone, useNow(), openingRange())
  const params = new URLSearchParams(search)
  // What is shown by default may differ when the view is opened.
  params.set('range', value.range)
  params.set('compare', value.compare)
  const describe = ({ Query }: SavedView) => {
    const values = readParameters(Query)
    const range = values.get('range') ?? ''
    const preset = oneOf(PRESETS, range)
    const by = oneOf(GROUPINGS, values.get('by') ?? '')
    const compare = oneOf(PERIOD_COMPARISONS, values.get('compare') ?? '')
    const meters = values.get('meters')?.split(',').length
    return [
      preset ? t(`charts:period.presets.${preset}`) : range,
      by && t(`energy:by.${by}`),
      compare && t(`charts:period.comparisons.${compare}`),
      meters && t('energy:metersChosen', { count: meters }),
    ]
      .filter(Boolean)
      .join(' · ')
  }
  return (
    <ViewsMenu
      now={{
        List: 'electricity',
        Query: viewQuery('electricity', params.toString()),
        HomeID: params.has('meters') ? homeId : null,
      }}
      openView={({ HomeID, Query }) =>
        void navigate({ pathname: pathTo('Electricity', { HomeID: HomeID ?? homeId }), search: Query })
      }
      describe={describe}
      homeId={homeId}
    />
  )
}
