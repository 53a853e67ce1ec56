import { MAX_BOOKING_RANGE_MS, bookings } from '../../../contract/bookings/calls.ts'
import type { ConferenceRoomWithClock } from '../../../contract/bookings/conference-room.ts'
import { call } from '../../data/api.ts'
import { callErrorIn } from '../../data/post.ts'
import { gatewayNow } from '../../lib/gateway-clock.ts'
import { t } from '../../lib/i18n/i18n.ts'
import type { ConfirmationLevel } from '../../record-kit/screen.ts'

const DAY_MS = 86_400_000

/** Whether a room stays because of bookings that are to come. */
export const hasBookings = (error: unknown): boolean => callErrorIn(error)?.failure === 'CONFLICT'

/** Asks whether bookings that are to come go with their room; their people would have to be told. */
export async function askToCancel(
  { ConferenceRoomID, ConferenceRoomName: room }: ConferenceRoomWithClock,
  error: unknown,
): Promise<ConfirmationLevel | undefined> {
  if (!hasBookings(error)) return undefined
  const count = await countComing(ConferenceRoomID)
  return {
    title: t('bookings:rooms.hasBookings', { room }),
    ask: (
      <>
        {count > 0 && <p>{t('bookings:rooms.coming', { count, days: MAX_BOOKING_RANGE_MS / DAY_MS })}</p>}
        {t('bookings:rooms.cancelThem')}
      </>
    ),
    ok: t('bookings:rooms.removeAnyway'),
    input: { CancelBookings: true },
  }
}

/** How many bookings of a room are to come, as far as one call looks; 0 when that cannot be learnt. */
async function countComing(ConferenceRoomID: string): Promise<number> {
  const StartTimestamp = gatewayNow()
  const EndTimestamp = StartTimestamp + MAX_BOOKING_RANGE_MS
  const span = { ConferenceRoomID, StartTimestamp, EndTimestamp }
  return (await call(bookings.getByStartTimestamp, span).catch(() => [])).length
}
