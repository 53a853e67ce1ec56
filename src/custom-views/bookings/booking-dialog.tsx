import type { BookingWithDetails } from '../../../contract/bookings/calls.ts'
import type { ConferenceRoomWithClock } from '../../../contract/bookings/conference-room.ts'
import type { Period } from '../../../contract/time/booking.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import { useLeaveGuard } from '../../ui/page/leave-guards.ts'
import { BookingForm } from './booking-form.tsx'
import { Modal } from '../../ui/page/dialog.tsx'

interface Props {
  rooms: readonly ConferenceRoomWithClock[]
  room?: ConferenceRoomWithClock | undefined
  period: Period
  booking?: BookingWithDetails | undefined
  close: () => void
  /** Called after saving, instead of `close`. */
  onDone?: (() => void) | undefined
}

/** The booking form in a dialog; closing it with unsaved input asks for confirmation. */
export default function BookingDialog({ close, onDone = close, ...what }: Props) {
  const t = useT()
  const guard = useLeaveGuard()
  return (
    <Modal
      open
      title={t(what.booking ? 'bookings:edit' : 'shell:pages.ConferenceRoomAddBooking')}
      footer={null}
      maskClosable={false}
      onCancel={() => guard.ask(close)}
    >
      <BookingForm {...what} onDone={onDone} cancel={() => guard.ask(close)} onDirty={guard.setDirty} />
    </Modal>
  )
}
