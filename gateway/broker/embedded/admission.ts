import type { BrokerLimits } from '../limits.ts'
import type { createRejections } from '../rejections.ts'

/** Counts connections, and limits them per address and in total. */
export function createAdmission(
  limits: Pick<BrokerLimits, 'connections' | 'connectionsPerAddress'>,
  reject: ReturnType<typeof createRejections>,
) {
  const addresses = new Map<string, number>()
  let connections = 0
  return {
    connections: () => connections,
    admit(address: string): boolean {
      const count = addresses.get(address) ?? 0
      if (connections >= limits.connections) reject('connection-limit')
      else if (count >= limits.connectionsPerAddress) reject('address-limit', { address })
      else {
        connections++
        addresses.set(address, count + 1)
        return true
      }
      return false
    },
    left(address: string): void {
      connections--
      const count = (addresses.get(address) ?? 1) - 1
      if (count > 0) addresses.set(address, count)
      else addresses.delete(address)
    },
  }
}
