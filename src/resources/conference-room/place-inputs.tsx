import { Form, type SelectProps } from 'antd'
import type { FC } from 'react'
import { useHomes } from '../../data/homes.ts'
import { FormSelect } from '../../ui/inputs/form-select.tsx'

/** Chooses the home of a meeting room. In another one it is none of the rooms of the one before. */
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

/** Chooses which room of the chosen home a meeting room is. */
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
