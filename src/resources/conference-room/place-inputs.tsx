import { Form, type SelectProps } from 'antd'
import type { FC } from 'react'
import { useHomes } from '../../data/homes.ts'
import { FormSelect } from '../../ui/inputs/form-select.tsx'

/** Selects the home of a meeting room. Changing it clears the selected room. */
export const HomeInput: FC<SelectProps> = ({ onChange, ...props }) => {
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
export const RoomInput: FC<SelectProps> = (props) => {
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
