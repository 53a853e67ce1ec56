import { Select } from 'antd'
import type { FC } from 'react'
import { useT } from '../../../lib/i18n/i18n.ts'
import { holdsLabel } from '../../../lib/match-words.ts'

export interface RoomChoiceProps {
  options: readonly { value: string; label: string }[]
  room: string
  choose: (room: string) => void
}

/** Selects the room whose week is shown, searchable. */
const RoomChoice: FC<RoomChoiceProps> = ({ options, room, choose }) => {
  const t = useT()
  return (
    <Select
      showSearch
      filterOption={holdsLabel}
      value={room}
      aria-label={t('bookings:form.room')}
      onChange={choose}
      options={[...options]}
    />
  )
}
export default RoomChoice
