import { randomUUID } from 'node:crypto'
import { dataChanges } from '../../../contract/channels/data-change.ts'
import { SHADOW_NAMES } from '../../../contract/channels/shadow.ts'
import { decide } from '../../../contract/features.ts'
import { GatewayError } from '../../errors.ts'
import type { ScreenClient, ThingClient } from '../port.ts'
import { families } from '../topics.ts'

/** Mosquitto's dynamic-security plugin: accounts and rights by messages. */
export const CONTROL = '$CONTROL/dynamic-security/v1'

export interface Acl {
  acltype: 'publishClientSend' | 'subscribePattern' | 'subscribeLiteral'
  topic: string
  allow: true
}

const TIMEOUT = 10_000
type Command = Record<string, unknown> & { command: string }
type Answer = { command: string; error?: string; correlationData?: string; data?: Record<string, unknown> }

/** Sends commands to the plugin and matches its answers. */
export function createCommands(publish: (topic: string, payload: Buffer) => Promise<void>) {
  const waiting = new Map<string, { resolve(answer: Answer): void; timer: NodeJS.Timeout }>()

  return {
    take(payload: Buffer) {
      const { responses = [] } = JSON.parse(payload.toString()) as { responses?: Answer[] }
      for (const answer of responses) {
        const sender = waiting.get(answer.correlationData ?? '')
        if (!sender) continue
        waiting.delete(answer.correlationData ?? '')
        clearTimeout(sender.timer)
        sender.resolve(answer)
      }
    },

    /** Runs one command. `fine` are errors that mean it was so already. Errors: UNAVAILABLE. */
    async run(command: Command, fine: readonly string[] = []): Promise<Record<string, unknown>> {
      const correlationData = randomUUID()
      const answered = new Promise<Answer>((resolve, reject) => {
        const timer = setTimeout(() => {
          waiting.delete(correlationData)
          reject(new GatewayError('UNAVAILABLE', 'The broker does not answer'))
        }, TIMEOUT)
        waiting.set(correlationData, { resolve, timer })
      })
      answered.catch(() => {})
      await publish(
        CONTROL,
        Buffer.from(JSON.stringify({ commands: [{ ...command, correlationData }] })),
      ).catch((error: unknown) => {
        clearTimeout(waiting.get(correlationData)?.timer)
        waiting.delete(correlationData)
        throw error
      })
      const { error, data } = await answered
      if (error !== undefined && !fine.includes(error))
        throw new GatewayError('UNAVAILABLE', `The broker refused ${command.command}: ${error}`)
      return data ?? {}
    },

    close() {
      for (const { timer } of waiting.values()) clearTimeout(timer)
      waiting.clear()
    },
  }
}

export type DynamicSecurity = ReturnType<typeof createCommands>

/** What a hub or a scanner may do, from the contract. */
export function rightsOfHub({ party, tenant, homeId, thingName }: ThingClient): Acl[] {
  const rights: Acl[] = []
  for (const { channel } of families) {
    const shadows = channel.template.includes('{shadowName}') ? SHADOW_NAMES : ['']
    for (const shadowName of shadows) {
      const topic = channel.topic({ rootId: tenant, homeId, thingName, shadowName })
      if (channel.publishers.includes(party))
        rights.push({ acltype: 'publishClientSend', topic, allow: true })
      if (channel.subscribers.includes(party))
        rights.push({ acltype: 'subscribeLiteral', topic, allow: true })
    }
  }
  return rights
}

/** What a screen may do, from the contract and the policy; `things` are the hubs of its company. */
export function rightsOfScreen(
  { tenant, cognitoId, subject }: ScreenClient,
  things: readonly string[],
): Acl[] {
  const rights: Acl[] = []
  for (const { name, channel } of families) {
    if (name === 'dataChange') {
      if (subject.isRoot)
        rights.push({ acltype: 'subscribePattern', topic: `${tenant}/datachange/#`, allow: true })
      else
        for (const [entity, { access }] of Object.entries(dataChanges))
          if (decide(access, subject) === true)
            rights.push({
              acltype: 'subscribePattern',
              topic: `${tenant}/datachange/${entity}/+`,
              allow: true,
            })
      continue
    }
    if (decide(channel.access, subject) !== true) continue
    const isShadow = channel.template.includes('{thingName}') && channel.template.includes('{shadowName}')
    const topics = isShadow
      ? things.flatMap((thingName) =>
          SHADOW_NAMES.map((shadowName) => channel.topic({ thingName, shadowName })),
        )
      : [channel.filter({ rootId: tenant, cognitoId })]
    for (const topic of topics) {
      if (channel.publishers.includes('screen'))
        rights.push({ acltype: 'publishClientSend', topic, allow: true })
      if (channel.subscribers.includes('screen'))
        rights.push({ acltype: 'subscribePattern', topic, allow: true })
    }
  }
  return rights
}
