import { type ChannelName, channels } from '../../../contract/index.ts'
import type { AnyChannel } from '../../../contract/kernel/define-channel.ts'
import { accessText, type JsonSchema, jsonSchemaOf } from './openapi.ts'

/** AsyncAPI 3 description of every topic, generated from the contract; operations are those of the gateway. */
export function createAsyncApi(version: string): JsonSchema {
  const all = Object.entries(channels) as [ChannelName, AnyChannel][]
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Gateway topics',
      version,
      description: 'MQTT 3.1.1: hubs over TCP or TLS, screens over WebSocket at /mqtt. Payloads are JSON.',
    },
    defaultContentType: 'application/json',
    channels: Object.fromEntries(all.map(([name, channel]) => [name, channelOf(channel)])),
    operations: Object.fromEntries(all.flatMap(([name, channel]) => operationsOf(name, channel))),
  }
}

function channelOf(channel: AnyChannel): JsonSchema {
  const parameters = [...channel.template.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name, {}])
  return {
    address: channel.template,
    description: channel.summary,
    parameters: Object.fromEntries(parameters),
    messages: { message: { payload: jsonSchemaOf(channel.payload, 'input') } },
  }
}

function operationsOf(name: string, channel: AnyChannel): [string, JsonSchema][] {
  const describe = (action: 'send' | 'receive', parties: readonly string[]): [string, JsonSchema] => [
    `${action}_${name}`,
    {
      action,
      channel: { $ref: `#/channels/${name}` },
      summary: `${channel.summary} (${parties.join(', ')}; ${accessText(channel.access)})`,
      bindings: { mqtt: { qos: channel.qos } },
    },
  ]
  const operations: [string, JsonSchema][] = []
  const others = channel.publishers.filter((party) => party !== 'gateway')
  if (channel.publishers.includes('gateway')) operations.push(describe('send', channel.subscribers))
  if (others.length) operations.push(describe('receive', others))
  return operations
}
