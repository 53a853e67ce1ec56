import { useSearchParams } from 'react-router'
import { DateText } from '../../../contract/time/date-text.ts'
import { pathTo } from '../../navigation/paths.ts'

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
