import { hubTrial, TRIAL_TIMEOUT_MS } from '../../../contract/devices/channels/hub-setup.ts'
import type { PayloadOf } from '../../../contract/kernel/define-channel.ts'
import type { ChannelName } from '../../../contract/index.ts'
import { decide, SOMEWHERE } from '../../../contract/kernel/permissions.ts'
import type { Client, ReceivedMessage, ConnectRefusal } from '../../kernel/broker.ts'
import type { Deps } from '../deps.ts'
import type { ResultsOf } from '../../../contract/kernel/define-endpoint.ts'
import type { HUB_REJECTION_REASONS, setup } from '../../../contract/setup/calls.ts'
import type { Clock } from '../../kernel/ports.ts'

type Refused = NonNullable<ResultsOf<typeof setup.getHubTrouble>['Refused']>

/** Maximum number of hubs in memory; the one without news for the longest time is replaced. */
const MAX_HUBS = 20_000

/** Reasons of rejected messages that users see; others are not shown. */
const TROUBLE_REASONS: Partial<Record<ConnectRefusal, (typeof HUB_REJECTION_REASONS)[number]>> = {
  home: 'otherHome',
  tenant: 'otherHome',
  thing: 'otherHome',
  party: 'unknownTopic',
  'unknown-topic': 'unknownTopic',
  malformed: 'malformed',
}

/** Address in its usual form: the broker receives IPv4 addresses mapped to IPv6. */
const stripIpv4Prefix = (address: string | undefined): string | null =>
  address?.replace(/^::ffff:/, '') || null

/** Stores from where hubs sign in and why they were rejected, in memory: events before the start or at other gateways are unknown. */
export function createHubDiagnostics({ clock }: { clock: Pick<Clock, 'now'> }) {
  const Since = clock.now()
  const addresses = new Map<string, string | null>()
  const refusals = new Map<string, Refused>()

  function setBounded<T>(map: Map<string, T>, name: string, value: T): void {
    map.delete(name)
    const [oldest] = map.keys()
    if (map.size >= MAX_HUBS && oldest !== undefined) map.delete(oldest)
    map.set(name, value)
  }

  function recordRejection(thingName: string, Reason: Refused['Reason'], From: string | null): void {
    const before = refusals.get(thingName)
    const Count = before?.Reason === Reason ? Math.min(before.Count + 1, MAX_COUNT) : 1
    setBounded(refusals, thingName, { Reason, Count, From, Timestamp: clock.now() })
  }

  return {
    onAuthenticated(thingName: string, address: string | undefined): void {
      setBounded(addresses, thingName, stripIpv4Prefix(address))
      refusals.delete(thingName)
    },
    wrongSecret: (thingName: string, address: string | undefined): void =>
      recordRejection(thingName, 'wrongPassword', stripIpv4Prefix(address)),
    onRejected(thingName: string, rejection: ConnectRefusal): void {
      const reason = TROUBLE_REASONS[rejection]
      if (reason) recordRejection(thingName, reason, addresses.get(thingName) ?? null)
    },
    /** Clears the rejection of a hub after an accepted message. */
    onMessage(thingName: string): void {
      if (refusals.size > 0) refusals.delete(thingName)
    },
    of: (thingName: string): ResultsOf<typeof setup.getHubTrouble> => ({
      Since,
      Address: addresses.get(thingName) ?? null,
      Refused: refusals.get(thingName) ?? null,
    }),
  }
}

type TrialMessage = PayloadOf<typeof hubTrial>

interface Trial {
  tenant: string
  homeId: string
  until: number
  message: Omit<TrialMessage, 'ThingName' | 'Timestamp'>
  /** Number of sign-ins with a wrong secret. */
  wrongSecretCount: number
  /** Cancels the timer for the next message. */
  cancel: () => void
}

/** Time without a message after which users are notified, ms. */
const SILENCE_NOTICE_MS = 2 * 60_000
/** Maximum count of wrong secrets: each is published, and an attacker would not stop. */
const MAX_COUNT = 99
const MINUTE = 60_000
/** Clock difference of a hub above which users are notified, ms. */
const MAX_CLOCK_SKEW_MS = 5 * MINUTE
/** Maximum number of trials per gateway; the oldest ends for a new one. */
const MAX_TRIALS = 1_000

/** Timestamp in ms; values of up to ten digits are seconds (specification, 4). */
const millis = (timestamp: number) => (timestamp > 9_999_999_999 ? timestamp : timestamp * 1_000)

/** Clock of a hub from a message, epoch ms; undefined if it contains none. */
function clockIn(payload: Uint8Array): number | undefined {
  try {
    const { Timestamp } = JSON.parse(Buffer.from(payload).toString()) as { Timestamp?: unknown }
    return typeof Timestamp === 'number' && Number.isFinite(Timestamp) ? millis(Timestamp) : undefined
  } catch {
    // Invalid messages are reported where they are processed.
    return undefined
  }
}

/** Active trials, and their notifications. */
function createTrialBook({ broker, clock, log }: Pick<Deps, 'broker' | 'clock' | 'log'>) {
  const trials = new Map<string, Trial>()

  function trialOf(thingName: string): Trial | undefined {
    // Fast path, called for every message: usually there is no trial.
    if (trials.size === 0) return undefined
    const trial = trials.get(thingName)
    if (trial && trial.until > clock.now()) return trial
    if (trial) end(thingName)
    return undefined
  }

  function end(thingName: string): void {
    trials.get(thingName)?.cancel()
    trials.delete(thingName)
  }

  function publishTrial(thingName: string, { tenant, homeId, message }: Trial): void {
    broker
      .publish(hubTrial.topic({ rootId: tenant, homeId }), {
        ThingName: thingName,
        ...message,
        Timestamp: clock.now(),
      } satisfies TrialMessage)
      .catch((err: unknown) => log.warn({ err }, 'hub trial not published'))
  }

  /** Publishes a change, once; starts the timer for silence. */
  function setMessage(thingName: string, trial: Trial, message: Trial['message']): void {
    if (JSON.stringify(trial.message) !== JSON.stringify(message)) {
      trial.message = message
      publishTrial(thingName, trial)
    }
    trial.cancel()
    if (message.Stage === 'message') return
    trial.cancel = clock.after(SILENCE_NOTICE_MS, () => {
      if (trialOf(thingName) === trial) {
        trial.message = { ...trial.message, Reason: 'silent' }
        publishTrial(thingName, trial)
      }
    })
  }

  return { trials, trialOf, end, publishTrial, setMessage }
}

/** Later one of the reached stage and another: a rejected hub does not go back. */
const atLeast = (trial: Trial, Stage: TrialMessage['Stage']): TrialMessage['Stage'] =>
  hubTrial.payload.shape.Stage.options.indexOf(trial.message.Stage) >
  hubTrial.payload.shape.Stage.options.indexOf(Stage)
    ? trial.message.Stage
    : Stage

/**
 * Follows the first connection of hubs whose secret was just created, and publishes the progress to waiting users. Kept in memory: other
 * gateways, or this one after a restart, follow nothing, and screens use stored data instead.
 */
export function createHubTrials(deps: Pick<Deps, 'broker' | 'clock' | 'log'>) {
  const { clock } = deps
  const { trials, trialOf, end, publishTrial, setMessage } = createTrialBook(deps)

  return {
    begin({ tenant, homeId, thingName }: { tenant: string; homeId: string; thingName: string }): void {
      end(thingName)
      const [oldest] = trials.keys()
      if (trials.size >= MAX_TRIALS && oldest !== undefined) end(oldest)
      const trial: Trial = {
        tenant,
        homeId,
        until: clock.now() + TRIAL_TIMEOUT_MS,
        message: { Stage: 'waiting' },
        wrongSecretCount: 0,
        cancel: () => {},
      }
      trials.set(thingName, trial)
      setMessage(thingName, trial, { Stage: 'waiting' })
    },

    end,

    onWrongSecret(thingName: string, address: string | undefined): void {
      const trial = trialOf(thingName)
      if (!trial) return
      trial.wrongSecretCount++
      const From = stripIpv4Prefix(address)
      setMessage(thingName, trial, {
        Stage: 'reached',
        Reason: 'wrongPassword',
        Count: Math.min(trial.wrongSecretCount, MAX_COUNT),
        ...(From && { From }),
      })
    },

    onConnected(thingName: string): void {
      const trial = trialOf(thingName)
      if (!trial) return
      trial.wrongSecretCount = 0
      setMessage(thingName, trial, { Stage: atLeast(trial, 'signedIn') })
    },

    onRejected({ thingName }: { thingName: string }, rejection: ConnectRefusal): void {
      const trial = trialOf(thingName)
      const Reason = TROUBLE_REASONS[rejection]
      // A hub whose messages arrive has the right topics.
      if (trial && Reason && trial.message.Stage !== 'message')
        setMessage(thingName, trial, { Stage: atLeast(trial, 'signedIn'), Reason })
    },

    onMessage({ client, match, payload }: ReceivedMessage): void {
      const trial = client.party === 'hub' ? trialOf(client.thingName) : undefined
      // Client libraries request shadows and settings by themselves; only reports and shadow updates come from the hub's own program.
      if (!trial || client.party !== 'hub' || !REPORT_CHANNELS.has(match.name)) return
      const hubTime = match.name === 'statusReport' ? clockIn(payload) : undefined
      const offsetMs = hubTime === undefined ? 0 : hubTime - clock.now()
      setMessage(client.thingName, trial, {
        Stage: 'message',
        ...(Math.abs(offsetMs) > MAX_CLOCK_SKEW_MS && {
          Reason: 'clockOff',
          OffBy: Math.round(offsetMs / MINUTE) * MINUTE,
        }),
      })
    },

    /** Publishes the progress of a home's hubs to a new subscriber. */
    onSubscribed(client: Client, filter: string): void {
      if (client.party !== 'screen' || decide(hubTrial.access, client.subject, SOMEWHERE) !== true) return
      for (const [thingName, trial] of trials)
        if (
          trial.tenant === client.tenant &&
          trialOf(thingName) &&
          filter === hubTrial.topic({ rootId: trial.tenant, homeId: trial.homeId })
        )
          publishTrial(thingName, trial)
    },

    close(): void {
      for (const thingName of [...trials.keys()]) end(thingName)
    },
  }
}

const REPORT_CHANNELS: ReadonlySet<ChannelName> = new Set(['statusReport', 'meterReport', 'shadowUpdate'])
