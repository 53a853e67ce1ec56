import type { RoomFigure, RoomSummary, RoomTally } from '../../domain/room/room-summary.ts'
import {
  amountText,
  formatPower,
  formatReading,
  formatWhole,
  powerText,
} from '../../../contract/kernel/numbers.ts'
import { DEFAULT_ZONE } from '../../../contract/time/booking.ts'
import { formatWhen } from '../../../contract/time/format-time.ts'
import { useLanguage, useT } from '../../lib/i18n/i18n.ts'
import type { RoomBookings } from './use-room-bookings.ts'
import { toWallTimeInput } from '../../lib/wall-input.ts'
import { placeInLayer, type Layer, type RoomPlacement } from '../../domain/room/room-layers.ts'
import { useNow } from '../../ui/page/use-now.ts'
import { type RoomStore, useHighestPower, useRoom } from './room-store.ts'

const readingText = (value: number, unit: string) => amountText(formatReading(value, unit, formatWhole))

/** Time in the time zone of a room, e.g. "09:30". */
export const timeOn = (timestamp: number, zone: string): string =>
  toWallTimeInput(timestamp, zone).slice(11, 16)

const dayOn = (timestamp: number, zone: string): string => toWallTimeInput(timestamp, zone).slice(0, 10)

/** Texts for a room's values; undefined if nothing in it reports them. */
export interface RoomWords {
  state: string
  temperature: string | undefined
  people: string | undefined
  light: string | undefined
  climate: string | undefined
  power: string | undefined
  air: string | undefined
  booking: string | undefined
}

/** Formats a room's values in the user's language and the site's time zone. */
export function useRoomWords(): (
  room: RoomSummary | undefined,
  booked: RoomBookings | undefined,
  now: number,
) => RoomWords {
  const t = useT()
  const language = useLanguage()
  const unknown = t('building:unknown')

  const figure = ({ value, total }: RoomFigure, write: (value: number) => string) =>
    total === 0 ? undefined : value === null ? unknown : write(value)
  const onOf = ({ count: onCount, total, unknown: unknownCount }: RoomTally) =>
    total === 0
      ? undefined
      : unknownCount === total
        ? unknown
        : unknownCount > 0
          ? t('building:onOfUnknown', { on: onCount, total, unknown: unknownCount })
          : t('building:onOf', { on: onCount, total })
  const people = ({ count, total, unknown: unknownCount }: RoomTally) =>
    total === 0
      ? undefined
      : count > 0
        ? t('building:someone')
        : unknownCount > 0
          ? unknown
          : t('building:nobody')
  const power = (watts: RoomFigure) =>
    figure(watts, (value) =>
      watts.unknown > 0
        ? t('building:partPower', { power: formatPower(value / 1000), unknown: watts.unknown })
        : powerText(value / 1000),
    )
  const air = ({ co2, pm25 }: RoomSummary) => {
    const parts = [
      figure(co2, (value) => `CO₂ ${readingText(value, 'ppm')}`),
      figure(pm25, (value) => `PM2.5 ${readingText(value, 'µg/m³')}`),
    ].filter((part) => part !== undefined)
    return parts.length === 0
      ? undefined
      : parts.every((part) => part === unknown)
        ? unknown
        : parts.join(' · ')
  }
  const booking = (booked: RoomBookings | undefined, now: number) => {
    if (!booked) return undefined
    if (!booked.bookings) return unknown
    const next = booked.bookings.find(({ EndTimestamp }) => EndTimestamp > now)
    if (!next) return t('building:noBooking')
    const zone = booked.places[0]?.TimeZone ?? DEFAULT_ZONE
    return next.StartTimestamp <= now
      ? t('building:until', { end: timeOn(next.EndTimestamp, zone) })
      : t('building:from', {
          // The next booking may be tomorrow's.
          start:
            dayOn(next.StartTimestamp, zone) === dayOn(now, zone)
              ? timeOn(next.StartTimestamp, zone)
              : formatWhen(next.StartTimestamp, language, zone, 'near'),
          subject: next.Hidden ? t('building:private') : next.Subject,
        })
  }

  return (room, booked, now) => {
    const state = room?.state ?? 'bare'
    const stateText = t(`building:states.${state}`)
    return {
      state:
        room && room.attentionCount > 0
          ? t('building:needs', { state: stateText, number: room.attentionCount })
          : stateText,
      temperature: room && figure(room.temperature, (value) => readingText(value, '°C')),
      people: room && people(room.people),
      light: room && onOf(room.lights),
      climate: room && onOf(room.climate),
      power: room && power(room.watts),
      air: room && air(room),
      booking: booking(booked, now),
    }
  }
}

export interface ShownRoom {
  store: RoomStore
  RoomID: number
  name: string
  layer: Layer | undefined
  booked: RoomBookings | undefined
  open: (RoomID: number) => void
}

export interface RoomLook {
  room: RoomSummary | undefined
  words: RoomWords
  state: RoomSummary['state']
  /** Color step in the layer; undefined without one. */
  step: Exclude<RoomPlacement, string> | undefined
  /** Whether the layer's value is unknown. */
  isHatched: boolean
}

/** Present appearance of one room. Renders only for changes of its own room. */
export function useRoomLook({
  store,
  RoomID,
  layer,
  booked,
}: Pick<ShownRoom, 'store' | 'RoomID' | 'layer' | 'booked'>): RoomLook {
  const now = useNow()
  const room = useRoom(store, RoomID)
  const highest = useHighestPower(store, layer === 'power')
  const words = useRoomWords()(room, booked, now)
  const place =
    layer === undefined || !room
      ? undefined
      : placeInLayer(layer, room, { highest, bookings: booked && booked.bookings, now })
  return {
    room,
    words,
    state: room?.state ?? 'bare',
    step: typeof place === 'number' ? place : undefined,
    isHatched: layer === undefined ? room?.state === 'unknown' : place === 'unknown',
  }
}
