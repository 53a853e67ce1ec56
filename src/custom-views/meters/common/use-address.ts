import { useSearchParams } from 'react-router'

export const TABS = ['meters', 'replace', 'correct', 'quarantined', 'virtual', 'places'] as const
export type Tab = (typeof TABS)[number]

/** Local time in the format of a date and time field: `2026-03-04T14:30`. */
const WALL = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/
/** Query parameters with times in the home's time zone. */
const MOMENTS = ['at', 'from', 'to'] as const
type Moments = Partial<Record<(typeof MOMENTS)[number], string>>

export interface MetersAddress {
  tab: Tab
  /** Id of the chosen meter; undefined if none. */
  meter: string | undefined
  /** Initial times of a replacement or correction. */
  moments: Moments
  openTab: (tab: Tab, meter?: string, openTab?: Moments) => void
}

/** Open tab and chosen meter, stored in the address: `?tab=replace&meter=a&at=2026-03-04T14:30`. */
export function useMetersAddress(): MetersAddress {
  const [params, setParams] = useSearchParams()
  return {
    tab: TABS.find((knownTab) => knownTab === params.get('tab')) ?? 'meters',
    meter: params.get('meter') ?? undefined,
    moments: Object.fromEntries(
      MOMENTS.flatMap((name) => {
        const text = params.get(name) ?? ''
        return WALL.test(text) ? [[name, text]] : []
      }),
    ),
    openTab: (tab, meter, moments = {}) => setParams(searchOf(tab, meter, moments), { replace: true }),
  }
}

const searchOf = (tab: Tab, meter: string | undefined, moments: Moments): Record<string, string> => ({
  ...(tab !== 'meters' && { tab }),
  ...(meter !== undefined && { meter }),
  ...moments,
})
