import type { FC } from 'react'
import type { Capability, CommandValues } from '../../../contract/device-kinds/capability.ts'
import { SwitchControl } from '../../ui/inputs/switch-control.tsx'
import { askFirst } from './ask-first.ts'

interface Props {
  capability: Capability
  field: string
  status: CommandValues | undefined
  send: (values: CommandValues) => void
  pending: CommandValues | undefined
  name: string
  /** Show the name beside it. */
  labelled?: boolean
  small?: boolean
}

/** Switches one field of a device; asks before where that may hurt somebody. */
export const OnOffControl: FC<Props> = ({ capability, field, status, send, pending, ...looks }) => (
  <SwitchControl
    {...looks}
    value={status?.[field]}
    wanted={pending?.[field]}
    onChange={(next) => askFirst(capability, { [field]: next }, () => send({ [field]: next }))}
  />
)
