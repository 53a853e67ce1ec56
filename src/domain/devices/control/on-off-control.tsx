import type { FC } from 'react'
import type { Capability, CommandValues } from '../../../../contract/devices/capabilities/capability.ts'
import { SwitchControl } from '../../../ui/inputs/switch-control.tsx'
import { confirmCommand } from './ask-first.ts'

/** One field of a device: what it reports of it, what was asked of it, and how it is asked. */
export interface FieldProps {
  capability: Capability
  field: string
  status: CommandValues | undefined
  send: (values: CommandValues) => void
  pending: CommandValues | undefined
}

interface Props extends FieldProps {
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
    onChange={(next) => confirmCommand(capability, { [field]: next }, () => send({ [field]: next }))}
  />
)
