import type { z } from 'zod'
import type { Access } from './permissions.ts'

/** Kind of client on a topic: a hub, a door scanner, a person's screen, or the gateway itself. */
export type Party = 'hub' | 'scanner' | 'screen' | 'gateway'

type Params<Template extends string> = Template extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Params<Rest>
  : never
type Values<Template extends string> = { [name in Params<Template>]: string }

/** Topic family of the realtime channel (§7, protocol Topics), without the schema of its payload. */
export interface Topic<Template extends string = string> {
  template: Template
  summary: string
  /** Parties that may publish; messages from others are rejected and counted. */
  publishers: readonly Party[]
  subscribers: readonly Party[]
  /** Right that a screen needs; if it depends on the entity, the broker checks it per entity. */
  access: Access
  qos: 0 | 1
  /** The topic with every placeholder filled. */
  topic(values: Values<Template>): string
  /** Subscription filter; a placeholder without a value becomes `+`. */
  filter(values?: Partial<Values<Template>>): string
  /** Values of the placeholders; undefined if the topic does not match the template. */
  match(topic: string): Values<Template> | undefined
}

/** Topic family with the schema of its payload. */
export interface Channel<
  Template extends string = string,
  Payload extends z.ZodType = z.ZodType,
> extends Topic<Template> {
  payload: Payload
}

// oxlint-disable-next-line typescript/no-explicit-any -- a registry holds channels of every shape
export type AnyChannel = Channel<any, any>
export type PayloadOf<C extends AnyChannel> = z.output<C['payload']>

/** Adds the schema of the payload to a topic family. */
export const defineChannel = <Template extends string, Payload extends z.ZodType>(
  topic: Topic<Template>,
  payload: Payload,
): Channel<Template, Payload> => ({ ...topic, payload })

/** Declares a topic family; publishers, subscribers, broker ACL and reference all read this value. */
export function defineTopic<const Template extends string>(options: {
  template: Template
  summary: string
  publishers: readonly Party[]
  subscribers: readonly Party[]
  access: Access
  qos?: 0 | 1
}): Topic<Template> {
  const levels = options.template.split('/').map((level) => {
    const name = /^\{(\w+)\}$/.exec(level)?.[1]
    return name ? { name } : { text: level }
  })
  const fill = (valueOf: (name: string) => string) =>
    levels.map((level) => ('name' in level ? valueOf(level.name as string) : level.text)).join('/')

  return {
    qos: 1,
    ...options,
    topic: (values) => fill((name) => values[name as Params<Template>]),
    filter: (values) => fill((name) => values?.[name as Params<Template>] ?? '+'),
    match(topic) {
      const parts = topic.split('/')
      if (parts.length !== levels.length) return undefined
      const values: Record<string, string> = {}
      for (const [i, level] of levels.entries()) {
        const part = parts[i] as string
        if ('name' in level) {
          if (part === '') return undefined
          values[level.name as string] = part
        } else if (part !== level.text) return undefined
      }
      return values as Values<Template>
    },
  }
}
