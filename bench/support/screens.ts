/** Many screens in one process: they subscribe as the dashboard does and record the age of each report at its arrival. */
import { connectAsync, type MqttClient } from 'mqtt'
import { serveParent } from './child.ts'
import { percentile } from './statistics.ts'

export interface ScreenLogin {
  url: string
  clientId: string
  username: string
  password: string
  topics: string[]
}
/** Connects screens; returns the reports since the last request; or disconnects. */
export type Question = { connect: ScreenLogin[] } | 'collect' | 'leave'
/** Reports that arrived, all screens together, and their age in ms. */
export interface Collected {
  reports: number
  p50: number
  p99: number
}

const TIMESTAMP = /"Timestamp":(\d{13})/g
let screens: MqttClient[] = []
let ages: number[] = []

async function open({ url, topics, ...session }: ScreenLogin): Promise<MqttClient> {
  const screen = await connectAsync(url, { ...session, protocolVersion: 4, reconnectPeriod: 0, clean: true })
  screen.on('message', (_topic, payload) => {
    const now = performance.timeOrigin + performance.now()
    for (const [, at] of payload.toString('latin1').matchAll(TIMESTAMP)) ages.push(now - Number(at))
  })
  await screen.subscribeAsync(topics, { qos: 0 })
  return screen
}

serveParent({}, async (question: Question) => {
  if (question === 'leave') return void (await Promise.all(screens.map((screen) => screen.endAsync(true))))
  if (question === 'collect') {
    const collected: Collected = {
      reports: ages.length,
      p50: percentile(ages, 0.5),
      p99: percentile(ages, 0.99),
    }
    ages = []
    return collected
  }
  screens = await Promise.all(question.connect.map(open))
  return {}
})
