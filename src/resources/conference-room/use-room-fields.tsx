import { Input, InputNumber, Switch } from 'antd'
import { useHomes } from '../../data/homes.ts'
import { useT } from '../../lib/i18n/i18n.ts'
import type { FormField } from '../../record-kit/record-form.tsx'
import { NumberWithUnit } from '../../ui/inputs/number-with-unit.tsx'
import { HomeInput, RoomInput } from './place-inputs.tsx'

/** What can be said of a meeting room. */
export function useRoomFields(): readonly FormField[] {
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
      said: ({ HomeID }) =>
        homes.find((home) => home.HomeID === HomeID)?.HomeName ?? t('bookings:rooms.noHome'),
    },
    {
      name: 'RoomID',
      label: t('bookings:rooms.room'),
      hint: t('bookings:rooms.roomHint'),
      input: <RoomInput />,
      said: ({ HomeID, RoomID }) =>
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
      said: ({ Active }) => t(Active ? 'bookings:rooms.open' : 'bookings:closed'),
    },
  ]
}
