import { Button, Tour } from 'antd'
import { useEffect, useEffectEvent, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { useHomes } from '../../data/homes.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { hasTour } from '../../data/tour-offer.ts'
import type { HomeWithRooms } from '../../../contract/homes/home.ts'
import { pathTo, type PathName } from '../../navigation/paths.ts'

export const TOUR_STEPS = ['needs', 'lost', 'demand', 'room', 'month', 'search'] as const
type TourStep = (typeof TOUR_STEPS)[number]

/** Sites of the demo's story; for another company, its first site is used for every step. */
const SITES: Readonly<Partial<Record<TourStep, string>>> = {
  lost: '台南物流中心',
  demand: '內湖總部',
  room: '內湖總部',
  month: '內湖總部',
}

/** Page of each step, and its highlighted element: marked by `data-tour`, or common to pages of the kind. */
const PAGES: Readonly<Record<TourStep, { page: PathName; search?: string; target: string }>> = {
  needs: { page: 'Home', target: '[data-tour="needs"]' },
  lost: { page: 'DeviceList', search: 'state=offline', target: 'main [data-row-key]' },
  demand: { page: 'Tariff', search: 'tab=demand', target: '[data-tour="demand"]' },
  room: { page: 'Building', target: '[data-tour="room"]' },
  month: {
    page: 'Electricity',
    search: 'range=lastMonth&by=room&measure=cost',
    target: '[data-tour="month"]',
  },
  search: { page: 'Home', target: '.search-button' },
}

interface TourPlace {
  path: string
  /** Including the `?`, or empty. */
  search: string
  target: string
}

/** Page and element of a step; undefined if there is no site. */
export function tourTargetOf(step: TourStep, homes: readonly HomeWithRooms[]): TourPlace | undefined {
  const { page, search, target } = PAGES[step]
  const home = homes.find(({ HomeName }) => HomeName === SITES[step]) ?? homes[0]
  if (!home) return undefined
  const [, room = home.RoomList[0]] = home.RoomList
  const requestedSearch = step === 'room' ? `room=${room?.RoomID ?? 0}` : search
  return {
    path: pathTo(page, { HomeID: home.HomeID }),
    search: requestedSearch ? `?${requestedSearch}` : '',
    target,
  }
}

/** Share of the screen height above which an element leaves no space for the tour's text. */
const MAX_SCREEN_SHARE = 0.6

/** First element on the step's page that matches, as soon as there is one; replaced if it is removed. */
function useTarget(place: TourPlace | undefined): HTMLElement | null {
  const [target, setTarget] = useState<HTMLElement | null>(null)
  const { pathname } = useLocation()
  const selector = place?.path === pathname ? place.target : undefined
  useEffect(() => {
    if (selector === undefined) return
    const measureTarget = () =>
      setTarget((old) => (old?.isConnected && old.matches(selector) ? old : document.querySelector(selector)))
    measureTarget()
    const observer = new MutationObserver(measureTarget)
    observer.observe(document.body, { childList: true, subtree: true })
    return () => observer.disconnect()
  }, [selector])
  if (selector === undefined || !target?.matches(selector)) return null
  // For an element that fills the screen of a phone, only its head is highlighted.
  const head = target.offsetHeight > innerHeight * MAX_SCREEN_SHARE ? target.firstElementChild : null
  return head instanceof HTMLElement ? head : target
}

/** Guided tour of the demo in six steps, each on its page; it can be skipped at any time. */
export default function DemoTour({ close }: { close: () => void }) {
  const t = useT()
  const navigate = useNavigate()
  const homes = useHomes()
  const [at, setAt] = useState(0)
  const step = TOUR_STEPS[at] ?? TOUR_STEPS[0]
  const place = homes && tourTargetOf(step, homes)
  const to = place && `${place.path}${place.search}`
  const target = useTarget(place)
  // The router creates a new function on each page; each step navigates only once.
  const openAddress = useEffectEvent((address: string) => void navigate(address))
  useEffect(() => {
    if (to !== undefined) openAddress(to)
  }, [to])
  const end = () => {
    hasTour.set(false)
    close()
  }
  const last = TOUR_STEPS.length - 1
  const actions = () => (
    <>
      {at < last && (
        <Button size="small" type="text" onClick={end}>
          {t('tour:skip')}
        </Button>
      )}
      {at > 0 && (
        <Button size="small" onClick={() => setAt(at - 1)}>
          {t('tour:back')}
        </Button>
      )}
      <Button
        // Remounted for each step, so that the button gets the focus and the step's text is read aloud.
        key={step}
        size="small"
        type="primary"
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the step is a dialog of its own over the page
        autoFocus
        aria-describedby={`tour-${step}`}
        onClick={() => (at < last ? setAt(at + 1) : end())}
      >
        {t(at < last ? 'tour:next' : 'tour:end')}
      </Button>
    </>
  )
  return (
    <Tour
      open
      current={at}
      onChange={setAt}
      onClose={end}
      gap={{ offset: 4 }}
      closable={{ 'aria-label': t('tour:skip') }}
      actionsRender={actions}
      steps={TOUR_STEPS.map((key, i) => ({
        title: t(`tour:steps.${key}.title`),
        description: <span id={`tour-${key}`}>{t(`tour:steps.${key}.text`)}</span>,
        // Without a target it is centered.
        target: i === at ? target : null,
      }))}
    />
  )
}
