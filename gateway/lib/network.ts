import { isIPv6, BlockList, isIP, SocketAddress } from 'node:net'

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

/** Names of networks, as TRUST_PROXY and CAMERA_NETWORKS may contain. */
const NETWORKS: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.0/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
}

/**
 * Canonical form of an address without a zone; an IPv4 address within an IPv6 one (RFC 4291, 2.5.5.2), in any notation, becomes IPv4. An
 * invalid address is returned unchanged.
 */
export function plainAddress(address: string): string {
  if (!isIPv6(address)) return address
  return new SocketAddress({ address, family: 'ipv6' }).address.replace(/^::ffff:(?=\d+\.)/, '')
}

/**
 * Parses a comma-separated list of addresses, networks (10.0.0.0/8) and the names loopback, linklocal and uniquelocal.
 *
 * returns  whether an address is in one of them; false for an invalid address
 * errors   TypeError naming an invalid entry
 */
export function readNetworks(list: string): (address: string) => boolean {
  const networks = new BlockList()
  for (const entry of list.split(',').flatMap((each) => NETWORKS[each.trim()] ?? each.trim())) {
    const [address = '', bits] = entry.split('/')
    const family = isIPv6(address) ? 'ipv6' : 'ipv4'
    const maxBits = family === 'ipv6' ? 128 : 32
    const length = bits === undefined ? maxBits : /^\d{1,3}$/.test(bits) ? Number(bits) : -1
    if (!isIP(address) || length < 0 || length > maxBits)
      throw new TypeError(`${entry} is no address or network`)
    networks.addSubnet(address, length, family)
  }
  return (input) => {
    const address = plainAddress(input)
    return isIP(address) !== 0 && networks.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
  }
}
