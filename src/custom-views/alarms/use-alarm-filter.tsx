import { ALARM_KINDS, type AlarmState } from '../../../contract/alarms/calls.ts'
import { ALARM_SEVERITIES } from '../../../contract/kernel/severity.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { barChoice } from '../../ui/filter-bar/bar-choice.tsx'
import { SearchBox } from '../../ui/inputs/search-box.tsx'
import { oneOf, useAddress } from '../../ui/page/use-address.ts'
import { useNow } from '../../ui/page/use-now.ts'

/** States to filter by; default: open. */
const STATES = [
  'open',
  'unacknowledged',
  'acknowledged',
  'shelved',
  'cleared',
] as const satisfies AlarmState[]
/** Days. */
const PERIOD_DAYS = ['1', '7', '30'] as const
const NAMES = ['q', 'state', 'severity', 'kind', 'since'] as const
const HOUR = 3_600_000

/** Filters of a home's alarms, stored in the address. */
export function useAlarmFilter() {
  const t = useT()
  const { get, change } = useAddress()
  const now = useNow()
  const state = oneOf(STATES, get('state')) ?? 'open'
  const severity = oneOf(ALARM_SEVERITIES, get('severity'))
  const kind = oneOf(ALARM_KINDS, get('kind'))
  const since = oneOf(PERIOD_DAYS, get('since'))
  const search = get('q').trim().slice(0, 100)
  const bar = {
    leading: <SearchBox value={get('q')} label={t('alarms:filters.search')} search={(q) => change({ q })} />,
    filters: [
      barChoice({
        key: 'state',
        label: t('alarms:filters.state'),
        placeholder: t('alarms:states.open'),
        value: state === 'open' ? undefined : state,
        options: STATES.filter((value) => value !== 'open').map((value) => ({
          value,
          label: t(`alarms:states.${value}`),
        })),
        onChange: (next) => change({ state: next }),
      }),
      barChoice({
        key: 'severity',
        label: t('alarms:filters.severity'),
        placeholder: t('alarms:filters.anySeverity'),
        value: severity,
        options: ALARM_SEVERITIES.map((value) => ({ value, label: t(`screens:severities.${value}`) })),
        onChange: (next) => change({ severity: next }),
      }),
      barChoice({
        key: 'kind',
        label: t('alarms:filters.kind'),
        placeholder: t('alarms:filters.anyKind'),
        value: kind,
        options: ALARM_KINDS.map((value) => ({ value, label: t(`alarms:kinds.${value}`) })),
        onChange: (next) => change({ kind: next }),
      }),
      barChoice({
        key: 'since',
        label: t('alarms:filters.since'),
        placeholder: t('alarms:filters.anySince'),
        value: since,
        options: PERIOD_DAYS.map((value) => ({ value, label: t(`alarms:filters.sinces.${value}`) })),
        onChange: (next) => change({ since: next }),
      }),
    ],
  }
  return {
    state,
    severity,
    search,
    change,
    bar,
    /** Input of the call; rounded to whole hours, so that it stays the same for a while. */
    input: {
      State: state,
      Search: search,
      ...(severity && { Severity: severity }),
      ...(kind && { Kind: kind }),
      ...(since && { Since: Math.floor(now / HOUR) * HOUR - Number(since) * 24 * HOUR }),
    },
    isOn:
      search !== '' ||
      state !== 'open' ||
      severity !== undefined ||
      kind !== undefined ||
      since !== undefined,
    clear: () => change(Object.fromEntries(NAMES.map((name) => [name, undefined]))),
  }
}

export type AlarmFilter = ReturnType<typeof useAlarmFilter>
