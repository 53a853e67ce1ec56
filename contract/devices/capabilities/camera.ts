import type { Capability } from './capability.ts'

/** Network camera: it reports nothing; its stream comes from the live-stream call (§7, CasaIpCamLiveStream). */
export const camera: Capability = { name: 'camera', status: {}, command: {}, units: {} }
