import { z } from 'zod'
import { hubText } from '../../kernel/scalars.ts'
import type { Capability } from './capability.ts'

const ContainerID = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, 'id')

/** Something an infrared remote can send, e.g. "TV on": ContMID names it in the remote, ContDID its device there (§3). */
export const IRContainer = z.object({
  ContMID: ContainerID,
  ContDID: ContainerID,
  ContMName: hubText(64),
})
export type IRContainer = z.infer<typeof IRContainer>

const SendIR = IRContainer.pick({ ContMID: true, ContDID: true })

/**
 * An infrared sender. It reports what it was taught, and what it sent last: infrared gets no answer, so that the remote
 * has sent it is all that can be confirmed.
 */
export const irRemote: Capability = {
  name: 'irRemote',
  status: { IRContainers: z.array(IRContainer).max(200), SendIR },
  command: { SendIR },
  units: {},
}
