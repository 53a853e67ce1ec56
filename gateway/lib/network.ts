import { isIPv6 } from 'node:net'

/** Key that groups addresses for limits: an IPv4 address itself, the /64 network of an IPv6 address. */
export function networkKeyOf(address: string): string {
  if (!address.includes(':') || !isIPv6(address)) return address
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)
  if (mapped) return mapped[1]!
  const [head = '', tail] = (address.split('%')[0] ?? '').split('::')
  const groups = head ? head.split(':') : []
  if (tail !== undefined) {
    const last = tail ? tail.split(':').length : 0
    while (groups.length < 8 - last) groups.push('0')
  }
  while (groups.length < 4) groups.push('0')
  return `${groups
    .slice(0, 4)
    .map((group) => group.toLowerCase().replace(/^0+(?=.)/, ''))
    .join(':')}::/64`
}
