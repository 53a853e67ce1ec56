import { describe, expect, it } from 'vitest'
import { endpoints } from '../../contract/index.ts'
import type { ReceivedMessage } from '../../gateway/kernel/broker.ts'
import type { Feature } from '../../gateway/kernel/feature.ts'
import { createFeatures } from '../../gateway/features.ts'
import { dispatchMqtt, callRoutesOf } from '../../gateway/routes.ts'
import { createIdleDeps } from '../support/idle-deps.ts'

const features = createFeatures(createIdleDeps())
const message = (name: string) => ({ match: { name } }) as ReceivedMessage

describe('the calls of features', () => {
  it('are exactly those of the contract', () => {
    expect(callRoutesOf(features)).toHaveLength(endpoints.length)
  })

  it('are rejected if one has no handler, or two', () => {
    const personal = features.find(({ handlers }) => handlers?.personal) as Feature
    expect(() => callRoutesOf(features.filter((feature) => feature !== personal))).toThrow('has 0 handlers')
    expect(() => callRoutesOf([...features, personal])).toThrow('has 2 handlers')
  })
})

describe('a message', () => {
  it('is routed only to the feature with its topic', async () => {
    const heard: string[] = []
    const receive = dispatchMqtt([
      { topics: { statusReport: async () => void heard.push('status') } },
      { topics: { otaReport: async () => void heard.push('ota') } },
    ])
    await receive(message('otaReport'))
    await receive(message('modbusRequest'))
    expect(heard).toEqual(['ota'])
  })

  it('is handled by one feature only', () => {
    const feature: Feature = { topics: { statusReport: async () => {} } }
    expect(() => dispatchMqtt([feature, feature])).toThrow('Two features hear statusReport')
  })
})
