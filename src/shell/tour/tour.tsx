import { Button, Tour } from 'antd'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { attention } from '../../../contract/attention/calls.ts'
import { MOTION_DETECTED } from '../../../contract/devices/capabilities/sensors.ts'
import { deviceType } from '../../../contract/devices/kinds/registry.ts'
import type { DeviceSnapshot, Peripheral } from '../../../contract/devices/peripheral.ts'
import { findings } from '../../../contract/findings/calls.ts'
import type { HomeWithRooms } from '../../../contract/homes/home.ts'
import { callQuery, queryClient } from '../../data/api.ts'
import { describeFailure } from '../../data/failure.ts'
import { notices } from '../../data/notices.ts'
import { devicesQuery, homesByName, useHomes } from '../../data/homes.ts'
import { mayNow } from '../../data/session.ts'
import { statuses } from '../../data/status-store.ts'
import { hasTour } from '../../data/tour-offer.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { pathTo } from '../../navigation/paths.ts'

/** A stop of the tour: a page, and the element on it with which the user does something. */
interface TourStop {
  /** Key of its title and text. `calm` replaces `needs` if nothing needs attention. */
  key: 'needs' | 'calm' | 'saving' | 'room'
  path: string
  /** Including the `?`, or empty. */
  search: string
  target: string
}

/**
 * Stops for the present state of a company, so that no text contradicts its page: acknowledging the most urgent item, the evidence of the
 * greatest saving if there is one, and turning off the lights of a room that has lights on.
 */
export async function findTourStops(homes: readonly HomeWithRooms[]): Promise<TourStop[]> {
  const [items, saving, room] = await Promise.all([
    mayNow('device', 'Read') ? queryClient.fetchQuery(callQuery(attention.listAttention, {})) : undefined,
    mayNow('electricity', 'Read') ? queryClient.fetchQuery(callQuery(findings.getSaving, {})) : undefined,
    mayNow('device', 'Read') && mayNow('device_control', 'Control') ? findLitRoom(homes) : undefined,
  ])
  const needsAttention = items?.Items.some(({ Severity }) => Severity !== 'info')
  const [path = '', search] = saving?.Top[0]?.Evidence.split('?') ?? []
  return [
    { key: needsAttention ? 'needs' : 'calm', path: '/', search: '', target: '[data-tour="needs"]' },
    ...(path === ''
      ? []
      : [{ key: 'saving', path, search: `?${search ?? ''}`, target: '[data-tour="evidence"]' } as const]),
    ...(room
      ? [
          {
            key: 'room',
            path: pathTo('Building', { HomeID: room.HomeID }),
            search: `?room=${room.RoomID}`,
            target: '[data-tour="room"]',
          } as const,
        ]
      : []),
  ]
}

/** A light that is on in a room where no sensor detects anyone; undefined if there is none. */
async function findLitRoom(homes: readonly HomeWithRooms[]): Promise<Peripheral | undefined> {
  for (const { HomeID } of homesByName(homes)) {
    const devices = await queryClient.fetchQuery(devicesQuery(HomeID))
    const inUse = new Set(
      devices.Peripherals.filter(
        ({ PeripheralUID }) => statuses.get(PeripheralUID)?.['MotionState'] === MOTION_DETECTED,
      ).map(({ RoomID }) => RoomID),
    )
    const light = devices.Peripherals.find((device) => !inUse.has(device.RoomID) && isLit(devices, device))
    if (light) return light
  }
  return undefined
}

function isLit(
  { Things }: DeviceSnapshot,
  { PeripheralUID, PeripheralType, ThingName }: Peripheral,
): boolean {
  const type = deviceType(PeripheralType)
  const status = statuses.get(PeripheralUID)
  return (
    type?.category === 'LightSwitch' &&
    Things.some((hub) => hub.ThingName === ThingName && hub.Online) &&
    type.capabilities.some(
      ({ name, command }) =>
        name === 'switches' && Object.keys(command).some((relay) => status?.[relay] === 1),
    )
  )
}

/** Share of the screen height above which an element leaves no space for the tour's text. */
const MAX_SCREEN_SHARE = 0.6

/** First element on the step's page that matches, as soon as there is one; replaced if it is removed. */
function useTarget(place: TourStop | undefined): HTMLElement | null {
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

/** Guided tour of the demo, each stop on its page; it can be skipped at any time. */
export default function DemoTour({ close }: { close: () => void }) {
  const t = useT()
  const navigate = useNavigate()
  const homes = useHomes()
  const stops = useTourStops(homes)
  const [at, setAt] = useState(0)
  const place = stops?.[at]
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
  const finish = () => {
    end()
    void navigate('/')
  }
  if (!stops || !place) return null
  const last = stops.length - 1
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
        key={place.key}
        size="small"
        type="primary"
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the step is a dialog of its own over the page
        autoFocus
        aria-describedby={`tour-${place.key}`}
        onClick={() => (at < last ? setAt(at + 1) : finish())}
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
      steps={stops.map(({ key }, i) => ({
        title: t(`tour:steps.${key}.title`),
        description: <span id={`tour-${key}`}>{t(`tour:steps.${key}.text`)}</span>,
        // Without a target it is centered.
        target: i === at ? target : null,
      }))}
    />
  )
}

/** Stops of the tour, chosen once: what the user does on the way must not change them. */
function useTourStops(homes: readonly HomeWithRooms[] | undefined): readonly TourStop[] | undefined {
  const [stops, setStops] = useState<readonly TourStop[]>()
  const isFinding = useRef(false)
  useEffect(() => {
    if (!homes || isFinding.current) return
    isFinding.current = true
    findTourStops(homes).then(setStops, (error: unknown) => {
      // Without answers of the gateway no stop is known to be true.
      hasTour.set(false)
      notices.error(() => describeFailure(error))
    })
  }, [homes])
  return stops
}
