import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
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
import page from '../../ui/page/page.module.css'
import { PlainButton } from '../../ui/plain/plain-button.tsx'
import styles from './tour.module.css'

/** A stop of the tour: a page, and the element on it with which the user does something. */
interface TourStop {
  /** Key of its title and text. `calm` replaces `needs` if nothing needs attention. */
  key: 'needs' | 'calm' | 'saving' | 'room'
  path: string
  /** Including the `?`, or empty. */
  search: string
  target: string
  /** Whether the user may do what the text names; otherwise it describes only what there is to read. */
  mayAct: boolean
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
  const mayAcknowledge = mayNow('power_meter_alarm', 'Control') || mayNow('device_control', 'Control')
  const [path = '', search] = saving?.Top[0]?.Evidence.split('?') ?? []
  return [
    {
      key: needsAttention ? 'needs' : 'calm',
      path: '/',
      search: '',
      target: '[data-tour="needs"]',
      mayAct: mayAcknowledge,
    },
    ...(path === ''
      ? []
      : [
          {
            key: 'saving',
            path,
            search: `?${search ?? ''}`,
            target: '[data-tour="evidence"]',
            mayAct: mayNow('electricity', 'Update'),
          } as const,
        ]),
    ...(room
      ? [
          {
            key: 'room',
            path: pathTo('Building', { HomeID: room.HomeID }),
            search: `?room=${room.RoomID}`,
            target: '[data-tour="room"]',
            mayAct: true,
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

/** Attribute of the element that a step describes, which outlines it. */
const TARGET_ATTRIBUTE = 'data-tour-target'

/** Outlines the first element on the step's page that matches and scrolls to it, as soon as there is one; again if it is replaced. */
function useTarget(place: TourStop | undefined): void {
  const { pathname } = useLocation()
  const selector = place?.path === pathname ? place.target : undefined
  useEffect(() => {
    if (selector === undefined) return
    let target: Element | null = null
    const findTarget = () => {
      if (target?.isConnected) return
      target = document.querySelector(selector)
      target?.setAttribute(TARGET_ATTRIBUTE, '')
      target?.scrollIntoView({ block: 'nearest' })
    }
    findTarget()
    const observer = new MutationObserver(findTarget)
    observer.observe(document.body, { childList: true, subtree: true })
    return () => {
      observer.disconnect()
      target?.removeAttribute(TARGET_ATTRIBUTE)
    }
  }, [selector])
}

/** Reserves the height of the panel at the bottom of the page, of drawers and of dialogs. */
function useReservedHeight(panel: HTMLElement | null): void {
  useLayoutEffect(() => {
    if (!panel) return
    const { dataset, style } = document.documentElement
    const reserve = () => style.setProperty('--tour-height', `${panel.offsetHeight}px`)
    reserve()
    dataset['tour'] = ''
    const observer = new ResizeObserver(reserve)
    observer.observe(panel)
    return () => {
      observer.disconnect()
      delete dataset['tour']
      style.removeProperty('--tour-height')
    }
  }, [panel])
}

/** Lets Tab leave a drawer, which otherwise keeps the focus, for the panel. */
function useWayFromDrawer(panel: HTMLElement | null): void {
  useEffect(() => {
    if (!panel) return
    const onFocus = ({ target, relatedTarget }: FocusEvent) => {
      const isEnd = target instanceof HTMLElement && target.dataset['sentinel'] === 'end'
      if (isEnd && !(relatedTarget instanceof Node && panel.contains(relatedTarget)))
        panel.querySelector('button')?.focus()
    }
    document.addEventListener('focusin', onFocus)
    return () => document.removeEventListener('focusin', onFocus)
  }, [panel])
}

/** Guided tour of the demo, each stop on its page, which stays usable; it can be skipped at any time. */
export default function DemoTour({ close }: { close: () => void }) {
  const t = useT()
  const navigate = useNavigate()
  const homes = useHomes()
  const stops = useTourStops(homes)
  const [at, setAt] = useState(0)
  const [panel, setPanel] = useState<HTMLElement | null>(null)
  const place = stops?.[at]
  const to = place && `${place.path}${place.search}`
  useTarget(place)
  useReservedHeight(panel)
  useWayFromDrawer(panel)
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
  const { key } = place
  return (
    <section ref={setPanel} className={styles.tour} aria-label={t('tour:label')}>
      <div className={styles.words} aria-live="polite">
        <strong>{t(`tour:steps.${key}.title`)}</strong>
        <p id="tour-text">{textOf(t, place)}</p>
      </div>
      <div className={styles.actions}>
        <span className={page.small}>{t('tour:step', { number: at + 1, total: stops.length })}</span>
        {at < last && (
          <PlainButton bare onClick={end}>
            {t('tour:skip')}
          </PlainButton>
        )}
        {at > 0 && <PlainButton onClick={() => setAt(at - 1)}>{t('tour:back')}</PlainButton>}
        <PlainButton
          // Remounted for each step, so that the button gets the focus and the step's text is read aloud.
          key={key}
          main
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the user has just opened this step
          autoFocus
          aria-describedby="tour-text"
          onClick={() => (at < last ? setAt(at + 1) : finish())}
        >
          {t(at < last ? 'tour:next' : 'tour:end')}
        </PlainButton>
      </div>
    </section>
  )
}

/** Text of a stop that names only what the user may do. */
function textOf(t: ReturnType<typeof useT>, { key, mayAct }: TourStop): string {
  if (!mayAct && (key === 'needs' || key === 'saving')) return t(`tour:steps.${key}.textToRead`)
  return t(`tour:steps.${key}.text`)
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
