import type { RoomFigure, RoomSummary, RoomTally } from '../../domain/room/room-summary.ts'
import { formatPower } from '../../lib/format-power.ts'
import { DEFAULT_ZONE } from '../../../contract/time/booking.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { timeOn } from './time-on.ts'
import type { RoomBookings } from './use-room-bookings.ts'

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
  const unknown = t('building:unknown')

  const figure = ({ value, total }: RoomFigure, write: (value: number) => string) =>
    total === 0 ? undefined : value === null ? unknown : write(value)
  const onOf = ({ count: on, total, unknown: lost }: RoomTally) =>
    total === 0
      ? undefined
      : lost === total
        ? unknown
        : lost > 0
          ? t('building:onOfUnknown', { on, total, unknown: lost })
          : t('building:onOf', { on, total })
  const people = ({ count, total, unknown: lost }: RoomTally) =>
    total === 0 ? undefined : count > 0 ? t('building:someone') : lost > 0 ? unknown : t('building:nobody')
  const power = (watts: RoomFigure) =>
    figure(watts, (value) =>
      watts.unknown > 0
        ? t('building:partPower', { power: formatPower(value / 1000), unknown: watts.unknown })
        : `${formatPower(value / 1000)} kW`,
    )
  const air = ({ co2, pm25 }: RoomSummary) => {
    const parts = [
      figure(co2, (value) => `CO₂ ${Math.round(value)} ppm`),
      figure(pm25, (value) => `PM2.5 ${Math.round(value)} µg/m³`),
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
          start: timeOn(next.StartTimestamp, zone),
          subject: next.Hidden ? t('building:private') : next.Subject,
        })
  }

  return (room, booked, now) => {
    const state = room?.state ?? 'bare'
    const words = t(`building:states.${state}`)
    return {
      state: room && room.needs > 0 ? t('building:needs', { state: words, number: room.needs }) : words,
      temperature: room && figure(room.temperature, (value) => `${value.toFixed(1)} °C`),
      people: room && people(room.people),
      light: room && onOf(room.lights),
      climate: room && onOf(room.climate),
      power: room && power(room.watts),
      air: room && air(room),
      booking: booking(booked, now),
    }
  }
}
