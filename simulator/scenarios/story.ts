import type { HubDevice } from '../hub-device.ts'
import type { Incident } from '../past.ts'
import type { Defect } from './defect.ts'
import { startOfDay } from './taiwan.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** A defect as the story tells it: what ends it is a device of the same hub, by its name. */
export type ScriptedDefect = Omit<Defect, 'endedBy'> & {
  endedBy?: { name: string; field: string; value: number }
}

/** What a home pays otherwise than it should. */
export interface WrongTerms {
  /** kW. */
  regular?: number
  /** Percent. */
  PowerFactor?: number
}

/** What somebody did in the past to save energy, and how many days before the day the past ends in. */
export interface Measure {
  name: string
  /** The meter that tells what it saved. */
  meter: string
  day: number
}

/**
 * What is wrong in the demo, and what became of its meters. Homes, hubs and devices by their names; a device's name stands
 * once in the demo.
 */
export interface Story {
  defects: Readonly<Record<string, readonly ScriptedDefect[]>>
  incidents: Readonly<Record<string, Incident>>
  /** Hubs that are gone: they have been there, and say nothing since the start. */
  lostHubs: readonly string[]
  terms: Readonly<Record<string, WrongTerms>>
  /** By home. */
  measures: Readonly<Record<string, Measure>>
}

/** A meter that was replaced as its calibration ran out: nothing is wrong with that. */
const REPLACED: Story['incidents'] = { 五樓插座迴路: { kind: 'replaced', day: 33, excess: 41_250 } }

/** Nothing is wrong. */
export const QUIET: Story = { defects: {}, incidents: REPLACED, lostHubs: [], terms: {}, measures: {} }

/** So many days ago air stopped leaking: somebody had found the leaks and mended them. */
const MENDED = 100

/** A contact that was closed by command. */
const CLOSED = { field: 'Switch', value: 1 }

/**
 * What is wrong in a demo, told from the moment up to which its past is made up. Nothing else of the demo is wrong: what the
 * product finds there is in here.
 *
 * until  epoch ms
 */
export function storyOf(until: number): Story {
  const today = startOfDay(until)
  const daysAgo = (days: number, hour = 0) => today - days * DAY + hour * HOUR
  return {
    defects: {
      // Something behind the sockets stays on at night, until the contactor that cuts them off is closed.
      三樓插座迴路: [
        {
          from: daysAgo(19, 20),
          hours: [20, 7],
          extraWatts: 5_400,
          endedBy: { name: '三樓插座夜間斷電接點', ...CLOSED },
        },
      ],
      // It is the one of the day: nobody has switched it off after the late shift, ten nights in a row.
      二號空壓機: [
        {
          from: daysAgo(10, 22),
          hours: [22, 6],
          leastShare: 0.97,
          endedBy: { name: '空壓機遠端停機接點', ...CLOSED },
        },
      ],
      // Air leaked until a hundred days ago: it had to press against that, on Sundays too.
      一號空壓機: [{ from: 0, until: daysAgo(MENDED), leastShare: 0.55 }],
      // Whoever goes last forgets the lights of the hall.
      '理貨區高天井燈（東）': [{ from: daysAgo(75), hours: [17, 23.75], workdays: 0.6, sees: { lit: 1 } }],
      '理貨區高天井燈（西）': [{ from: daysAgo(75), hours: [17, 23.75], workdays: 0.6, sees: { lit: 1 } }],
      // Cools all day a room in which somebody is for an hour a week; it is switched off at its socket.
      洽談室冷氣: [
        {
          from: daysAgo(45),
          hours: [8, 20],
          workdays: 1,
          leastShare: 0.6,
          endedBy: { name: '洽談室冷氣', field: 'Switch', value: 0 },
        },
      ],
      展示間偵煙感測: [{ from: until - 90 * MINUTE, sees: { faulty: true } }],
      茶水間飲水機: [{ from: until - 2 * HOUR, silent: true }],
    },
    incidents: { ...REPLACED, 堆高機充電站: { kind: 'silent', fromDay: 24, throughDay: 18 } },
    lostHubs: ['警衛室閘道器'],
    // The first day without it is the day after.
    measures: { 台中精機園區工廠: { name: '修復壓縮空氣管路漏氣', meter: '一號空壓機', day: MENDED + 1 } },
    // Agreed on for a chiller that is gone, and capacitors that have failed.
    terms: { 內湖總部: { regular: 280 }, 台中精機園區工廠: { PowerFactor: 76 } },
  }
}

/** Devices of a hub with what is wrong with them; `repaired` are those that somebody has seen to, by PeripheralUID. */
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
    const told = repaired.has(device.PeripheralUID) ? undefined : defects[device.PeripheralName]
    if (!told) return device
    const own = told.map(({ endedBy, ...defect }): Defect => {
      if (!endedBy) return defect
      const { name, ...shown } = endedBy
      return { ...defect, endedBy: { PeripheralUID: uidOf(name), ...shown } }
    })
    return { ...device, scenario: { ...device.scenario, defects: own } }
  })
}
