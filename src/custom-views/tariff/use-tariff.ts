import { useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import { useSearchParams } from 'react-router'
import { homeTariff } from '../../../contract/tariffs/home-tariff-calls.ts'
import { tariff } from '../../../contract/tariffs/tariff.ts'
import { taipowerPlan } from '../../../contract/tariffs/taipower-plans.ts'
import type { TariffVersion } from '../../../contract/tariffs/tariff-terms.ts'
import { callQuery } from '../../data/api.ts'
import { hasText, useT } from '../../lib/i18n/i18n.ts'
import { useFormatDate, useFormatPeriod } from '../../ui/page/format-when.ts'
import { DateText } from '../../../contract/time/date-text.ts'
import { pathTo } from '../../navigation/paths.ts'

export const useTariffs = () => useQuery(callQuery(tariff.operations.list, {}))
export const useHomeTariffs = (HomeID: string) => useQuery(callQuery(homeTariff.listHomeTariff, { HomeID }))

export function usePlans() {
  const t = useT()
  const ownTariffs = useTariffs().data
  const nameOf = useCallback(
    (id: string): string => {
      const key = `tariff:plans.${id}`
      if (hasText(key)) return t(key)
      return ownTariffs?.find(({ TariffID }) => TariffID === id)?.TariffName ?? id
    },
    [ownTariffs, t],
  )
  const versionsOf = useCallback(
    (id: string): readonly TariffVersion[] =>
      taipowerPlan(id)?.Versions ?? ownTariffs?.find(({ TariffID }) => TariffID === id)?.Versions ?? [],
    [ownTariffs],
  )
  return { own: ownTariffs ?? [], nameOf, versionsOf }
}

/** Text for a range of days, both inclusive: of a tariff, or of a yearly season; `through` is null for an open end. */
export function useSpanWords(): (from: string, through: string | null) => string {
  const t = useT()
  const date = useFormatDate()
  const daysText = useFormatPeriod()
  return (from, through) =>
    through === null
      ? t('tariff:span', { from: date(from), through: t('tariff:open') })
      : daysText(from, through)
}

export const TABS = ['home', 'demand', 'bill', 'compare', 'own', 'rules'] as const
export type Tab = (typeof TABS)[number]

/** Valid parameters of the tabs: month of the peaks, day of the bill, trial contract in kW. */
const DETAILS = {
  month: (text: string) => /^\d{4}-(0[1-9]|1[0-2])$/.test(text),
  date: (text: string) => DateText.safeParse(text).success,
  kw: (text: string) => /^[1-9]\d{0,5}$/.test(text),
} as const
type Detail = keyof typeof DETAILS

export interface TariffAddress {
  tab: Tab
  openTab: (tab: Tab) => void
  /** Undefined if the address has none, or an invalid one. */
  detail: (name: Detail) => string | undefined
  setDetail: (name: Detail, value: string | undefined) => void
}

/** Open tab and its parameters, in the address: `?tab=bill&date=2026-03-01`. */
export function useTariffAddress(): TariffAddress {
  const [params, setParams] = useSearchParams()
  return {
    tab: TABS.find((knownTab) => knownTab === params.get('tab')) ?? 'home',
    openTab: (tab) => setParams(tab === 'home' ? {} : { tab }, { replace: true }),
    detail: (name) => {
      const text = params.get(name) ?? ''
      return DETAILS[name](text) ? text : undefined
    },
    setDetail: (name, value) =>
      setParams(
        (old) => {
          const all = new URLSearchParams(old)
          if (value === undefined) all.delete(name)
          else all.set(name, value)
          return all
        },
        { replace: true },
      ),
  }
}

/** Address of a tab of a home's tariff page, with its parameters. */
export const tariffAddress = (
  HomeID: string,
  tab: Tab,
  details: Partial<Record<Detail, string>> = {},
): string => `${pathTo('Tariff', { HomeID })}?${new URLSearchParams({ tab, ...details })}`
