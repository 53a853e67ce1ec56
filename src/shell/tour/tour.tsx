import { Button, Tour } from 'antd'
import { useEffect, useEffectEvent, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { useHomes } from '../../data/homes.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { hasTour } from './offer.ts'
import type { HomeWithRooms } from '../../../contract/homes/home.ts'
import { pathTo, type PathName } from '../../navigation/paths.ts'

/** What the tour shows, in its order. */
export const TOUR_STEPS = ['needs', 'lost', 'demand', 'room', 'month', 'search'] as const
type TourStep = (typeof TOUR_STEPS)[number]

/** The sites of the demo that the story is about; another company has its first one for each. */
const SITES: Readonly<Partial<Record<TourStep, string>>> = {
  lost: '台南物流中心',
  demand: '內湖總部',
  room: '內湖總部',
  month: '內湖總部',
}

/** Where each step is. What it points at is marked by `data-tour` on its page, or is what every page of the kind has. */
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
  /** With its `?`, or empty. */
  search: string
  /** A selector of what on the page is pointed at. */
  target: string
}

/** Where a step is. Undefined where there is no site to show it at. */
export function tourTargetOf(step: TourStep, homes: readonly HomeWithRooms[]): TourPlace | undefined {
  const { page, search, target } = PAGES[step]
  const home = homes.find(({ HomeName }) => HomeName === SITES[step]) ?? homes[0]
  if (!home) return undefined
  const [, room = home.RoomList[0]] = home.RoomList
  const asked = step === 'room' ? `room=${room?.RoomID ?? 0}` : search
  return { path: pathTo(page, { HomeID: home.HomeID }), search: asked ? `?${asked}` : '', target }
}

/** What is higher than this part of the screen leaves no room for words beside it. */
const MOST_OF_SCREEN = 0.6

/** The first thing on the page of a step that matches, as soon as there is one, and another one where that goes. */
function useTarget(place: TourPlace | undefined): HTMLElement | null {
  const [target, setTarget] = useState<HTMLElement | null>(null)
  const { pathname } = useLocation()
  const selector = place?.path === pathname ? place.target : undefined
  useEffect(() => {
    if (selector === undefined) return
    const look = () =>
      setTarget((old) => (old?.isConnected && old.matches(selector) ? old : document.querySelector(selector)))
    look()
    const observer = new MutationObserver(look)
    observer.observe(document.body, { childList: true, subtree: true })
    return () => observer.disconnect()
  }, [selector])
  if (selector === undefined || !target?.matches(selector)) return null
  // Of what fills a phone's screen its head is pointed at.
  const head = target.offsetHeight > innerHeight * MOST_OF_SCREEN ? target.firstElementChild : null
  return head instanceof HTMLElement ? head : target
}

/** Six steps through the demo's story, each on its page; it can be left at any time. */
export default function DemoTour({ close }: { close: () => void }) {
  const t = useT()
  const navigate = useNavigate()
  const homes = useHomes()
  const [at, setAt] = useState(0)
  const step = TOUR_STEPS[at] ?? TOUR_STEPS[0]
  const place = homes && tourTargetOf(step, homes)
  const to = place && `${place.path}${place.search}`
  const target = useTarget(place)
  // The router's function is another one on each page, and each step leads somewhere once.
  const lead = useEffectEvent((address: string) => void navigate(address))
  useEffect(() => {
    if (to !== undefined) lead(to)
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
        // Another one for each step, so that the focus comes to it and its words are read aloud.
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
        // Without a place it stands in the middle.
        target: i === at ? target : null,
      }))}
    />
  )
}
