import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { FAULTS, type FaultRates } from './hub/faults.ts'
import { startFleet, createMemoryFile, readMemory } from './fleet.ts'
import type { FleetHub } from './building/building.ts'
import { runLoad } from './load.ts'
import { profiles } from './scenarios/profiles.ts'
import { lastWorkdayAt, readHour } from './scenarios/taiwan.ts'

const USAGE = `Simulated hubs and devices for a gateway.

  npx tsx simulator/main.ts --url mqtt://localhost:1883 --credentials hubs.json [options]

  --credentials FILE  hubs as JSON: [{ rootId, HomeID, ThingName, Secret, devices: [{ PeripheralUID, PeripheralType,
                      PeripheralName, PowerMeterUpdateFrequency?, PulseDuration?, scenario: { profile, key, watts? } }] }]
  --devices N         only the first N devices
  --seed S            the same world again (1)
  --ca FILE           certificate authority of the gateway, PEM

  A living building (without --rate)
  --speed X           people and machines live X times faster than the clock (1)
  --at HH:MM          start at that time of the last workday
  --memory FILE       keep the devices' counters there
  --minutes N         end by itself after so many
  --fault LIST        e.g. late=0.01,duplicate=0.02: ${FAULTS.join(', ')}

  Load
  --rate N            messages a second over all hubs
  --seconds N         how long (60)
  --window N          unacknowledged messages of one hub at once (100)
`

const Device = z.object({
  PeripheralUID: z.string(),
  PeripheralType: z.string(),
  PeripheralName: z.string(),
  PowerMeterUpdateFrequency: z.number().positive().optional(),
  PulseDuration: z.union([z.literal(60), z.literal(300), z.literal(600), z.literal(900)]).optional(),
  scenario: z.looseObject({
    profile: z.enum(Object.keys(profiles) as [keyof typeof profiles]),
    key: z.string(),
  }),
})
const Credentials = z.array(
  z.object({
    rootId: z.string(),
    HomeID: z.string(),
    ThingName: z.string(),
    Secret: z.string(),
    devices: z.array(Device),
  }),
)

function readArguments() {
  const { values } = parseArgs({
    options: {
      url: { type: 'string' },
      credentials: { type: 'string' },
      devices: { type: 'string' },
      seed: { type: 'string' },
      ca: { type: 'string' },
      speed: { type: 'string' },
      at: { type: 'string' },
      minutes: { type: 'string' },
      memory: { type: 'string' },
      fault: { type: 'string' },
      rate: { type: 'string' },
      seconds: { type: 'string' },
      window: { type: 'string' },
      help: { type: 'boolean' },
    },
  })
  return values
}

function number(name: string, text: string | undefined, fallback: number): number {
  if (text === undefined) return fallback
  const value = Number(text)
  if (!Number.isFinite(value) || value < 0) throw new Error(`--${name} wants a number, not "${text}"`)
  return value
}

function hourOf(text: string): number {
  const hour = readHour(text)
  if (hour === undefined) throw new Error(`--at wants a time like 10:00, not "${text}"`)
  return hour
}

function readFaults(list: string): FaultRates {
  return Object.fromEntries(
    list.split(',').map((entry) => {
      const [name = '', rate] = entry.split('=')
      if (!(FAULTS as readonly string[]).includes(name)) throw new Error(`There is no fault "${name}"`)
      return [name, number('fault', rate, 0.01)]
    }),
  )
}

/** The first `count` devices with their hubs. */
function first(count: number, hubs: readonly FleetHub[]): FleetHub[] {
  let remaining = count
  return hubs.flatMap((hub) => {
    const devices = hub.devices.slice(0, remaining)
    remaining -= devices.length
    return devices.length > 0 ? [{ ...hub, devices }] : []
  })
}

async function main(): Promise<void> {
  const args = readArguments()
  if (args.help || !args.url || !args.credentials) {
    console.log(USAGE)
    process.exitCode = args.help ? 0 : 2
    return
  }
  const credentials = Credentials.parse(JSON.parse(readFileSync(args.credentials, 'utf8')))
  const common = {
    url: args.url,
    hubs: first(number('devices', args.devices, Infinity), credentials),
    seed: number('seed', args.seed, 1),
    ca: args.ca && readFileSync(args.ca, 'utf8'),
  }

  if (args.rate !== undefined) {
    const { acknowledgedOf, ...figures } = await runLoad({
      ...common,
      rate: number('rate', args.rate, 0),
      seconds: number('seconds', args.seconds, 60),
      window: number('window', args.window, 100),
    })
    console.log(JSON.stringify({ ...figures, devicesHeard: acknowledgedOf.size }, null, 2))
    return
  }

  const fleet = startFleet({
    ...common,
    speed: number('speed', args.speed, 1),
    ...(args.at !== undefined && { worldStart: lastWorkdayAt(Date.now(), hourOf(args.at)) }),
    faults: args.fault ? readFaults(args.fault) : {},
    ...(args.memory && { memory: readMemory(args.memory), onMemory: createMemoryFile(args.memory) }),
  })
  fleet.on('online', (hub) => console.log(`${hub} online`))
  fleet.on('offline', (hub) => console.log(`${hub} offline`))
  fleet.on('rejected', (hub, reason) => console.log(`${hub} refused: ${reason}`))
  fleet.on('command', (command) => console.log('command', JSON.stringify(command)))
  const figures = setInterval(() => console.log(JSON.stringify(fleet.stats())), 30_000)
  const ends =
    args.minutes !== undefined && setTimeout(() => stop(), number('minutes', args.minutes, 0) * 60_000)
  const stop = () => {
    clearInterval(figures)
    if (ends) clearTimeout(ends)
    void fleet.stop()
  }
  process.once('SIGINT', stop)
  process.once('SIGTERM', stop)
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
})
