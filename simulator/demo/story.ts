import type { HubDevice } from '../building/building.ts'
import type { Incident } from '../building/past.ts'
import type { Defect } from '../scenarios/profiles.ts'
import { startOfDay } from '../scenarios/taiwan.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** A defect of the story; the device of the same hub that ends it is given by name. */
export type ScriptedDefect = Omit<Defect, 'endedBy'> & {
  endedBy?: { name: string; field: string; value: number }
}

/** Wrong contract terms of a home. */
export interface WrongTerms {
  /** Contract capacity in kW. */
  regular?: number
  /** Power factor in percent. */
  PowerFactor?: number
}

/** A past energy-saving measure, and the number of days before the day in which the past ends. */
export interface Measure {
  name: string
  /** The meter that measures its saving. */
  meter: string
  day: number
}

/**
 * Defects of the demo, and incidents of its meters. Homes, hubs and devices are given by name; a device's name is unique in the
 * demo.
 */
export interface Story {
  defects: Readonly<Record<string, readonly ScriptedDefect[]>>
  incidents: Readonly<Record<string, Incident>>
  /** Hubs that were lost: offline since the start. */
  lostHubs: readonly string[]
  terms: Readonly<Record<string, WrongTerms>>
  measures: Readonly<Record<string, Measure>>
}

/** A meter that was replaced because its calibration expired; not a defect. */
const REPLACED: Story['incidents'] = { 五樓插座迴路: { kind: 'replaced', day: 33, excess: 41_250 } }

/** A story without defects. */
export const QUIET: Story = { defects: {}, incidents: REPLACED, lostHubs: [], terms: {}, measures: {} }

/** Number of days since the air leaks were repaired. */
const MENDED = 100

/** State of a contact that was closed by a command. */
const CLOSED = { field: 'Switch', value: 1 }

/**
 * All defects of a demo, relative to the time at which its past ends. The demo has no others: every finding
 * of the product comes from here.
 *
 * until  epoch ms
 */
export function storyOf(until: number): Story {
  const today = startOfDay(until)
  const daysAgo = (days: number, hour = 0) => today - days * DAY + hour * HOUR
  return {
    defects: {
      // A load behind the sockets stays on at night, until the contactor that cuts them off is closed.
      三樓插座迴路: [
        {
          from: daysAgo(19, 20),
          hours: [20, 7],
          extraWatts: 5_400,
          endedBy: { name: '三樓插座夜間斷電接點', ...CLOSED },
        },
      ],
      // The day compressor: not switched off after the late shift, ten nights in a row.
      二號空壓機: [
        {
          from: daysAgo(10, 22),
          hours: [22, 6],
          minShare: 0.97,
          endedBy: { name: '空壓機遠端停機接點', ...CLOSED },
        },
      ],
      // Air leaked until a hundred days ago: the compressor had to run against that, on Sundays too.
      一號空壓機: [{ from: 0, until: daysAgo(MENDED), minShare: 0.55 }],
      // The last person to leave forgets the lights of the hall.
      '理貨區高天井燈（東）': [{ from: daysAgo(75), hours: [17, 23.75], workdays: 0.6, sensed: { lit: 1 } }],
      '理貨區高天井燈（西）': [{ from: daysAgo(75), hours: [17, 23.75], workdays: 0.6, sensed: { lit: 1 } }],
      // Cools all day a room that is used one hour a week; it is switched off at its socket.
      洽談室冷氣: [
        {
          from: daysAgo(45),
          hours: [8, 20],
          workdays: 1,
          minShare: 0.6,
          endedBy: { name: '洽談室冷氣', field: 'Switch', value: 0 },
        },
      ],
      展示間偵煙感測: [{ from: until - 90 * MINUTE, sensed: { faulty: true } }],
      茶水間飲水機: [{ from: until - 2 * HOUR, silent: true }],
    },
    incidents: { ...REPLACED, 堆高機充電站: { kind: 'silent', fromDay: 24, throughDay: 18 } },
    lostHubs: ['警衛室閘道器'],
    // The first day without the leaks is the day after.
    measures: { 台中精機園區工廠: { name: '修復壓縮空氣管路漏氣', meter: '一號空壓機', day: MENDED + 1 } },
    // Capacity agreed for a chiller that was removed, and capacitors that have failed.
    terms: { 內湖總部: { regular: 280 }, 台中精機園區工廠: { PowerFactor: 76 } },
  }
}

/** Devices of a hub with their defects; `repaired` are the PeripheralUIDs without them. */
export function withStory<Device extends HubDevice>(
  devices: readonly Device[],
  { defects }: Story,
  repaired: ReadonlySet<string> = new Set(),
): Device[] {
  const uidOf = (name: string): string => {
    const found = devices.find(({ PeripheralName }) => PeripheralName === name)
    if (!found) throw new Error(`No device of this hub is called ${name}`)
    return found.PeripheralUID
  }
  return devices.map((device) => {
    const scripted = repaired.has(device.PeripheralUID) ? undefined : defects[device.PeripheralName]
    if (!scripted) return device
    const own = scripted.map(({ endedBy, ...defect }): Defect => {
      if (!endedBy) return defect
      const { name, ...shown } = endedBy
      return { ...defect, endedBy: { PeripheralUID: uidOf(name), ...shown } }
    })
    return { ...device, scenario: { ...device.scenario, defects: own } }
  })
}
