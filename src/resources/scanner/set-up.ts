import { accessDecision, accessPresence, accessScan } from '../../../contract/access-control/channels.ts'

/** Where a scanner connects. */
export interface ScannerPlace {
  host: string
  port: number
  tls: boolean
  rootId: string
  homeId: string
  thingName: string
}

/** What a scanner reads from its set-up QR code to configure itself; without a secret it asks for it. */
export const setUpCode = (place: ScannerPlace, secret?: string): string =>
  JSON.stringify({ v: 1, ...place, ...(secret !== undefined && { secret }) })

/** Its topics, for those who write a scanner's program. */
export const scannerTopics = ({ rootId, homeId, thingName }: ScannerPlace) => {
  const place = { rootId, homeId, thingName }
  return {
    scan: accessScan.topic(place),
    decision: accessDecision.topic(place),
    presence: accessPresence.topic(place),
  }
}
