import { Counter, type Registry } from 'prom-client'
import { otaReport, otaRequest } from '../../../contract/devices/channels/ota.ts'
import { decide } from '../../../contract/kernel/permissions.ts'
import type { OtaCode, OtaState } from '../../../contract/devices/ota-calls.ts'
import { displayName } from '../../../contract/kernel/text.ts'
import type { Client, HubClient } from '../../kernel/broker.ts'
import { GatewayError } from '../../kernel/errors.ts'
import type { Events } from '../../kernel/events.ts'
import { createSerialQueue } from '../../lib/serial-queue.ts'
import type { Clock, Random } from '../../kernel/ports.ts'
import { isRecord } from '../../../contract/kernel/is-record.ts'
import { type OddValue, readMembers } from '../../../contract/kernel/read-valid.ts'
import { parseBytes, parseHubBytes } from '../../lib/parse-bytes.ts'
import { type Db, sql } from '../../kernel/db.ts'
import { createOtaMessages, type OtaMessageOptions } from './messages.ts'
import { planJob } from './plan.ts'
import { type OtaStart, type OtaStarted, startOta } from './start.ts'
import {
  cancelWaiting,
  correctLate,
  extendDeadlines,
  lockCompanyUpdates,
  type JobKey,
  markForgotten,
  markSent,
  readOpen,
  readOpenJobs,
  readPlanned,
  readRequests,
  type Sendable,
  writeOutcome,
  writePlan,
  writeProgress,
} from './store.ts'
import { createUpdateWatch } from './watch.ts'

/** Time for a hub to answer the command, or to connect, ms. */
const ANSWER_TIMEOUT_MS = 120_000
/** Maximum silence of a device during an update, including its restart (§8: about 5 minutes), and maximum duration of an update, ms. */
const MAX_SILENCE_MS = 300_000
const MAX_UPDATE_MS = 3_600_000
/** Interval between repetitions of an unanswered command, ms. */
const RESEND_AFTER_MS = 30_000
/** Time after a timed-out update in which the device's report of the new version still counts, ms. */
const LATE_SUCCESS_MS = 86_400_000
/** Options of a request over the realtime channel, which contains none. */
const REALTIME = { waveSize: 10, pausePercent: 20, confirmWaves: false }

export interface OtaOptions extends OtaMessageOptions {
  events: Events
  clock: Clock
  random: Random
  metrics: Registry
  /** Whether another gateway of this database is running. */
  hasOthers?: () => boolean
}

export type Ota = ReturnType<typeof createOta>

/**
 * Updates the firmware of hubs and devices, job by job and wave by wave (§8). Decisions are stored before they are carried out, so
 * that a job survives a restart; any gateway on the database can continue any job, and a command is sent by the gateway that stored
 * the intent. An update succeeds only when the device itself reports the new version.
 */
export function createOta(options: OtaOptions) {
  const { hasOthers = () => false } = options
  const { db, events, clock, random, log, metrics } = options
  const { publish, publishUpdates, send } = createOtaMessages(options)
  /** Processes hub messages in the order of arrival. */
  const inOrder = createSerialQueue()
  const watch = createUpdateWatch({ clock, log, openJobs: () => readOpenJobs(db), advance })
  const { look: checkJob } = watch
  const ended = new Counter({
    name: 'ota_updates_total',
    help: 'Firmware updates of devices that came to an end',
    labelNames: ['state', 'code'],
    registers: [metrics],
  })
  const malformed = new Counter({
    name: 'ota_malformed_total',
    help: 'Messages about firmware updates that could not be read or were about none',
    registers: [metrics],
  })

  function count({ state, code }: { state: OtaState; code: OtaCode | null }): void {
    ended.inc({ state, code: code ?? '' })
  }

  async function advance({ tenant, jobId }: JobKey): Promise<void> {
    const now = clock.now()
    const result = await db.transaction(async (tx) => {
      await lockCompanyUpdates(tx, tenant)
      const job = await readPlanned(tx, tenant, jobId)
      if (!job) return undefined
      const open = await readOpen(tx, tenant, jobId)
      const plan = planJob(job, open, now)
      await writePlan(tx, tenant, jobId, plan, now, now + ANSWER_TIMEOUT_MS)
      const ofTurn = new Set(plan.begin)
      const finishedIds = new Set(plan.finished.map(({ requestId }) => requestId))
      const toSend = open.filter(
        (update) =>
          !finishedIds.has(update.requestId) &&
          (ofTurn.has(update.requestId) || update.startedAt !== null) &&
          update.online &&
          needsCommand(update, now),
      )
      // Marked before sending: a later cancel is too late, and a command lost in a crash is sent again.
      await markSent(
        tx,
        toSend.map(({ requestId }) => requestId),
        now,
      )
      return { job, plan, toSend }
    })
    if (!result) return
    const { job, plan, toSend } = result
    plan.finished.forEach(count)
    const publishedIds = new Set(
      [...plan.finished, ...toSend].map(({ requestId }) => requestId).concat(plan.begin),
    )
    if (publishedIds.size > 0 || plan.job.state !== job.state || plan.hasEnded)
      await publishUpdates(tenant, jobId, [...publishedIds])
    await send(tenant, toSend)
    // An ended update allows the next one to start.
    if (plan.finished.length > 0 && !plan.hasEnded) checkJob({ tenant, jobId })
  }

  /** Whether a command is due: not yet sent, unanswered for a while, or possibly forgotten by a hub that was offline. */
  function needsCommand({ state, sentAt }: Sendable, now: number): boolean {
    if (state === 'waiting' || state === 'sent') return sentAt === null || now - sentAt >= RESEND_AFTER_MS
    return state !== 'restarting' && sentAt === null
  }

  async function receiveReport(payload: unknown, client: Client): Promise<void> {
    if (client.party !== 'hub' || !isRecord(payload) || payload['ThingName'] !== client.thingName)
      return malformed.inc()
    // Parsed field by field, so that one invalid step or progress does not discard the report.
    const oddValues: OddValue[] = []
    const parsed = otaReport.payload.safeParse(readMembers(otaReport.payload.shape, payload, '', oddValues))
    reportOddValues(client, oddValues)
    if (!parsed.success) return malformed.inc()
    const { RequestID: requestId, Code, Progress, FirmwareVersion } = parsed.data
    const isStepInvalid = oddValues.some(({ path }) => path === 'Step')
    const Step = parsed.data.Step ?? (isStepInvalid ? undefined : 'sent')
    const key = { tenant: client.tenant, thingName: client.thingName, requestId }
    const now = clock.now()
    const progress =
      Code === 0
        ? await writeProgress(db, key, Step, Progress === undefined ? undefined : Math.round(Progress), {
            now,
            silenceMs: MAX_SILENCE_MS,
            maxMs: MAX_UPDATE_MS,
          })
        : await writeOutcome(db, key, Code, FirmwareVersion, now)
    // A repetition, or after a timeout.
    if (!progress) return malformed.inc()
    if (Code !== 0) count(progress)
    await publishUpdates(client.tenant, progress.jobId, [progress.requestId])
    if (Code !== 0) checkJob({ tenant: client.tenant, jobId: progress.jobId })
  }

  function reportOddValues({ tenant, thingName }: HubClient, oddValues: readonly OddValue[]): void {
    if (oddValues.length === 0) return
    const faults = oddValues.map(({ path, came }) => ({
      uid: '',
      field: path,
      reason: 'value' as const,
      value: came,
    }))
    events.emit('reportFaulty', { tenant, thingName, message: 'ota', faults })
  }

  /** Processes a start by topic (§7): answers on `ota/response`, a rejection as code 4 of every device. */
  async function receiveRequest(homeId: string, payload: unknown, client: Client): Promise<void> {
    const parsed = otaRequest.payload.safeParse(payload)
    if (
      !parsed.success ||
      client.party !== 'screen' ||
      decide(otaRequest.access, client.subject, homeId) !== true
    )
      return malformed.inc()
    const { tenant, cognitoId } = client
    const { RequestID, FirmwareID, Devices } = parsed.data
    const by = await readName(tenant, cognitoId)
    let started: OtaStarted
    try {
      started = await db.transaction((tx) =>
        start(tx, {
          tenant,
          by,
          homeId,
          firmwareId: FirmwareID,
          devices: Devices,
          requestId: RequestID,
          ...REALTIME,
        }),
      )
    } catch (error) {
      if (!(error instanceof GatewayError) || error.code === 'UNAVAILABLE') throw error
      const Refused = Devices.map((device) => ({ ...device, Code: 4 as const }))
      return publish(tenant, homeId, { RequestID, Job: null, Updates: [], Refused })
    }
    const { job, busy } = started
    const Refused = busy.map((device) => ({ ...device, Code: 1 as const }))
    await publish(tenant, homeId, { RequestID, Job: job, Updates: [], Refused })
    if (job) checkJob({ tenant, jobId: job.OtaJobID })
  }

  async function readName(tenant: string, cognitoId: string): Promise<string> {
    const [row] = await db.query<Parameters<typeof displayName>[0]>(sql`
      select first_name as "FirstName", last_name as "LastName", nickname, email as "Email"
      from users where tenant = ${tenant} and cognito_id = ${cognitoId}`)
    return row ? displayName(row) : ''
  }

  const start = (tx: Db, request: OtaStart) => startOta(tx, request, { random, now: clock.now() })

  const checkHub = async (thingName: string) => {
    for (const key of await readOpenJobs(db, thingName)) checkJob(key)
  }

  const unsubscribes = [
    events.on('otaChanged', async (key) => {
      try {
        await publishUpdates(key.tenant, key.jobId, await readRequests(db, key))
      } finally {
        // Started after publishing; otherwise screens would receive the waiting state after the command was sent.
        checkJob(key)
      }
    }),
    events.on('hubOnline', async ({ thingName, online }) => {
      // The next check resends what the hub may have forgotten; meanwhile the hub subscribes.
      if (online) await markForgotten(db, thingName)
    }),
    events.on('firmwareReported', async ({ tenant, thingName }) => {
      for (const { jobId, requestId } of await correctLate(db, thingName, clock.now() - LATE_SUCCESS_MS))
        await publishUpdates(tenant, jobId, [requestId])
      await checkHub(thingName)
    }),
  ]

  return {
    /** Stores a job in the caller's transaction; `otaChanged` starts it after the commit. */
    start,

    /**
     * Cancels the unsent updates of a job and publishes them.
     *
     * errors  CONFLICT if the job has ended
     */
    async cancel(tx: Db, tenant: string, jobId: string): Promise<void> {
      await lockCompanyUpdates(tx, tenant)
      const job = await readPlanned(tx, tenant, jobId)
      if (!job) throw new GatewayError('CONFLICT', 'This update has ended')
      for (const cancelled of await cancelWaiting(tx, tenant, jobId, clock.now())) count(cancelled)
      await tx.query(sql`update ota_jobs set state = 'cancelled', pause = null
        where tenant = ${tenant} and ota_job_id = ${jobId}`)
    },

    /**
     * Continues a paused job with its next wave.
     *
     * errors  CONFLICT if it is not paused
     */
    async resume(tx: Db, tenant: string, jobId: string): Promise<void> {
      await lockCompanyUpdates(tx, tenant)
      const resumed = await tx.query(sql`
        update ota_jobs j set state = 'running', pause = null, approved_wave = coalesce((select min(wave) from ota_updates u
          where u.tenant = j.tenant and u.ota_job_id = j.ota_job_id and u.settled_at is null), approved_wave)
        where tenant = ${tenant} and ota_job_id = ${jobId} and state = 'paused' returning 1`)
      if (!resumed.length) throw new GatewayError('CONFLICT', 'This update is not paused')
    },

    /** Processes a screen's `ota/request` or a hub's `ota/report`; resolves when it is stored. */
    async receive(message: { topic: string; payload: Uint8Array; client: Client }): Promise<void> {
      const requestLevels = otaRequest.match(message.topic)
      const reportLevels = requestLevels ? undefined : otaReport.match(message.topic)
      const levels = requestLevels ?? reportLevels
      if (!levels || levels.rootId !== message.client.tenant) return malformed.inc()
      return requestLevels
        ? receiveRequest(requestLevels.homeId, parseBytes(message.payload), message.client)
        : inOrder(message.client.party === 'hub' ? message.client.thingName : '', () =>
            receiveReport(parseHubBytes(message.payload), message.client),
          )
    },

    /** Continues jobs that were open when the gateway stopped, and from then on those that other gateways abandon. */
    async recover(): Promise<void> {
      // While another gateway was running, hubs could answer at any time.
      if (!hasOthers()) await extendDeadlines(db, clock.now() + ANSWER_TIMEOUT_MS)
      await watch.start()
    },

    /** Stops the checks; open jobs stay in the database for the next start. */
    async close(): Promise<void> {
      for (const stop of unsubscribes) stop()
      await watch.close()
    },
  }
}
