import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { defineEndpoint } from '../../../contract/kernel/define-endpoint.ts'
import { defineResource } from '../../../contract/kernel/define-resource.ts'
import { HomeID, Name } from '../../../contract/kernel/scalars.ts'

const call = {
  path: '/Press',
  summary: 'Presses a button.',
  access: 'signed-in',
  results: z.object({}),
} as const
const Button = z.object({ HomeID, Name })
const button = {
  name: 'room',
  scope: 'home',
  feature: 'room',
  record: Button,
  key: ['HomeID'],
  events: {},
} as const
const operation = { path: '/ListButton', summary: 'Buttons of a home.', results: z.array(Button) } as const

describe('the class of a call', () => {
  it.each([
    ['a field', z.object({ HomeID })],
    ['a field of a picked record', Button.pick({ HomeID: true })],
    ['a field of an extended record', Button.extend({ Seen: Name.optional() })],
    ['a field of a refined input', Button.refine(({ HomeID: id, Name: name }) => id !== name)],
  ])('is input if HomeID is %s', (_, input) => {
    expect(defineEndpoint({ ...call, input }).sites).toBe('input')
  })

  it('is stated if HomeID is not required', () => {
    const [optional, nullable, defaulted] = [HomeID.optional(), HomeID.nullable(), HomeID.default('1')]
    const calls = [
      defineEndpoint({ ...call, sites: 'mixed', input: z.object({ HomeID: optional }) }),
      defineEndpoint({ ...call, sites: 'orCompany', input: z.object({ HomeID: nullable }) }),
      defineEndpoint({ ...call, sites: 'record', input: z.object({ HomeID: defaulted }) }),
      defineEndpoint({ ...call, sites: 'none', input: z.object({}) }),
    ]
    expect(calls.map(({ sites }) => sites)).toEqual(['mixed', 'orCompany', 'record', 'none'])
  })

  it('of a resource follows the same rules', () => {
    const { operations } = defineResource({
      ...button,
      operations: {
        list: { ...operation, input: Button.pick({ HomeID: true }) },
        get: { ...operation, sites: 'record', input: Button.pick({ Name: true }) },
      },
    })
    expect(operations.list.sites).toBe('input')
    expect(operations.get.sites).toBe('record')
  })

  it('does not compile if it is forgotten, or stated for a required HomeID', () => {
    const [optional, required] = [z.object({ HomeID: HomeID.optional() }), z.object({ HomeID })]
    // @ts-expect-error -- forgotten
    defineEndpoint({ ...call, input: optional })
    // @ts-expect-error -- stated for a required HomeID
    defineEndpoint({ ...call, sites: 'company', input: required })
    // @ts-expect-error -- follows from the input, and is never stated
    defineEndpoint({ ...call, sites: 'input', input: required })
    // @ts-expect-error -- forgotten
    defineResource({ ...button, operations: { list: { ...operation, input: optional } } })
    // @ts-expect-error -- stated for a required HomeID
    defineResource({ ...button, operations: { list: { ...operation, sites: 'company', input: required } } })
    expect(required.shape.HomeID).toBe(HomeID)
  })
})
