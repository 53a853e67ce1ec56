import type { Capability } from './capability.ts'

/** A network camera: it reports nothing; its picture comes by the live-stream call (§7, CasaIpCamLiveStream). */
export const camera: Capability = { name: 'camera', status: {}, command: {}, units: {} }
