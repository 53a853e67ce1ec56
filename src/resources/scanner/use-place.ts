import type { Scanner } from '../../../contract/access-control/scanner.ts'
import { useHubAddress } from '../../data/hub-address.ts'
import { useMe } from '../../data/session.ts'
import type { ScannerPlace } from './set-up.ts'

/** Connection settings of a scanner: the address for hubs in the gateway's configuration. */
export function usePlace({ HomeID, ThingName }: Scanner): ScannerPlace {
  const rootId = useMe()?.RootCognitoId ?? ''
  return { ...useHubAddress(), rootId, homeId: HomeID, thingName: ThingName }
}
