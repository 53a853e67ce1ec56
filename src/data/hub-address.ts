import { useQuery } from '@tanstack/react-query'
import { setup } from '../../contract/setup/calls.ts'
import { callQuery } from './api.ts'
import { webConfig } from './config.ts'

/** Where hubs and scanners connect over MQTT, as the gateway's configuration says; until that has come, this page's host. */
export function useHubAddress(): { host: string; port: number; tls: boolean } {
  const { data: hub } = useQuery({ queryKey: ['config'], queryFn: webConfig, select: ({ Hub }) => Hub })
  return { host: hub?.host ?? location.hostname, port: hub?.port ?? 1883, tls: hub?.tls ?? false }
}

/** Where hubs connect as the gateway knows it, for who may add one; with the answer's failure and how to ask again. */
export const useHubHosts = () => useQuery(callQuery(setup.getHubAddress, {}))
