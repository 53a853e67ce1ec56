import { existsSync } from 'node:fs'
import { isIPv4 } from 'node:net'
import { networkInterfaces } from 'node:os'
import type { ResultsOf } from '../../../contract/kernel/define-endpoint.ts'
import type { setup } from '../../../contract/setup/calls.ts'
import { isLoopback } from '../../http/caller-address.ts'

type Host = ResultsOf<typeof setup.getHubAddress>['Hosts'][number]

/** An address of this machine, with the name of its network interface. */
export interface MachineAddress {
  name: string
  address: string
}

const PRIVATE = /^(10|192\.168|172\.(1[6-9]|2\d|3[01]))\./
/** Interfaces of container engines and virtual machines. */
const VIRTUAL = /^(docker|br-|veth|cni|flannel|cali|virbr|podman|lxc|vmnet|vboxnet)/

/** Addresses of this machine, without loopback ones. */
export const machineAddresses = (): MachineAddress[] =>
  Object.entries(networkInterfaces()).flatMap(([name, addresses = []]) =>
    addresses.filter(({ internal }) => !internal).map(({ address }) => ({ name, address })),
  )

/** Whether this process runs in a container, whose addresses are not reachable from outside. */
export const isInContainer = (): boolean => existsSync('/.dockerenv') || existsSync('/run/.containerenv')

/**
 * Hosts at which hubs reach the broker, the likeliest first.
 *
 * given      the host of HUB_URL
 * page       the host of the dashboard, as the browser reports it
 * contained  whether the machine's addresses are those of a container
 */
export function hubHosts({
  given,
  page,
  machine,
  contained,
}: {
  given: string | undefined
  page: string
  machine: readonly MachineAddress[]
  contained: boolean
}): Host[] {
  if (given !== undefined) return [{ Address: given, Kind: 'set' }]
  if (page !== '' && !isLoopback(page)) return [{ Address: page, Kind: 'page' }]
  const ownAddresses = machine
    .filter(({ address }) => isIPv4(address) && PRIVATE.test(address))
    .map(({ name, address }): Host => ({
      Address: address,
      Kind: contained || VIRTUAL.test(name) ? 'container' : 'lan',
    }))
  const reached = ownAddresses.filter(({ Kind }) => Kind === 'lan')
  return reached.length > 0 ? reached : ownAddresses
}
