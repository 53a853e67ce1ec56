import { useQuery } from '@tanstack/react-query'
import { setup } from '../../contract/setup/calls.ts'
import { callQuery } from './api.ts'
import { webConfig } from './config.ts'

/** MQTT address of hubs and scanners, from the gateway's configuration; until it is loaded, this page's host. */
export function useHubAddress(): { host: string; port: number; tls: boolean } {
  const { data: hub } = useQuery({ queryKey: ['config'], queryFn: webConfig, select: ({ Hub }) => Hub })
  return { host: hub?.host ?? location.hostname, port: hub?.port ?? 1883, tls: hub?.tls ?? false }
}

/** Query of the addresses of hubs as the gateway knows them, for users who may add a hub. */
export const useHubHosts = () => useQuery(callQuery(setup.getHubAddress, {}))
