import { Select } from 'antd'
import { VISIT_STATES, type VisitState } from '../../../contract/access-control/access-pass.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import type { FilterOf } from '../../record-kit/resource-types.ts'
import type { ListFilter, Parameter } from '../../record-kit/screen.ts'
import { DaysFilter } from '../../ui/inputs/days-filter.tsx'
import { daySpanOf } from '../../ui/inputs/days.ts'
import styles from '../../ui/page/page.module.css'
import { useZone } from '../../ui/page/use-zone.ts'

const statesIn = (get: Parameter) => VISIT_STATES.filter((state) => get('state').split(',').includes(state))

/** How the list of visits is narrowed: by where they stand, and by their days. */
export function useVisitorFilters(): readonly ListFilter<FilterOf<'visitor'>>[] {
  const t = useT()
  const zone = useZone()
  const wordOf = (state: VisitState) => t(`access:states.${state}`)
  return [
    {
      params: ['state'],
      read: (get) => ({ States: statesIn(get) }),
      render: (get, change) => (
        <Select<VisitState[]>
          mode="multiple"
          allowClear
          maxTagCount="responsive"
          className={styles.choice ?? ''}
          value={statesIn(get)}
          placeholder={t('access:anyState')}
          aria-label={t('access:fields.State')}
          onChange={(next) => change({ state: next.join(',') })}
          options={VISIT_STATES.map((value) => ({ value, label: wordOf(value) }))}
        />
      ),
      inWords: (get) => statesIn(get).map(wordOf),
    },
    {
      params: ['from', 'to'],
      read: (get) => daySpanOf(get('from'), get('to'), zone),
      render: (get, change) => (
        <DaysFilter label={t('access:period')} from={get('from')} to={get('to')} change={change} />
      ),
    },
  ]
}
