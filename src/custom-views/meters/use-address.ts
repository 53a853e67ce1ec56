import { useSearchParams } from 'react-router'

export const TABS = ['meters', 'replace', 'correct', 'withheld', 'virtual'] as const
export type Tab = (typeof TABS)[number]

export interface MetersAddress {
  tab: Tab
  /** The meter that is spoken of; undefined for none yet. */
  meter: string | undefined
  go: (tab: Tab, meter?: string) => void
}

/** Which part of the page is open and which meter is chosen, as it stands in the address: `?tab=replace&meter=a`. */
export function useMetersAddress(): MetersAddress {
  const [params, setParams] = useSearchParams()
  return {
    tab: TABS.find((one) => one === params.get('tab')) ?? 'meters',
    meter: params.get('meter') ?? undefined,
    go: (tab, meter) =>
      setParams(
        { ...(tab !== 'meters' && { tab }), ...(meter !== undefined && { meter }) },
        { replace: true },
      ),
  }
}
