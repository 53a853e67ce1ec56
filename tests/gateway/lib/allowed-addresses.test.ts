import { networkInterfaces } from 'node:os'
import { describe, expect, it } from 'vitest'
import { allowNetworks, type Interfaces } from '../../../gateway/lib/guarded-request.ts'

const card = (cidr: string) => {
  const [address = ''] = cidr.split('/')
  return { address, cidr, netmask: '', mac: '', internal: false, family: 'IPv4' as const }
}
const INTERFACES: Interfaces = {
  eth0: [card('192.168.1.5/24'), { ...card('2001:db8:1::5/64'), family: 'IPv6', scopeid: 0 }],
  // A netmask that node:os does not understand.
  vpn: [{ ...card('10.8.0.6'), cidr: null }],
}
const allow = (named = '') => allowNetworks(named, () => INTERFACES)

describe('the allowed addresses of a camera', () => {
  it.each([
    ['this machine', ['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1', '::ffff:7f00:1', '::127.0.0.1']],
    ['no address', ['0.0.0.0', '0.0.0.1', '::', '::ffff:0:0']],
    ['the link', ['169.254.7.7', 'fe80::1', 'fe80::1%eth0', 'FEBF::1', '::ffff:169.254.7.7']],
    ['metadata', ['169.254.169.254', 'fd00:ec2::254', 'fd20:ce::254', '100.100.100.200', '168.63.129.16']],
    ['many at once', ['224.0.0.1', '239.255.255.250', '255.255.255.255', 'ff02::1']],
    ['the gateway itself', ['192.168.1.5', '2001:db8:1::5', '10.8.0.6', '::ffff:192.168.1.5']],
    ['its networks', ['192.168.1.20', '2001:db8:1::20', '::ffff:c0a8:114']],
    [
      'translated addresses',
      ['64:ff9b::7f00:1', '64:ff9b::a9fe:a9fe', '64:ff9b::192.168.1.20', '64:ff9b::1'],
    ],
    [
      'tunnels to IPv4: 6to4, Teredo, local NAT64, translated',
      [
        '2002:7f00:1::1',
        '2002:a9fe:a9fe::1',
        '2001:0:4136:e378:8000:63bf:3fff:fdd2',
        '64:ff9b:1::7f00:1',
        '64:ff9b:1:ffff::1',
        '::ffff:0:127.0.0.1',
        '::ffff:0:a9fe:a9fe',
      ],
    ],
    [
      'reserved, benchmark or site-local networks',
      [
        '198.18.0.1',
        '198.19.255.254',
        '240.0.0.1',
        '254.1.1.1',
        '192.0.0.8',
        'fec0::1',
        'feff::1',
        '::ffff:240.0.0.1',
      ],
    ],
    ['what is no address', ['', 'localhost', '127.1', '300.1.1.1']],
  ])('exclude %s', (_what, addresses) => {
    expect(addresses.filter(allow())).toEqual([])
  })

  it('include any others, including private networks', () => {
    const others = [
      '192.168.2.20',
      '10.8.0.7',
      '172.16.0.9',
      '8.8.8.8',
      '2001:db8:2::1',
      '2001:4860::1',
      '192.0.1.1',
      '198.20.0.1',
      '64:ff9b::808:808',
      'fd12::1',
    ]
    expect(others.filter(allow())).toEqual(others)
    expect(allow()('64:ff9b::808:808')).toBe(true)
  })

  it('include configured ones, and no others because of that', () => {
    const named = allow('192.168.1.20, 2001:db8:1::/64,loopback')
    const addresses = ['192.168.1.20', '::ffff:192.168.1.20', '2001:db8:1::9', '127.0.0.1', '::1']
    expect(addresses.filter(named)).toEqual(addresses)
    expect(['192.168.1.21', '169.254.7.7', '0.0.0.0'].filter(named)).toEqual([])
  })

  it('include metadata addresses only if that exact address is configured', () => {
    const metadata = ['169.254.169.254', '::ffff:a9fe:a9fe', 'fd00:ec2::254']
    expect(metadata.filter(allow('linklocal,uniquelocal,0.0.0.0/0,::/0'))).toEqual([])
    expect(metadata.filter(allow('169.254.169.254, FD00:EC2:0::254'))).toEqual(metadata)
  })

  it('exclude those of the machine that this test runs on', () => {
    const own = Object.values(networkInterfaces()).flatMap((each) => each ?? [])
    expect(own.map(({ address }) => address).filter(allowNetworks(''))).toEqual([])
  })

  it('follow network changes of the machine', () => {
    let now: Interfaces = {}
    const isAllowed = allowNetworks('', () => now)
    expect(isAllowed('192.168.1.20')).toBe(true)
    now = INTERFACES
    expect(isAllowed('192.168.1.20')).toBe(false)
  })
})
