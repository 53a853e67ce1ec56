import { Alert, Button, Input } from 'antd'
import { useId, useState } from 'react'
import { bookings } from '../../../contract/bookings/calls.ts'
import type { ConferenceRoomWithClock } from '../../../contract/bookings/conference-room.ts'
import { MINUTE, type Period } from '../../../contract/time/booking.ts'
import { useMe } from '../../data/session.ts'
import { describeFailure, describeField } from '../../data/failure.ts'
import { callErrorIn } from '../../data/post.ts'
import { useAction } from '../../data/use-action.ts'
import { gatewayNow } from '../../lib/gateway-clock.ts'
import { useLanguage, useT } from '../../lib/i18n/i18n.ts'
import page from '../../ui/page/page.module.css'
import { useNow } from '../../ui/page/use-now.ts'
import { periodText } from './booking-words.ts'
import { Drawer } from '../../ui/page/dialog.tsx'

/** Allowance for the request's travel time, so that the start is not past when the gateway receives it. */
const REQUEST_ALLOWANCE_MS = 2_000

interface Props {
  room: ConferenceRoomWithClock
  period: Period
  close: () => void
}

/** Books a room for the user, with a default subject; others can be invited later. */
export default function QuickBooking({ room, period, close }: Props) {
  const t = useT()
  const id = useId()
  const language = useLanguage()
  const me = useMe()
  const { busy, failure, run } = useAction(bookings.add, { feedback: 'failure' })
  // The gateway rejects a start in the past: a start that passed while the user was typing becomes now.
  const periodAt = (now: number): Period => ({
    ...period,
    StartTimestamp: Math.max(
      period.StartTimestamp,
      Math.floor((now + REQUEST_ALLOWANCE_MS) / MINUTE) * MINUTE,
    ),
  })
  const slot = periodAt(useNow())
  const [subject, setSubject] = useState(() => t('bookings:now.subject'))
  const book = async () => {
    const booked = await run(
      {
        ConferenceRoomID: room.ConferenceRoomID,
        ...periodAt(gatewayNow()),
        Subject: subject.trim() || t('bookings:now.subject'),
        Attendees: [me?.Email ?? ''],
      },
      () =>
        t('bookings:bookedOne', {
          room: room.ConferenceRoomName,
          when: periodText(slot, room.TimeZone, language),
        }),
    )
    if (booked) close()
  }
  return (
    <Drawer open onClose={close} isSheet title={room.ConferenceRoomName}>
      <div className={page.tightStack}>
        {failure !== undefined && <Alert type="error" showIcon message={wordsOf(failure)} />}
        <span>{periodText(slot, room.TimeZone, language)}</span>
        <label htmlFor={id}>{t('bookings:form.subject')}</label>
        <Input id={id} maxLength={128} value={subject} onChange={({ target }) => setSubject(target.value)} />
        <Button type="primary" block loading={busy} onClick={() => void book()}>
          {t('bookings:form.book')}
        </Button>
      </div>
    </Drawer>
  )
}

/** Text for a failure: the reason of the first rejected field is more specific than that of the call. */
function wordsOf(failure: unknown): string {
  const [reason] = Object.values(callErrorIn(failure)?.fields ?? {})
  return reason === undefined ? describeFailure(failure) : describeField(reason)
}
