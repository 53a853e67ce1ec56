import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import mqtt, { type MqttClient } from 'mqtt'
import {
  controlRequest,
  controlResponse,
  status,
  statusChange,
  statusRequest,
} from '../../contract/devices/channels/control.ts'
import { messageGap } from '../../contract/message-gap.ts'
import { session } from '../../contract/people/session-calls.ts'
import type { Call } from '../../scripts/api.ts'

/** Minimum reconnect delay in ms; the maximum is twice as much. */
const AGAIN_AFTER = 500
/** Interval of status requests during a gap, in ms. */
const ASK_EVERY = 10_000
/** Time in ms after which the load balancer cuts a screen off from a suspended gateway. */
const HANGS = 5_000

/** Command as seen by the user who clicked; epoch ms. */
export interface Click {
  requestId: string
  uid: string
  on: boolean
  at: number
  /** Whether the gateway has accepted it. */
  taken: boolean
  /** Its events received by the screen, e.g. `failed: unreachable`. */
  heard: { state: string; at: number }[]
}

/** Page that shows a home live, and clicks. */
export interface Screen {
  /** Timestamp of the last event of each device, epoch ms. */
  seen: Map<string, number>
  clicks: Click[]
  /** Time since which the screen is current (connected and without a gap), epoch ms; undefined while it is not. */
  currentSince(): number | undefined
  /** Gaps in which events may be missing, as reported or detected, epoch ms. */
  gaps: { since: number; over: number | undefined }[]
  click(uid: string, on: boolean): void
  stop(): void
}

/** Opens a page of a home; it reconnects whenever its connection ends, and requests missed changes, as the dashboard does. */
export function openScreen(url: string, call: Call, place: { rootId: string; homeId: string }): Screen {
  const seen = new Map<string, number>()
  const clicks: Click[] = []
  const byRequest = new Map<string, Click>()
  const gaps: Screen['gaps'] = []
  let client: MqttClient | undefined
  const life = { stopped: false }
  let currentSince: number | undefined
  let asking: NodeJS.Timeout | undefined

  const askAll = () =>
    void client?.publish(statusRequest.topic(place), JSON.stringify({ Timestamp: Date.now() }), { qos: 1 })

  function endGap(): void {
    const last = gaps.at(-1)
    if (last) last.over ??= Date.now()
    currentSince = Date.now()
  }

  function hear(topic: string, payload: Buffer): void {
    const message = JSON.parse(payload.toString()) as Record<string, never>
    if (messageGap.match(topic)) return hearGap(messageGap.payload.parse(message))
    if (controlResponse.match(topic)) {
      const { RequestID, State, Reason } = message as Record<string, string>
      const heard = { state: Reason ? `${State}: ${Reason}` : (State as string), at: Date.now() }
      return void byRequest.get(RequestID as string)?.heard.push(heard)
    }
    const peripherals = (message['Peripherals'] ?? []) as { PeripheralUID: string; Timestamp: number }[]
    for (const { PeripheralUID, Timestamp } of peripherals)
      seen.set(PeripheralUID, Math.max(Timestamp, seen.get(PeripheralUID) ?? 0))
  }

  function hearGap({ Since, Over }: { Since: number; Over: boolean }): void {
    clearInterval(asking)
    if (Over) endGap()
    else {
      if (gaps.length === 0 || gaps.at(-1)?.over !== undefined) gaps.push({ since: Since, over: undefined })
      currentSince = undefined
      asking = setInterval(askAll, ASK_EVERY)
    }
    askAll()
  }

  async function connect(): Promise<void> {
    const { Url, ClientID, Username, Password } = await call(session.connectRealtime, {})
    if (life.stopped) return
    const mine = mqtt.connect(new URL(Url, url.replace('http', 'ws')).href, {
      protocolVersion: 4,
      clientId: ClientID,
      username: Username,
      password: Password,
      reconnectPeriod: 0,
      connectTimeout: 5_000,
      keepalive: 10,
    })
    const closed = new Promise<void>((resolve) => mine.once('close', () => resolve()))
    mine.on('error', () => mine.end(true))
    mine.on('message', hear)
    mine.on('connect', () => {
      const { rootId } = place
      const topics = [status, statusChange, controlResponse].map((channel) => channel.topic(place))
      mine.subscribe([...topics, messageGap.topic({ rootId })], { qos: 1 }, (error) => {
        if (error) return mine.end(true)
        client = mine
        endGap()
        askAll()
      })
    })
    await closed
  }

  async function keepOpen(): Promise<void> {
    while (!life.stopped) {
      await connect().catch(() => {})
      clearInterval(asking)
      if (client) {
        endGap()
        gaps.push({ since: Date.now() - HANGS, over: undefined })
      }
      client = undefined
      currentSince = undefined
      await sleep(AGAIN_AFTER * (1 + Math.random()))
    }
  }

  void keepOpen()
  return {
    seen,
    clicks,
    gaps,
    currentSince: () => currentSince,
    click(uid, on) {
      // The dashboard's buttons do nothing without a connection.
      if (!client) return
      const click: Click = { requestId: randomUUID(), uid, on, at: Date.now(), taken: false, heard: [] }
      clicks.push(click)
      byRequest.set(click.requestId, click)
      const request = {
        RequestID: click.requestId,
        PeripheralUID: uid,
        Values: { Switch: Number(on) },
        At: click.at,
      }
      client.publish(controlRequest.topic(place), JSON.stringify(request), { qos: 1 }, (error) => {
        click.taken = !error
      })
    },
    stop() {
      life.stopped = true
      clearInterval(asking)
      client?.end(true)
    },
  }
}
