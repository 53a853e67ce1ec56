import { NOTIFICATION_CATEGORIES, NOTIFICATION_SEVERITIES } from '../../../contract/notifications/settings.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { barChoice } from '../../ui/filter-bar/bar-choice.tsx'
import { barSwitch } from '../../ui/filter-bar/bar-switch.tsx'
import type { BarFilter } from '../../ui/filter-bar/bar-filter.ts'
import { oneOf, useAddress } from '../../ui/page/use-address.ts'
import { useNow } from '../../ui/page/use-now.ts'

/** Days. */
const PERIOD_DAYS = ['1', '7', '30'] as const
const NAMES = ['category', 'severity', 'since', 'unread', 'homes'] as const
const HOUR = 3_600_000

/** Filters of the history, stored in the address; optionally extended to all homes. */
export function useHistoryFilter(HomeID: string) {
  const t = useT()
  const { get, change } = useAddress()
  const now = useNow()
  const category = oneOf(NOTIFICATION_CATEGORIES, get('category'))
  const severity = oneOf(NOTIFICATION_SEVERITIES, get('severity'))
  const since = oneOf(PERIOD_DAYS, get('since'))
  const isUnread = get('unread') === '1'
  const isOfAll = get('homes') === 'all'
  const filters: BarFilter[] = [
    barChoice({
      key: 'category',
      label: t('inbox:history.columns.category'),
      placeholder: t('inbox:history.anyCategory'),
      value: category,
      options: NOTIFICATION_CATEGORIES.map((value) => ({
        value,
        label: t(`screens:noticeCategories.${value}`),
      })),
      onChange: (next) => change({ category: next }),
    }),
    barChoice({
      key: 'severity',
      label: t('screens:severity'),
      placeholder: t('inbox:history.anySeverity'),
      value: severity,
      options: NOTIFICATION_SEVERITIES.map((value) => ({ value, label: t(`screens:severities.${value}`) })),
      onChange: (next) => change({ severity: next }),
    }),
    barChoice({
      key: 'since',
      label: t('inbox:history.columns.at'),
      placeholder: t('inbox:history.anySince'),
      value: since,
      options: PERIOD_DAYS.map((value) => ({ value, label: t(`inbox:history.sinces.${value}`) })),
      onChange: (next) => change({ since: next }),
    }),
    barSwitch({
      key: 'unread',
      label: t('inbox:history.onlyUnread'),
      checked: isUnread,
      onChange: (isOn) => change({ unread: isOn ? '1' : undefined }),
    }),
    barSwitch({
      key: 'homes',
      label: t('inbox:history.allHomes'),
      checked: isOfAll,
      onChange: (isOn) => change({ homes: isOn ? 'all' : undefined }),
    }),
  ]
  return {
    isOfAll,
    bar: { filters },
    /** Input of the call; rounded to whole hours, so that it stays the same for a while. */
    input: {
      ...(!isOfAll && { HomeID }),
      ...(category && { Category: category }),
      ...(severity && { Severity: severity }),
      ...(since && { Since: Math.floor(now / HOUR) * HOUR - Number(since) * 24 * HOUR }),
      ...(isUnread && { Unread: true }),
    },
    isOn: category !== undefined || severity !== undefined || since !== undefined || isUnread,
    clear: () => change(Object.fromEntries(NAMES.map((name) => [name, undefined]))),
  }
}

export type HistoryFilter = ReturnType<typeof useHistoryFilter>
