/** `npm run demo`: the whole product with a demo company whose buildings are simulated. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { findings } from '../contract/findings/calls.ts'
import { settledStates } from '../simulator/building/building.ts'
import { shiftClock, systemClock } from '../gateway/kernel/ports.ts'
import { startFleet, createMemoryFile, readMemory } from '../simulator/fleet.ts'
import { startScanner } from '../simulator/scanner.ts'
import { rushFrom } from '../simulator/scenarios/visitors.ts'
import { QUIET, storyOf, withStory } from '../simulator/demo/story.ts'
import { demoCompany } from '../simulator/demo/demo.ts'
import { type Call, connectApi } from './api.ts'
import { ensureGatewayBuild, ensureWebBuild } from './build-if-needed.ts'
import { seedAutomation } from './demo-automation.ts'
import { DEMO_ACCOUNTS, DEMO_PASSWORD, type HubSecrets, seedDemoCompany } from './demo-company.ts'
import { seedExtras } from './demo-extras.ts'
import { seedFloors } from './demo-floors.ts'
import { seedOffice } from './demo-office.ts'
import { apiIn, type DemoLanguage, nameIn } from './demo-language.ts'
import { languageOfLocale, readDemoOptions } from './demo-options.ts'
import { deliverMissed, readPastMark, startHistory, writePastMark } from './demo-past.ts'
import { readRepairs, startRepairs } from './demo-repairs.ts'
import { startGatewayProcess } from './gateway-process.ts'

/** Seed of the simulated world and of its past. */
const SEED = 1

const dataDirIn = (language: DemoLanguage): string =>
  process.env['DATA_DIR'] ?? (language === 'zh' ? '.data/demo' : `.data/demo-${language}`)
const memoryFileIn = (language: DemoLanguage): string => join(dataDirIn(language), 'demo-buildings.json')
const pastFileIn = (language: DemoLanguage): string => join(dataDirIn(language), 'demo-past.json')
const localeLanguage = languageOfLocale(process.env)
const storedMark = readPastMark(pastFileIn(localeLanguage))
const options = readDemoOptions(
  process.argv.slice(2),
  Date.now(),
  (language) => readMemory(memoryFileIn(language))?.at,
  // Names that a directory already has stay.
  storedMark ? (storedMark.language ?? 'zh') : localeLanguage,
)
if (typeof options === 'string') {
  console.error(options)
  process.exit(2)
}
const { speed, clockAheadMs, quiet, language, notice } = options
const [dataDir, memoryFile] = [dataDirIn(language), memoryFileIn(language)]
const remembered = readMemory(memoryFile)
const clock = shiftClock(systemClock, clockAheadMs)

if (!ensureWebBuild() || !ensureGatewayBuild()) process.exit(1)

const startedAt = Date.now()
const logPhase = (text: string) =>
  console.log(`  ${text} … (${Math.round((Date.now() - startedAt) / 1000)} s)`)

const secretsFile = join(dataDir, 'demo-hubs.json')
const secrets = readSecrets()
const pastFile = pastFileIn(language)
// A past can only be added before counters that start now.
const past = remembered ? readPastMark(pastFile) : { until: clock.now(), done: false, language }
if (remembered && (past?.language ?? 'zh') !== language) {
  console.error(
    `The demo in ${dataDir} has names in another language: leave --lang out, or choose another DATA_DIR`,
  )
  process.exit(2)
}
const story = quiet ? QUIET : storyOf(past?.until ?? clock.now())
const repairs = readRepairs(join(dataDir, 'demo-repairs.json'))
const history =
  past && !past.done
    ? startHistory({
        hubs: demoCompany.homes.flatMap((site) =>
          site.hubs.map(({ devices }) => withStory(devices, story, repairs.done)),
        ),
        until: past.until,
        seed: SEED,
        incidents: story.incidents,
      })
    : undefined

logPhase('Starting the gateway')
// The password of the accounts is public, so the demo is reachable from this machine only unless HOST is set.
const host = process.env['HOST'] ?? '127.0.0.1'
const mqttPort = process.env['MQTT_PORT'] ?? '1883'
const gateway = await startGatewayProcess(
  ['node', '--enable-source-maps', '--max-semi-space-size=64', 'dist/gateway/main.js'],
  {
    DATA_DIR: dataDir,
    HOST: host,
    MQTT_HOST: process.env['MQTT_HOST'] ?? host,
    MQTT_PORT: mqttPort,
    LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'warn',
    SIGN_UP: process.env['SIGN_UP'] ?? 'open',
    // Its own program makes hundreds of calls in the first seconds.
    RATE_USER: process.env['RATE_USER'] ?? '200/1000',
    DEMO: 'true',
    DEMO_ACCOUNTS: DEMO_ACCOUNTS.map(({ Email }) => Email).join(','),
    DEMO_PASSWORD,
    DEMO_CLOCK_AHEAD_MS: String(clockAheadMs),
  },
).catch((error: Error) => {
  console.error(error.message)
  process.exit(1)
})

/** Stops what runs beside the gateway. */
const running: (() => unknown)[] = []
let ending: Promise<void> | undefined
/** Stops everything, once, and ends the process. */
const end = (code: number): Promise<void> => (ending ??= stopAll(code))
async function stopAll(code: number): Promise<void> {
  await Promise.all(running.map((stop) => stop()))
  await gateway.stop()
  process.exit(code)
}
// Else the gateway and its database would go on after a failure.
process.on('uncaughtException', (error) => {
  if (!ending) console.error(error)
  void end(1)
})
process.on('SIGINT', () => void end(0))
process.on('SIGTERM', () => void end(0))
gateway.process.on('exit', () => void end(1))
if (history) running.push(() => history.stop())

logPhase('Creating the company')
const { hubs, lost, door, addDevices, owner } = await seedDemoCompany(
  apiIn(language, await connectApi(gateway.url)),
  secrets,
  { now: clock.now(), story, repaired: repairs.done },
)
mkdirSync(dataDir, { recursive: true })
writeFileSync(secretsFile, JSON.stringify(secrets), { mode: 0o600 })

const now = clock.now()
if (past) writePastMark(pastFile, past)
const memory = remembered ?? {
  at: past?.until ?? now,
  states: Object.assign({}, ...hubs.map(({ devices }) => settledStates(devices, SEED, now))),
}
const fleet = startFleet({
  url: `mqtt://127.0.0.1:${mqttPort}`,
  hubs,
  speed,
  seed: SEED,
  clock,
  rush: rushFrom(now),
  onMemory: createMemoryFile(memoryFile),
  memory,
})
const atTheDoor = startScanner({ url: `mqtt://127.0.0.1:${mqttPort}`, clock, ...door })
running.push(
  () => fleet.stop(),
  () => atTheDoor.stop(),
)
fleet.on('rejected', (thingName, reason) => console.error(`Hub ${thingName} was refused: ${reason}`))
await fleet.announced()
if ((await addDevices()) > 0) fleet.refresh()
for (const thingName of lost) fleet.powerOff(thingName)
logPhase('Creating tariffs, meetings, plans and rules')
try {
  const seeded = Promise.all([
    seedOffice(owner, now, { wrong: story.terms }),
    seedFloors(owner, gateway.url),
  ]).then(() => seedAutomation(owner))
  // A failure is reported below, when it is awaited.
  seeded.catch(() => {})
  if (history && past) {
    await history.store({
      database: process.env['DATABASE_URL'] ?? dataDir,
      hubs,
      call: owner,
      measures: story.measures,
      seeded,
      hasAlarms: !quiet,
      language,
      onPhase: logPhase,
    })
    writePastMark(pastFile, { ...past, done: true })
    history.stop()
  }
  await seeded
  await seedExtras(owner, gateway.url)
  if (history) {
    logPhase('Finding savings')
    await savingsFound(owner)
  }
} catch (error) {
  if (!ending)
    console.error(`  The demo could not be completed; the next start tries again: ${String(error)}`)
  await end(1)
}
logPhase('Ready')

console.log(`
  Open        ${gateway.url}

  Accounts    ${DEMO_ACCOUNTS.map(({ Email, role }) => `${Email.padEnd(24)}${nameIn(language, role)}`).join('\n              ')}
  Password    ${DEMO_PASSWORD}

  ${hubs.length} hubs with ${hubs.reduce((sum, { devices }) => sum + devices.length, 0)} devices are live, with ${language === 'zh' ? 'Chinese names (English: --lang en)' : 'English names (Chinese: --lang zh)'}. Ctrl-C ends the demo; its data stays in ${dataDir}.
${notice}`)

if (remembered)
  void deliverMissed(fleet, hubs, remembered, SEED, now).catch((error: unknown) =>
    console.error(`  What happened since the last run could not be filled in: ${String(error)}`),
  )

if (!quiet) running.push(startRepairs({ call: owner, fleet, repairs, clock }))

/** Resolves when the gateway has examined all homes for savings, which begins when their energy is computed, or after a minute. */
async function savingsFound(call: Call): Promise<void> {
  for (let second = 0; second < 60; second++) {
    const { Lacks } = await call(findings.getSaving, {})
    if (!Lacks.some(({ Reason }) => Reason === 'notYet' || Reason === 'loading')) return
    await setTimeout(1_000)
  }
}

function readSecrets(): HubSecrets {
  try {
    return JSON.parse(readFileSync(secretsFile, 'utf8')) as HubSecrets
  } catch {
    return {}
  }
}
