import { describe, expect, it } from 'vitest'
import { proposeRoom } from '../../../../src/custom-views/add-device/add-found.tsx'
import { connectionSettings } from '../../../../src/domain/devices/hub-credentials/hub-credentials.tsx'
import {
  bridgeCommand,
  modbusFile,
  readBroker,
  settingsPages,
  simulatedCommand,
  simulatedFile,
  type DevicesBroker,
} from '../../../../src/custom-views/hub-wizard/guides.ts'
import { ModbusHubConfig } from '../../../../hubs/modbus-tcp/config.ts'
import { profiles } from '../../../../simulator/scenarios/profiles.ts'

const rootId = '6f1d3c1e-0d0e-4f0a-9a39-5a51f9b3a001'
const settings = connectionSettings({
  host: 'gateway.example',
  port: 1883,
  rootId,
  homeId: 'home-1',
  thingName: 'hub-1',
  secret: 'the-secret',
})

describe('the broker for devices', () => {
  it('is parsed from an address with or without scheme, user and port', () => {
    expect(readBroker('192.168.1.10')).toMatchObject({
      host: '192.168.1.10',
      port: '1883',
      url: 'mqtt://192.168.1.10:1883',
    })
    expect(readBroker('mqtts://me:p%40ss@broker.example')).toEqual({
      host: 'broker.example',
      port: '8883',
      username: 'me',
      password: 'p@ss',
      url: 'mqtts://broker.example:8883',
      tls: true,
    })
    for (const none of ['', ' ', 'http://broker.example', 'mqtt://', 'mqtt://a b'])
      expect(readBroker(none)).toBeUndefined()
  })
})

describe('setup instructions', () => {
  it("fill in the values on the product's own page, and keep literal text", () => {
    const broker = readBroker('mqtt://me:pw@192.168.1.10') as DevicesBroker
    const { fields } = settingsPages.tasmota(broker)
    expect(fields.slice(0, 4)).toEqual([
      { label: 'Configure Other › MQTT Enable', value: '✓' },
      { label: 'Host', value: '192.168.1.10' },
      { label: 'Port', value: '1883' },
      { label: 'Client', value: undefined },
    ])
    const secure = readBroker('mqtts://192.168.1.10') as DevicesBroker
    expect(settingsPages.tasmota(secure).fields).toContainEqual({ label: 'MQTT TLS', value: '✓' })
    expect(settingsPages.shelly(secure).fields[1]).toEqual({ label: 'Connection type', value: 'Default TLS' })
    expect(settingsPages.shelly(broker).fields[1]).toEqual({ label: 'Connection type', value: 'No SSL' })
    expect(settingsPages.zigbee2mqtt(broker).file?.text).toContain(
      '  server: mqtt://192.168.1.10:1883\n  user: "me"',
    )
  })

  it('start the bridge with its required options', () => {
    const command = bridgeCommand(settings, false, readBroker('192.168.1.10'))
    expect(command).toContain("HUB_SECRET='the-secret'")
    for (const option of [
      '--broker mqtt://192.168.1.10:1883',
      '--gateway mqtt://gateway.example:1883',
      `--root ${rootId}`,
      '--home home-1',
      '--thing hub-1',
    ])
      expect(command).toContain(option)
  })

  it('write files that the programs can read', () => {
    expect(ModbusHubConfig.parse(JSON.parse(modbusFile(settings, false).text)).gateway.thingName).toBe(
      'hub-1',
    )
    const [hub] = JSON.parse(simulatedFile(settings, (device) => device).text)
    expect(hub).toMatchObject({ rootId, HomeID: 'home-1', ThingName: 'hub-1', Secret: 'the-secret' })
    // A forgotten simulator ends after this time.
    expect(simulatedCommand(settings, false)).toMatch(/--minutes 30$/)
    for (const { scenario } of hub.devices) expect(Object.keys(profiles)).toContain(scenario.profile)
  })
})

describe('the room of a discovered device', () => {
  const room = (RoomID: number, RoomName: string) => ({ HomeID: 'h1', RoomID, RoomName })
  it('is the longest room name in its name, and never the default one', () => {
    const rooms = [room(0, '預設房間'), room(1, '會議室'), room(2, '會議室 A'), room(3, 'Server-Room')]
    expect(proposeRoom('會議室A 燈', rooms)).toBe(2)
    expect(proposeRoom('會議室燈', rooms)).toBe(1)
    expect(proposeRoom('server room plug', rooms)).toBe(3)
    expect(proposeRoom('預設房間 燈', rooms)).toBeUndefined()
    expect(proposeRoom('plug', rooms)).toBeUndefined()
  })
})
