import { describe, expect, it } from 'vitest'
import { hubAddress } from '../../../../gateway/broker/hub-address.ts'
import { readConfig } from '../../../../gateway/config/config.ts'
import { hubHosts } from '../../../../gateway/features/setup/feature.ts'

const machine = [
  { name: 'eth0', address: '192.168.1.5' },
  { name: 'docker0', address: '172.17.0.1' },
  { name: 'eth1', address: '203.0.113.9' },
  { name: 'eth0', address: 'fe80::1' },
]
const asked = { configured: undefined, page: 'localhost', machine, isContained: false }
const SECRET = 'a secret of the tests'

describe('the address for hubs', () => {
  it('is the configured one, that of the page unless it is local, or private addresses', () => {
    expect(hubHosts({ ...asked, configured: 'mqtt.example' })).toEqual([
      { Address: 'mqtt.example', Kind: 'set' },
    ])
    expect(hubHosts({ ...asked, page: 'building.example' })).toEqual([
      { Address: 'building.example', Kind: 'page' },
    ])
    for (const page of ['localhost', '127.0.0.1', '::1', ''])
      expect(hubHosts({ ...asked, page })).toEqual([{ Address: '192.168.1.5', Kind: 'lan' }])
  })

  it('is marked as that of a container if there is no other', () => {
    expect(hubHosts({ ...asked, isContained: true }).map(({ Kind }) => Kind)).toEqual([
      'container',
      'container',
    ])
    expect(hubHosts({ ...asked, machine: machine.slice(1) })).toEqual([
      { Address: '172.17.0.1', Kind: 'container' },
    ])
    expect(hubHosts({ ...asked, machine: [] })).toEqual([])
  })

  it('follows the configuration: HUB_URL first, and a local-only broker', () => {
    const of = (env: Record<string, string>) => hubAddress(readConfig({ SECRET, ...env }))
    expect(of({})).toEqual({ port: 1883, tls: false })
    expect(of({ MQTT_HOST: '127.0.0.1' })).toEqual({ port: 1883, tls: false, isLoopback: true })
    expect(of({ MQTT_HOST: '0.0.0.0' })).toEqual({ port: 1883, tls: false })
    expect(of({ HUB_URL: 'mqtts://hubs.example' })).toEqual({ host: 'hubs.example', port: 8883, tls: true })
    expect(() => of({ HUB_URL: 'hubs.example' })).toThrow(/HUB_URL/)
  })
})
