import type { IRContainer } from '../../contract/devices/capabilities/ir-remote.ts'
import type { Model } from './model.ts'

/** Learned buttons, and the one sent last: null before the first. */
export interface IRRemote {
  containers: readonly IRContainer[]
  sent: Pick<IRContainer, 'ContMID' | 'ContDID'> | null
}

const container = (ContMID: string, ContDID: string, ContMName: string): IRContainer => ({
  ContMID,
  ContDID,
  ContMName,
})

/** A remote that has learned the buttons of a projector and a fan. */
export const irRemote: Model<IRRemote> = {
  make: () => ({
    containers: [
      container('power', 'projector', '投影機電源'),
      container('input', 'projector', '投影機輸入切換'),
      container('fan-on', 'fan', '電扇開關'),
      container('fan-speed', 'fan', '電扇風量'),
    ],
    sent: null,
  }),
  step: (state) => state,
  report: ({ containers, sent }) => ({ IRContainers: containers, ...(sent && { SendIR: sent }) }),
  command: (state, { SendIR }) => ({ ...state, sent: (SendIR ?? state.sent) as IRRemote['sent'] }),
  draws: () => 0,
}
