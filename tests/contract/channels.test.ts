import { describe, expect, it } from 'vitest'
import { channels } from '../../contract/index.ts'
import type { AnyChannel } from '../../contract/kernel/define-channel.ts'

const placeholders = (template: string) =>
  [...template.matchAll(/\{(\w+)\}/g)].map((found) => found[1] as string)

describe.each(Object.entries(channels) as [string, AnyChannel][])('%s', (_name, channel) => {
  const values = Object.fromEntries(placeholders(channel.template).map((name, i) => [name, `v${i}`]))

  it('parses its own topics', () => {
    expect(channel.match(channel.topic(values))).toEqual(values)
  })

  it('leaves no placeholder in topic or filter', () => {
    expect(channel.topic(values)).not.toMatch(/[{}]/)
    expect(channel.filter()).not.toMatch(/[{}]/)
  })

  it('does not match longer, shorter or holed topics', () => {
    const topic = channel.topic(values)
    expect(channel.match(`${topic}/more`)).toBeUndefined()
    expect(channel.match(topic.split('/').slice(0, -1).join('/'))).toBeUndefined()
    expect(channel.match(topic.replace('v0', ''))).toBeUndefined()
  })

  it('has a publisher', () => {
    expect(channel.publishers.length).toBeGreaterThan(0)
  })
})

it('has no topic that two channels match', () => {
  const all = Object.entries(channels) as [string, AnyChannel][]
  for (const [name, channel] of all) {
    const topic = channel.topic(
      Object.fromEntries(placeholders(channel.template).map((p, i) => [p, `v${i}`])),
    )
    expect(all.filter(([, other]) => other.match(topic)).map(([owner]) => owner)).toEqual([name])
  }
})
