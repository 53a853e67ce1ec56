import { hubTrial, TRIAL_TIMEOUT_MS } from '../../../contract/devices/channels/hub-trial.ts'
import type { PayloadOf } from '../../../contract/kernel/define-channel.ts'
import type { ChannelName } from '../../../contract/index.ts'
import { decide } from '../../../contract/kernel/permissions.ts'
import type { Client, ReceivedMessage, ConnectRefusal } from '../../broker/port.ts'
import type { Deps } from '../../kernel/deps.ts'
import { stripIpv4Prefix, TROUBLE_REASONS } from './hub-troubles.ts'

type News = PayloadOf<typeof hubTrial>

interface Trial {
  tenant: string
  homeId: string
  until: number
  news: Omit<News, 'ThingName' | 'Timestamp'>
  /** Sign-ins with a wrong secret. */
  wrong: number
  /** Ends the wait for the next sign of life. */
  cancel: () => void
}

/** After how long without a sign of life a person is told so, in ms. */
const SILENCE_NOTICE_MS = 2 * 60_000
/** Wrong secrets are counted up to here: each is told, and who guesses does not stop. */
const MOST_COUNTED = 99
const MINUTE = 60_000
/** By how much a hub's clock may be off before a person is told so, in ms. */
const MAX_CLOCK_SKEW_MS = 5 * MINUTE
/** Most trials that one gateway follows; the oldest ends for a new one. */
const MOST = 1_000

/** Seconds, or milliseconds where there are more than ten digits (specification, 4). */
const millis = (timestamp: number) => (timestamp > 9_999_999_999 ? timestamp : timestamp * 1_000)

/** The clock of a hub as a message tells it, in epoch ms; undefined where it says none. */
function clockIn(payload: Uint8Array): number | undefined {
  try {
    const { Timestamp } = JSON.parse(Buffer.from(payload).toString()) as { Timestamp?: unknown }
    return typeof Timestamp === 'number' && Number.isFinite(Timestamp) ? millis(Timestamp) : undefined
  } catch {
    // What is wrong with a message is said where it is taken.
    return undefined
  }
}

/** The trials under way, and what is said of them. */
function createTrialBook({ broker, clock, log }: Pick<Deps, 'broker' | 'clock' | 'log'>) {
  const trials = new Map<string, Trial>()

  function trialOf(thingName: string): Trial | undefined {
    // Almost always there is none: this is asked for each message.
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

  function tell(thingName: string, { tenant, homeId, news }: Trial): void {
    broker
      .publish(hubTrial.topic({ rootId: tenant, homeId }), {
        ThingName: thingName,
        ...news,
        Timestamp: clock.now(),
      } satisfies News)
      .catch((err: unknown) => log.warn({ err }, 'hub trial not published'))
  }

  /** Says what is new, once; silence is said after a while without anything. */
  function say(thingName: string, trial: Trial, news: Trial['news']): void {
    if (JSON.stringify(trial.news) !== JSON.stringify(news)) {
      trial.news = news
      tell(thingName, trial)
    }
    trial.cancel()
    if (news.Stage === 'message') return
    trial.cancel = clock.after(SILENCE_NOTICE_MS, () => {
      if (trialOf(thingName) === trial) {
        trial.news = { ...trial.news, Reason: 'silent' }
        tell(thingName, trial)
      }
    })
  }

  return { trials, trialOf, end, tell, say }
}

/** The stage it has reached before, or a later one: a hub that is turned away has not gone back. */
const atLeast = (trial: Trial, Stage: News['Stage']): News['Stage'] =>
  hubTrial.payload.shape.Stage.options.indexOf(trial.news.Stage) >
  hubTrial.payload.shape.Stage.options.indexOf(Stage)
    ? trial.news.Stage
    : Stage

/**
 * Follows the first connection of hubs whose secret was just made, and tells the people who wait for it how far it has come. It is
 * kept in memory: another gateway of the same database, or this one after a start, follows nothing, and screens go by what is stored.
 */
export function createHubTrials(deps: Pick<Deps, 'broker' | 'clock' | 'log'>) {
  const { clock } = deps
  const { trials, trialOf, end, tell, say } = createTrialBook(deps)

  return {
    begin({ tenant, homeId, thingName }: { tenant: string; homeId: string; thingName: string }): void {
      end(thingName)
      const [oldest] = trials.keys()
      if (trials.size >= MOST && oldest !== undefined) end(oldest)
      const trial: Trial = {
        tenant,
        homeId,
        until: clock.now() + TRIAL_TIMEOUT_MS,
        news: { Stage: 'waiting' },
        wrong: 0,
        cancel: () => {},
      }
      trials.set(thingName, trial)
      say(thingName, trial, { Stage: 'waiting' })
    },

    end,

    wrongSecret(thingName: string, address: string | undefined): void {
      const trial = trialOf(thingName)
      if (!trial) return
      trial.wrong++
      const From = stripIpv4Prefix(address)
      say(thingName, trial, {
        Stage: 'reached',
        Reason: 'wrongPassword',
        Count: Math.min(trial.wrong, MOST_COUNTED),
        ...(From && { From }),
      })
    },

    connected(thingName: string): void {
      const trial = trialOf(thingName)
      if (!trial) return
      trial.wrong = 0
      say(thingName, trial, { Stage: atLeast(trial, 'signedIn') })
    },

    turnedAway({ thingName }: { thingName: string }, refusal: ConnectRefusal): void {
      const trial = trialOf(thingName)
      const Reason = TROUBLE_REASONS[refusal]
      // Whoever is heard has the right topics too.
      if (trial && Reason && trial.news.Stage !== 'message')
        say(thingName, trial, { Stage: atLeast(trial, 'signedIn'), Reason })
    },

    message({ client, match, payload }: ReceivedMessage): void {
      const trial = client.party === 'hub' ? trialOf(client.thingName) : undefined
      // A library asks for shadows and settings by itself; a report or a shadow that is written is the hub's own word.
      if (!trial || client.party !== 'hub' || !SAYS.has(match.name)) return
      const told = match.name === 'statusReport' ? clockIn(payload) : undefined
      const off = told === undefined ? 0 : told - clock.now()
      say(client.thingName, trial, {
        Stage: 'message',
        ...(Math.abs(off) > MAX_CLOCK_SKEW_MS && {
          Reason: 'clockOff',
          OffBy: Math.round(off / MINUTE) * MINUTE,
        }),
      })
    },

    /** Tells somebody who begins to listen how far the hubs of their home are. */
    subscribed(client: Client, filter: string): void {
      if (client.party !== 'screen' || decide(hubTrial.access, client.subject) !== true) return
      for (const [thingName, trial] of trials)
        if (
          trial.tenant === client.tenant &&
          trialOf(thingName) &&
          filter === hubTrial.topic({ rootId: trial.tenant, homeId: trial.homeId })
        )
          tell(thingName, trial)
    },

    close(): void {
      for (const thingName of [...trials.keys()]) end(thingName)
    },
  }
}

const SAYS: ReadonlySet<ChannelName> = new Set(['statusReport', 'meterReport', 'shadowUpdate'])
