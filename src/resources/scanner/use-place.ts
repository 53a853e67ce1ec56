import { useQuery } from '@tanstack/react-query'
import type { Scanner } from '../../../contract/resources/scanner.ts'
import { webConfig } from '../../data/config.ts'
import { useMe } from '../../data/session.ts'
import type { ScannerPlace } from './set-up.ts'

/** Where this scanner connects: the hubs' address of the gateway, as its configuration says. */
export function usePlace({ HomeID, ThingName }: Scanner): ScannerPlace {
  const rootId = useMe()?.RootCognitoId ?? ''
  const { data: hub } = useQuery({ queryKey: ['config'], queryFn: webConfig, select: ({ Hub }) => Hub })
  const { host = location.hostname, port = 1883, tls = false } = hub ?? {}
  return { host, port, tls, rootId, homeId: HomeID, thingName: ThingName }
}
