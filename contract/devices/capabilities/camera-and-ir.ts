import { z } from 'zod'
import { hubText } from '../../kernel/scalars.ts'
import type { Capability } from './capability.ts'

/** Network camera: it reports nothing; its stream comes from the live-stream call (§7, CasaIpCamLiveStream). */
export const camera: Capability = { name: 'camera', status: {}, command: {}, units: {} }

const ContainerID = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, 'id')

/** Code that an infrared remote can send, e.g. "TV on": ContMID is its ID in the remote, ContDID that of its device there (§3). */
export const IRContainer = z.object({
  ContMID: ContainerID,
  ContDID: ContainerID,
  ContMName: hubText(64),
})
export type IRContainer = z.infer<typeof IRContainer>

const SendIR = IRContainer.pick({ ContMID: true, ContDID: true })

/**
 * Infrared sender. It reports its learned codes and the last one sent. Infrared has no acknowledgement, so only the sending can be
 * confirmed.
 */
export const irRemote: Capability = {
  name: 'irRemote',
  status: { IRContainers: z.array(IRContainer).max(200), SendIR },
  command: { SendIR },
  units: {},
}
