import { accessDecision, accessPresence, accessScan } from '../../../contract/access-control/channels.ts'
import type { Scanner } from '../../../contract/access-control/scanner.ts'
import { useHubAddress } from '../../data/hub-address.ts'
import { useMe } from '../../data/session.ts'

/** Connection settings of a scanner. */
interface ScannerPlace {
  host: string
  port: number
  tls: boolean
  rootId: string
  homeId: string
  thingName: string
}

/** Content of the QR code with which a scanner configures itself; without a secret, the scanner asks for it. */
export const setUpCode = (place: ScannerPlace, secret?: string): string =>
  JSON.stringify({ v: 1, ...place, ...(secret !== undefined && { secret }) })

/** MQTT topics of a scanner, for developers of scanner programs. */
export const scannerTopics = ({ rootId, homeId, thingName }: ScannerPlace) => {
  const place = { rootId, homeId, thingName }
  return {
    scan: accessScan.topic(place),
    decision: accessDecision.topic(place),
    presence: accessPresence.topic(place),
  }
}

/** Connection settings of a scanner: the address for hubs in the gateway's configuration. */
export function usePlace({ HomeID, ThingName }: Scanner): ScannerPlace {
  const rootId = useMe()?.RootCognitoId ?? ''
  return { ...useHubAddress(), rootId, homeId: HomeID, thingName: ThingName }
}
