import { channels, type ChannelName } from '../../contract/index.ts'
import type { AnyChannel } from '../../contract/kernel/define-channel.ts'
import type { TopicMatch } from '../kernel/broker.ts'

/** One level of a template: fixed text, or the name of a placeholder. */
export type Level = { text: string; name?: undefined } | { name: string; text?: undefined }

/** A topic family with its template split into levels. */
export interface Family {
  name: ChannelName
  channel: AnyChannel
  levels: Level[]
}

export const families: readonly Family[] = Object.entries(channels).map(([name, channel]) => ({
  name: name as ChannelName,
  channel,
  levels: channel.template.split('/').map((level: string): Level => {
    const placeholder = /^\{(\w+)\}$/.exec(level)?.[1]
    return placeholder ? { name: placeholder } : { text: level }
  }),
}))

const byLength = new Map<number, Family[]>()
for (const family of families)
  byLength.set(family.levels.length, [...(byLength.get(family.levels.length) ?? []), family])

/** Allowed values of a placeholder: the ids of the contract. */
const ID = /^[A-Za-z0-9_-]{1,64}$/
export const isId = (level: string): boolean => ID.test(level)

/** Whether a topic or filter is invalid by MQTT 3.1.1 [MQTT-1.5.3]: it contains NUL, or was not UTF-8. */
export const isMalformed = (topic: string): boolean => topic.includes('\0') || topic.includes('\uFFFD')

/** The families whose fixed levels all equal those of this topic or filter. */
export function familiesOf(parts: readonly string[]): Family[] {
  return (byLength.get(parts.length) ?? []).filter(({ levels }) =>
    levels.every((level, i) => level.text === undefined || level.text === parts[i]),
  )
}

/** Parses a topic by the contract; undefined if no family matches or a placeholder is not an id. */
export function matchTopic(topic: string): TopicMatch | undefined {
  const parts = topic.split('/')
  const family = familiesOf(parts)[0]
  if (!family) return undefined
  const values: Record<string, string> = {}
  for (const [i, level] of family.levels.entries()) {
    if (level.name === undefined) continue
    const value = parts[i] as string
    if (!isId(value)) return undefined
    values[level.name] = value
  }
  return { name: family.name, values }
}
