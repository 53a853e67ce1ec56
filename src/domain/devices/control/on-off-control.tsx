import type { FC } from 'react'
import type { Capability, CommandValues } from '../../../../contract/devices/capabilities/capability.ts'
import { SwitchControl } from '../../../ui/inputs/switch-control.tsx'
import { confirmCommand } from '../commands/use-device-control.ts'

/** Props of a control for one field: its reported value, its pending value, and how to send a command. */
export interface FieldProps {
  capability: Capability
  field: string
  status: CommandValues | undefined
  send: (values: CommandValues) => void
  pending: CommandValues | undefined
}

interface Props extends FieldProps {
  name: string
  labelled?: boolean
  small?: boolean
}

/** Switch for one field of a device; asks for a confirmation if the command may hurt people. */
export const OnOffControl: FC<Props> = ({ capability, field, status, send, pending, ...looks }) => (
  <SwitchControl
    {...looks}
    value={status?.[field]}
    requested={pending?.[field]}
    onChange={(next) => confirmCommand(capability, { [field]: next }, () => send({ [field]: next }))}
  />
)
