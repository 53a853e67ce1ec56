import { Form, Select } from 'antd'
import { drawnFields } from '../../../../../contract/devices/kinds/field-shape.ts'
import type { HomeWithRooms } from '../../../../../contract/homes/home.ts'
import { MAX_ITEMS_PER_CARD } from '../../../../../contract/dashboards/cards.ts'
import { describeFailure } from '../../../../data/failure.ts'
import { useDevices } from '../../../../data/homes.ts'
import { useDeviceFieldWords } from '../../../../domain/devices/field-words.ts'
import { useT } from '../../../../lib/i18n/i18n.ts'
import { linesOf } from '../../common/overview.ts'
import type { ChoiceProps } from './draft.ts'
import { holdsLabel } from '../../../../ui/inputs/holds-label.ts'

/** A home's devices as options, each with its room; or the reason there are none. */
function useDeviceOptions({ HomeID, RoomList }: HomeWithRooms) {
  const t = useT()
  const query = useDevices(HomeID)
  const rows = (query.data ? linesOf(query.data) : []).filter(({ device }) => device)
  return {
    rows,
    loading: query.isPending,
    notFoundContent: query.error && !query.data ? describeFailure(query.error) : t('boards:noDevices'),
    options: rows.map(({ id, name, RoomID }) => ({
      value: id,
      label: t('boards:inRoom', {
        device: name,
        room: RoomList.find((room) => room.RoomID === RoomID)?.RoomName ?? '',
      }),
    })),
  }
}

export function DeviceChoice({ home, draft, set }: ChoiceProps) {
  const t = useT()
  const { loading, options, notFoundContent } = useDeviceOptions(home)
  const { Field: _field, ...rest } = draft
  return (
    <Form.Item label={t('boards:fields.device')} htmlFor="card-device">
      <Select
        id="card-device"
        showSearch
        filterOption={holdsLabel}
        loading={loading}
        notFoundContent={notFoundContent}
        value={draft.PeripheralUID ?? null}
        onChange={(PeripheralUID: string | null) =>
          PeripheralUID !== null && set({ ...rest, Field: undefined as never, PeripheralUID })
        }
        options={options}
      />
    </Form.Item>
  )
}

export function FieldChoice({ home, draft, set }: ChoiceProps) {
  const t = useT()
  const { rows } = useDeviceOptions(home)
  const { nameOf } = useDeviceFieldWords()
  const type = rows.find(({ id }) => id === draft.PeripheralUID)?.type
  const options = (type?.capabilities ?? []).flatMap((capability) =>
    drawnFields(capability).map((field) => ({ value: field, label: nameOf(capability, field) })),
  )
  return (
    <Form.Item label={t('boards:fields.quantity')} htmlFor="card-field">
      <Select
        id="card-field"
        showSearch
        filterOption={holdsLabel}
        disabled={!type}
        notFoundContent={t('boards:noQuantities')}
        value={draft.Field ?? null}
        onChange={(Field: string | null) => Field !== null && set({ Field })}
        options={options}
      />
    </Form.Item>
  )
}

export function DevicesChoice({ home, draft, set }: ChoiceProps) {
  const t = useT()
  const { loading, options, notFoundContent } = useDeviceOptions(home)
  return (
    <Form.Item label={t('boards:fields.devices', { most: MAX_ITEMS_PER_CARD })} htmlFor="card-devices">
      <Select
        id="card-devices"
        mode="multiple"
        filterOption={holdsLabel}
        maxCount={MAX_ITEMS_PER_CARD}
        loading={loading}
        notFoundContent={notFoundContent}
        value={draft.PeripheralUIDs ?? []}
        onChange={(PeripheralUIDs: string[]) => set({ PeripheralUIDs })}
        options={options}
      />
    </Form.Item>
  )
}
