import type { FC } from 'react'
import { Link } from 'react-router'
import { Input, InputNumber, Switch, Form, type SelectProps } from 'antd'
import { LazyRulesWarning } from '../../domain/automation/parts/lazy-users-warning.tsx'
import { pathTo } from '../../navigation/paths.ts'
import { t, useT } from '../../lib/i18n/i18n.ts'
import { defineRecord } from '../../record-kit/define-record.tsx'
import type { ConferenceRoomWithClock } from '../../../contract/bookings/conference-room.ts'
import { CalendarLink } from '../../domain/booking/calendar-link.tsx'
import { useHomes } from '../../data/homes.ts'
import type { ListTableColumn } from '../../record-kit/list/column.ts'
import { MAX_BOOKING_RANGE_MS, bookings } from '../../../contract/bookings/calls.ts'
import { call } from '../../data/api.ts'
import { callErrorIn } from '../../data/post.ts'
import { gatewayNow } from '../../lib/gateway-clock.ts'
import type { ConfirmationLevel } from '../../record-kit/screen.ts'
import type { Action } from '../../../contract/automation/action.ts'
import type { BookingTrigger } from '../../../contract/automation/schedule.ts'
import { prefilledRuleUrl } from '../../domain/automation/prefill.ts'
import { useMay } from '../../data/session.ts'
import page from '../../ui/page/page.module.css'
import type { FormField } from '../../record-kit/record-form.tsx'
import { NumberWithUnit } from '../../ui/inputs/number-with-unit.tsx'
import { FormSelect } from '../../ui/inputs/form-select.tsx'

/** Selects the home of a meeting room. Changing it clears the selected room. */
const HomeInput: FC<SelectProps> = ({ onChange, ...props }) => {
  const form = Form.useFormInstance()
  const homes = useHomes() ?? []
  return (
    <FormSelect
      {...props}
      allowClear
      options={homes.map(({ HomeID, HomeName }) => ({ value: HomeID, label: HomeName }))}
      onChange={(value, option) => {
        onChange?.(value, option)
        form.setFieldValue('RoomID', null)
      }}
    />
  )
}

/** Selects the room of the home in which a meeting room is. */
const RoomInput: FC<SelectProps> = (props) => {
  const HomeID = Form.useWatch<string | null>('HomeID', Form.useFormInstance())
  const rooms = useHomes()?.find((home) => home.HomeID === HomeID)?.RoomList ?? []
  return (
    <FormSelect
      {...props}
      allowClear
      disabled={!HomeID}
      options={rooms.map(({ RoomID, RoomName }) => ({ value: RoomID, label: RoomName }))}
    />
  )
}

/** Suggested schedules for meeting rooms; they open the prefilled editor and are saved only by the user. */
const OFFERS = [
  { key: 'climate', trigger: { When: 'before', Minutes: 15 }, does: { Only: 'climate', Values: { On: 1 } } },
  { key: 'lights', trigger: { When: 'release', Minutes: 0 }, does: { Only: 'lights', Values: { On: 0 } } },
] as const satisfies readonly {
  key: string
  trigger: Pick<BookingTrigger, 'When' | 'Minutes'>
  does: Pick<Action, 'Only' | 'Values'>
}[]

/** Suggested schedules that bookings of a meeting room trigger in its room. */
const RoomOffers: FC<{ room: ConferenceRoomWithClock }> = ({ room }) => {
  const t = useT()
  const mayAdd = useMay('schedule', 'Create')
  const mayControl = useMay('device_control', 'Control')
  const { HomeID, RoomID, ConferenceRoomID, ConferenceRoomName } = room
  if (!mayAdd || !mayControl) return null
  const addressOf = (home: string, roomId: number, { key, trigger, does }: (typeof OFFERS)[number]) =>
    prefilledRuleUrl(home, {
      AutomationName: t(`bookings:rooms.offers.${key}Name`, { room: ConferenceRoomName }).slice(0, 64),
      Booking: { ConferenceRoomID, ...trigger },
      Actions: [{ RoomID: roomId, ...does, After: 0, IfOffline: 'fail' }],
    })
  return (
    <section aria-label={t('bookings:rooms.offers.title')} style={{ marginTop: 16 }}>
      <strong>{t('bookings:rooms.offers.title')}</strong>
      {HomeID === null || RoomID === null ? (
        <p className={page.hint}>{t('bookings:rooms.offers.needsRoom')}</p>
      ) : (
        <ul style={{ margin: '8px 0 0', paddingInlineStart: 20 }}>
          {OFFERS.map((offer) => (
            <li key={offer.key}>
              <Link to={addressOf(HomeID, RoomID, offer)}>{t(`bookings:rooms.offers.${offer.key}`)}</Link>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

const DAY_MS = 86_400_000

/** Whether a room cannot be deleted because of future bookings. */
const hasBookings = (error: unknown): boolean => callErrorIn(error)?.failure === 'CONFLICT'

/** Confirmation that deletes a room together with its future bookings. */
async function confirmCancellation(
  { ConferenceRoomID, ConferenceRoomName: room }: ConferenceRoomWithClock,
  error: unknown,
): Promise<ConfirmationLevel | undefined> {
  if (!hasBookings(error)) return undefined
  const count = await countUpcoming(ConferenceRoomID)
  return {
    title: t('bookings:rooms.hasBookings', { room }),
    question: (
      <>
        {count > 0 && <p>{t('bookings:rooms.coming', { count, days: MAX_BOOKING_RANGE_MS / DAY_MS })}</p>}
        {t('bookings:rooms.cancelThem')}
      </>
    ),
    ok: t('bookings:rooms.removeAnyway'),
    input: { CancelBookings: true },
  }
}

/** Number of future bookings of a room within the range of one call; 0 if the call fails. */
async function countUpcoming(ConferenceRoomID: string): Promise<number> {
  const StartTimestamp = gatewayNow()
  const EndTimestamp = StartTimestamp + MAX_BOOKING_RANGE_MS
  const span = { ConferenceRoomID, StartTimestamp, EndTimestamp }
  return (await call(bookings.getByStartTimestamp, span).catch(() => [])).length
}

/** URLs of a room's calendar feed and door display. */
const RoomLinks: FC<{ record: ConferenceRoomWithClock }> = ({ record: { ConferenceRoomID } }) => (
  <div style={{ display: 'grid', gap: 12 }}>
    <CalendarLink kind="room" roomId={ConferenceRoomID} />
    <CalendarLink kind="door" roomId={ConferenceRoomID} />
  </div>
)

/** Content below the form of a meeting room: its URLs and suggested schedules. */
const BelowRoom: FC<{ record: ConferenceRoomWithClock }> = ({ record }) => (
  <>
    <RoomLinks record={record} />
    <RoomOffers room={record} />
  </>
)

/** The company's meeting rooms (§2). */
export default defineRecord({
  resource: 'conferenceRoom',
  words: () => ({
    list: t('shell:pages.ConferenceRoomListing'),
    create: t('bookings:rooms.add'),
    empty: t('bookings:noRooms'),
  }),
  columns: useRoomColumns,
  drawing: 'booking',
  form: {
    presentation: 'modal',
    fields: useRoomFields,
    initial: { Capacity: 6, HomeID: null, RoomID: null, Equipment: '', Active: true, ReleaseAfter: 0 },
    toInput: (values) => ({
      ...values,
      HomeID: values['HomeID'] ?? null,
      RoomID: values['RoomID'] ?? null,
    }),
    Below: BelowRoom,
  },
  open: ({ ConferenceRoomID }) =>
    `${pathTo('ConferenceRoomBooking')}?view=week&room=${encodeURIComponent(ConferenceRoomID)}`,
  remove: {
    consequence: () => t('bookings:rooms.consequence'),
    bulkConsequence: () => t('bookings:rooms.consequence'),
    breaks: (rooms) => (
      <LazyRulesWarning
        reference={{ ConferenceRoomIDs: rooms.map(({ ConferenceRoomID }) => ConferenceRoomID) }}
      />
    ),
    refused: confirmCancellation,
    // Canceling bookings needs its own confirmation, so a bulk deletion skips rooms with bookings.
    staysBecause: (room, error) =>
      hasBookings(error) ? () => t('bookings:rooms.hasBookings', { room }) : undefined,
  },
  bulk: 'remove',
  views: 'conferenceRoom',
  exports: { requiredRight: { feature: 'conference_room', operation: 'Export' } },
})

function useRoomColumns(): readonly ListTableColumn<ConferenceRoomWithClock>[] {
  const t = useT()
  const homes = useHomes()
  return [
    { key: 'ConferenceRoomName', title: t('bookings:rooms.name'), width: 200 },
    { key: 'Capacity', title: t('bookings:rooms.capacity'), text: ({ Capacity }) => Capacity },
    {
      key: 'HomeID',
      title: t('bookings:rooms.home'),
      text: ({ HomeID }) =>
        homes?.find((home) => home.HomeID === HomeID)?.HomeName ?? t('bookings:rooms.noHome'),
    },
    { key: 'Equipment', title: t('bookings:rooms.equipment'), width: 200 },
    {
      key: 'Active',
      title: t('bookings:rooms.state'),
      text: ({ Active }) => t(Active ? 'bookings:rooms.open' : 'bookings:closed'),
    },
  ]
}

function useRoomFields(): readonly FormField[] {
  const t = useT()
  const homes = useHomes() ?? []
  return [
    { name: 'ConferenceRoomName', label: t('bookings:rooms.name'), input: <Input maxLength={64} /> },
    {
      name: 'Capacity',
      label: t('bookings:rooms.capacity'),
      input: <InputNumber min={1} max={10_000} precision={0} />,
    },
    {
      name: 'HomeID',
      label: t('bookings:rooms.home'),
      hint: t('bookings:rooms.homeHint'),
      input: <HomeInput />,
      describe: ({ HomeID }) =>
        homes.find((home) => home.HomeID === HomeID)?.HomeName ?? t('bookings:rooms.noHome'),
    },
    {
      name: 'RoomID',
      label: t('bookings:rooms.room'),
      hint: t('bookings:rooms.roomHint'),
      input: <RoomInput />,
      describe: ({ HomeID, RoomID }) =>
        homes.find((home) => home.HomeID === HomeID)?.RoomList.find((room) => room.RoomID === RoomID)
          ?.RoomName ?? t('bookings:rooms.noHome'),
    },
    {
      name: 'Equipment',
      label: t('bookings:rooms.equipment'),
      input: <Input maxLength={500} placeholder={t('bookings:rooms.equipmentHint')} />,
    },
    {
      name: 'ReleaseAfter',
      label: t('bookings:rooms.releaseAfter'),
      hint: t('bookings:rooms.releaseHint'),
      input: <NumberWithUnit min={0} max={240} precision={0} unit={t('bookings:rooms.minutes')} />,
    },
    {
      name: 'Active',
      label: t('bookings:rooms.open'),
      input: <Switch />,
      valuePropName: 'checked',
      describe: ({ Active }) => t(Active ? 'bookings:rooms.open' : 'bookings:closed'),
    },
  ]
}
