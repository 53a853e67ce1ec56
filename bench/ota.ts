import { createHash, randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { ota, type OtaJob, type OtaOverview } from '../contract/devices/ota-calls.ts'
import { startFleet } from '../simulator/fleet.ts'
import { atEnd } from './support/clean-up.ts'
import { makeHome, type Owner, signUpOwner } from './support/company.ts'
import { ensureBuilt, startGateway, temporaryDirectory } from './support/gateway.ts'
import type { Figure, Options } from './support/measurement.ts'

export const name = 'ota'
export const bar = '200 devices in waves, the gateway killed in the middle: every device ends in a true state'

const HUBS = 200
const WAVE = 50
const FILE = 1024 * 1024
const VERSION = '1.1.0'
/** Numbers of hubs that are never online, and of those that already run a newer version; both in the last wave. */
const ABSENT = 4
const NEWER = 6
const LOOK_EVERY = 250

/**
 * Simulated hubs download a real file by HTTP, check it, restart and report. When two in five have succeeded, the gateway is
 * killed and started again on the same data. The versions that the hubs report are compared with the gateway's.
 */
export async function measure({ quick }: Options): Promise<Figure[]> {
  ensureBuilt()
  const count = quick ? 40 : HUBS
  const dataDir = await temporaryDirectory()
  const gateway = await startGateway(dataDir)
  const owner = await signUpOwner(gateway.url)
  const { HomeID, hubs } = await makeHome(
    gateway,
    owner,
    'home',
    Array.from({ length: count }, () => []),
  )
  const newer = hubs.slice(-ABSENT - NEWER, -ABSENT).map(({ ThingName }) => ThingName)
  const runs = new Map(hubs.map(({ ThingName }) => [ThingName, '1.0.0']))
  for (const thingName of newer) runs.set(thingName, '9.0.0')
  const fleet = startFleet({
    url: gateway.mqttUrl,
    hubs: hubs.slice(0, -ABSENT),
    firmwarePace: { install: 1_000, restart: 1_000 },
    memory: { at: Date.now(), states: {}, firmware: Object.fromEntries(runs) },
  })
  atEnd(() => fleet.stop())
  fleet.on('updated', (thingName, _uid, version) => runs.set(thingName, version))
  await until(owner, HomeID, ({ Devices }) => Devices.filter(({ Online }) => Online).length >= count - ABSENT)

  const FirmwareID = await upload(owner, gateway.url)
  const started = performance.now()
  const { Job } = await owner.call(ota.startOta, {
    HomeID,
    FirmwareID,
    Devices: hubs.map(({ ThingName }) => ({ ThingName })),
    WaveSize: Math.min(WAVE, count / 4),
    PausePercent: 100,
  })
  const of = (overview: OtaOverview): OtaJob =>
    overview.Jobs.find((job) => job.OtaJobID === Job?.OtaJobID) as OtaJob
  await until(owner, HomeID, (overview) => of(overview).Counts.Succeeded >= count * 0.4)
  const atKill = of(await owner.call(ota.getAllOta, { HomeID })).Counts
  const killed = performance.now()
  process.kill(gateway.pid, 'SIGKILL')
  await startGateway(dataDir, gateway)
  const downtimeMs = performance.now() - killed
  const end = await until(owner, HomeID, (overview) => of(overview).EndedAt !== null)
  const seconds = (performance.now() - started) / 1000
  const { Counts } = of(end)

  const incorrect = end.Devices.filter(({ ThingName, FirmwareVersion, Update }) => {
    const version = runs.get(ThingName) as string
    if (hubs.slice(-ABSENT).some((hub) => hub.ThingName === ThingName)) return Update?.Code !== 5
    if (FirmwareVersion !== version) return true
    return newer.includes(ThingName)
      ? Update?.Code !== 4
      : Update?.State !== 'succeeded' || version !== VERSION
  })
  await fleet.stop()
  return [
    {
      what: `devices in a true state, of ${count}`,
      value: count - incorrect.length,
      unit: '',
      bar: { of: 'value', min: count },
      note:
        `${Counts.Succeeded} succeeded, ${Counts.Failed} failed as they had to (${NEWER} ran something newer, ${ABSENT} were absent); ` +
        `killed with ${atKill.Succeeded} done and ${atKill.Active} at work, away for ${(downtimeMs / 1000).toFixed(1)} s`,
    },
    {
      what: 'start to the last device, with 2 minutes for the absent ones',
      value: Math.round(seconds),
      unit: 's',
    },
  ]
}

/** Uploads a random file to the library. Errors: if the gateway computes another checksum. */
async function upload({ call }: Owner, url: string): Promise<string> {
  const file = randomBytes(FILE)
  const { FirmwareID, UploadUrl } = await call(ota.uploadFirmware, {
    Target: 'hub',
    FirmwareVersion: VERSION,
    Size: file.length,
  })
  const answer = await fetch(url + UploadUrl, { method: 'PUT', body: file })
  const { results } = (await answer.json()) as { results: { Sha256: string } }
  if (results.Sha256 !== createHash('sha256').update(file).digest('hex')) throw new Error('Wrong checksum')
  return FirmwareID
}

/** Polls the overview until it matches; an unreachable gateway is retried. */
async function until(
  { call }: Owner,
  HomeID: string,
  fits: (overview: OtaOverview) => boolean,
): Promise<OtaOverview> {
  for (;;) {
    const overview = await call(ota.getAllOta, { HomeID }).catch(() => undefined)
    if (overview && fits(overview)) return overview
    await sleep(LOOK_EVERY)
  }
}
