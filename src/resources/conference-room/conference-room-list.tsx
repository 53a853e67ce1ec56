import { PlusOutlined } from '@ant-design/icons'
import { App, Button } from 'antd'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { MAX_SPAN, bookings } from '../../../contract/procedures/bookings.ts'
import { conferenceRoom, type ConferenceRoomWithClock } from '../../../contract/resources/conference-room.ts'
import { useConferenceRooms } from '../../domain/booking/use-bookings.ts'
import { gatewayNow } from '../../lib/gateway-clock.ts'
import { pathTo } from '../../paths.ts'
import { call } from '../../data/api.ts'
import { describeFailure } from '../../data/failure.ts'
import { useHomes } from '../../data/homes.ts'
import { t, useT } from '../../lib/i18n/i18n.ts'
import { notices } from '../../data/notices.ts'
import { callErrorIn } from '../../data/post.ts'
import { useMay } from '../../data/session.ts'
import { ItemFailed } from '../../record-kit/bulk/bulk-run.ts'
import { RemovalBar } from '../../record-kit/bulk/removal-bar.tsx'
import { RecordList } from '../../record-kit/record-list.tsx'
import { ConferenceRoomForm } from './conference-room-form.tsx'

/** The company's meeting rooms (§2). */
export default function ConferenceRoomList() {
  const t = useT()
  const navigate = useNavigate()
  const { modal } = App.useApp()
  const query = useConferenceRooms()
  const homes = useHomes()
  const may = {
    create: useMay('conference_room', 'Create'),
    update: useMay('conference_room', 'Update'),
    remove: useMay('conference_room', 'Delete'),
  }
  const [edited, setEdited] = useState<'new' | ConferenceRoomWithClock>()
  const isEdited = ({ ConferenceRoomID }: ConferenceRoomWithClock) =>
    edited !== undefined && edited !== 'new' && edited.ConferenceRoomID === ConferenceRoomID

  /** Asks before a room goes, and once more where people would have to be told that their bookings are cancelled. */
  const remove = (room: ConferenceRoomWithClock, coming?: number) => {
    const { ConferenceRoomID, ConferenceRoomName: name } = room
    const cancels = coming !== undefined
    void modal.confirm({
      title: cancels ? t('bookings:rooms.hasBookings', { room: name }) : t('screens:remove.title', { name }),
      content: cancels ? (
        <>
          {coming > 0 && <p>{t('bookings:rooms.coming', { count: coming, days: MAX_SPAN / 86_400_000 })}</p>}
          {t('bookings:rooms.cancelThem')}
        </>
      ) : (
        t('bookings:rooms.consequence')
      ),
      okText: t(cancels ? 'bookings:rooms.removeAnyway' : 'screens:remove.ok'),
      okButtonProps: { danger: true },
      cancelText: t('screens:cancel'),
      autoFocusButton: 'cancel',
      onOk: async () => {
        try {
          await call(conferenceRoom.operations.remove, {
            ConferenceRoomID,
            ...(cancels && { CancelBookings: true }),
          })
          notices.success(() => t('screens:remove.done', { name }))
        } catch (error) {
          if (!cancels && callErrorIn(error)?.failure === 'CONFLICT')
            remove(room, await countComing(ConferenceRoomID))
          else notices.error(() => describeFailure(error))
        }
      },
    })
  }

  return (
    <>
      <RecordList<ConferenceRoomWithClock>
        resource="conferenceRoom"
        title={t('shell:pages.ConferenceRoomListing')}
        columns={[
          { key: 'ConferenceRoomName', title: t('bookings:rooms.name') },
          { key: 'Capacity', title: t('bookings:rooms.capacity'), text: ({ Capacity }) => Capacity },
          {
            key: 'HomeID',
            title: t('bookings:rooms.home'),
            text: ({ HomeID }) =>
              homes?.find((home) => home.HomeID === HomeID)?.HomeName ?? t('bookings:rooms.noHome'),
          },
          { key: 'Equipment', title: t('bookings:rooms.equipment') },
          {
            key: 'Active',
            title: t('bookings:rooms.state'),
            text: ({ Active }) => t(Active ? 'bookings:rooms.open' : 'bookings:closed'),
          },
        ]}
        rows={query.data}
        error={query.error}
        retry={() => void query.refetch()}
        rowKey={({ ConferenceRoomID }) => ConferenceRoomID}
        nameOf={({ ConferenceRoomName }) => ConferenceRoomName}
        empty={t('bookings:noRooms')}
        exportRight={{ feature: 'conference_room', operation: 'Export' }}
        create={
          may.create ? (
            <Button type="primary" icon={<PlusOutlined />} onClick={() => setEdited('new')}>
              {t('bookings:rooms.add')}
            </Button>
          ) : undefined
        }
        onOpen={({ ConferenceRoomID }) =>
          void navigate(
            `${pathTo('ConferenceRoomBooking')}?view=week&room=${encodeURIComponent(ConferenceRoomID)}`,
          )
        }
        views="conferenceRoom"
        renderBar={
          may.remove
            ? (rooms, clear) => (
                <RemovalBar
                  items={rooms.map((room) => ({ id: room.ConferenceRoomID, name: room.ConferenceRoomName }))}
                  consequence={t('bookings:rooms.consequence')}
                  remove={removeUnbooked}
                  clear={clear}
                />
              )
            : undefined
        }
        onEdit={may.update ? setEdited : undefined}
        onRemove={may.remove ? (room) => remove(room) : undefined}
      />
      {edited !== undefined && (
        <ConferenceRoomForm
          room={edited === 'new' ? undefined : (query.data?.find(isEdited) ?? edited)}
          close={() => setEdited(undefined)}
        />
      )}
    </>
  )
}

/** How many bookings of a room are to come, as far as one call looks; 0 when that cannot be learnt. */
async function countComing(ConferenceRoomID: string): Promise<number> {
  const StartTimestamp = gatewayNow()
  const EndTimestamp = StartTimestamp + MAX_SPAN
  const span = { ConferenceRoomID, StartTimestamp, EndTimestamp }
  return (await call(bookings.getByStartTimestamp, span).catch(() => [])).length
}

/** A room with bookings to come stays when many go at once: cancelling them is a question of its own. */
async function removeUnbooked({ id, name }: { id: string; name: string }): Promise<void> {
  try {
    await call(conferenceRoom.operations.remove, { ConferenceRoomID: id })
  } catch (error) {
    if (callErrorIn(error)?.failure !== 'CONFLICT') throw error
    throw new ItemFailed(() => t('bookings:rooms.hasBookings', { room: name }))
  }
}
