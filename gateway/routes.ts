import { procedures, resources } from '../contract/index.ts'
import type { AnyEndpoint } from '../contract/kernel/define-endpoint.ts'
import type { ReceivedMessage } from './kernel/broker.ts'
import type { Handler } from './kernel/context.ts'
import type { Feature } from './kernel/feature.ts'

/** Call with its handler, as the server mounts it. */
export interface CallRoute {
  endpoint: AnyEndpoint
  handler: Handler<AnyEndpoint>
}

type Handlers = Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>>

/**
 * Creates one route for every call of the contract.
 *
 * errors  if a call has no handler, or handlers of two features
 */
export function callRoutesOf(features: readonly Feature[]): CallRoute[] {
  const route = (family: string, verb: string, endpoint: AnyEndpoint): CallRoute => {
    const found = features.flatMap(
      ({ handlers }) => (handlers as Handlers | undefined)?.[family]?.[verb] ?? [],
    )
    if (found.length !== 1) throw new Error(`${endpoint.path} has ${found.length} handlers`)
    return { endpoint, handler: found[0] as CallRoute['handler'] }
  }
  const routes = (family: string, endpoints: Readonly<Record<string, AnyEndpoint>>) =>
    Object.entries(endpoints).map(([verb, endpoint]) => route(family, verb, endpoint))
  return [
    ...Object.entries(resources).flatMap(([name, { operations }]) => routes(name, operations)),
    ...Object.entries(procedures).flatMap(([name, family]) => routes(name, family)),
  ]
}

/**
 * Dispatches each message to the feature that subscribes to its topic; drops messages without one.
 *
 * errors  if two features subscribe to the same topic
 */
export function dispatchMqtt(features: readonly Feature[]): (message: ReceivedMessage) => Promise<void> {
  const receivers = new Map<string, (message: ReceivedMessage) => Promise<void>>()
  for (const { topics = {} } of features)
    for (const [name, receive] of Object.entries(topics)) {
      if (receivers.has(name)) throw new Error(`Two features hear ${name}`)
      receivers.set(name, receive)
    }
  return (message) => receivers.get(message.match.name)?.(message) ?? Promise.resolve()
}
