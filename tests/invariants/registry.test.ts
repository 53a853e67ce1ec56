import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { channels, endpoints, resources } from '../../contract/index.ts'
import { FEATURE_OF_TYPE, type AutomationType } from '../../contract/automation/automation.ts'
import { VERBS } from '../../contract/kernel/define-resource.ts'
import { accessesOf, type AnyEndpoint } from '../../contract/kernel/define-endpoint.ts'
import { createFeatures } from '../../gateway/features.ts'
import { callRoutesOf } from '../../gateway/routes.ts'
import { createIdleDeps } from '../support/idle-deps.ts'

const ROOT = join(import.meta.dirname, '../..')
const stems = (folder: string, defining = '') =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .filter((file) => readFileSync(join(ROOT, folder, file), 'utf8').includes(defining))
    .map((file) => basename(file, '.ts').replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase()))

describe('the registry', () => {
  it('holds every resource file, under its name', () => {
    expect(stems('contract', ' = defineResource(').toSorted()).toEqual(Object.keys(resources).toSorted())
    for (const [name, resource] of Object.entries(resources)) expect(resource.name).toBe(name)
  })

  it('has a handler file of the same name for every resource', () => {
    expect(stems('gateway/features')).toEqual(expect.arrayContaining(Object.keys(resources)))
  })

  it('gives each call one path, one handler and one declared access', () => {
    const paths = endpoints.map(({ path }) => path)
    expect(new Set(paths).size).toBe(paths.length)
    const routes = callRoutesOf(createFeatures(createIdleDeps()))
    expect(routes.map(({ endpoint }) => endpoint.path).toSorted()).toEqual(paths.toSorted())
    for (const { endpoint, handler } of routes) {
      expect(handler, endpoint.path).toBeTypeOf('function')
      expect(endpoint.access, endpoint.path).toBeDefined()
    }
  })

  it('makes every path one the specification writes or says', () => {
    for (const { path } of endpoints) expect(path).toMatch(/^\/[A-Z][A-Za-z]+$/)
  })

  it("asks each resource call for the operation of its verb, on the resource's feature or that of its type, but for the homes of the header and one's own dashboards", () => {
    const featureOf = ({ feature }: { feature: string }, { AutomationType: type }: Record<string, number>) =>
      type === undefined ? feature : FEATURE_OF_TYPE[type as AutomationType]
    for (const resource of Object.values(resources))
      for (const [verb, endpoint] of Object.entries(resource.operations) as [
        keyof typeof VERBS,
        AnyEndpoint,
      ][])
        for (const { access, input } of accessesOf(endpoint))
          expect(access, endpoint.path).toEqual(
            endpoint === resources.home.operations.list
              ? 'signed-in'
              : {
                  feature: featureOf(resource, input),
                  operation: resource === resources.dashboard ? 'Read' : VERBS[verb],
                },
          )
  })

  it('lets no form that sends a whole record overwrite what somebody else has saved meanwhile', () => {
    const guarded = (field: 'Version' | 'Seen') =>
      Object.entries(resources)
        .filter(([, { operations }]) => field in operations.update.input.shape)
        .map(([name]) => name)
    // Updates of these send only changed fields, with their previous values.
    const byField = ['home', 'room', 'department', 'thing', 'peripheral']
    expect(guarded('Seen').toSorted()).toEqual(byField.toSorted())
    expect([...guarded('Version'), ...byField].toSorted()).toEqual(Object.keys(resources).toSorted())
  })

  it('never lets a call that needs no sign-in change a record, but by a link that one person was given for it', () => {
    const open = endpoints.filter(({ access, mutates }) => access === 'public' && mutates)
    expect(open.map(({ path }) => path)).toEqual(['/AcknowledgeAlarmByLink', '/AcceptInvitation'])
  })

  it('gives every key field of a resource to its record', () => {
    for (const resource of Object.values(resources))
      expect(Object.keys(resource.record.shape)).toEqual(expect.arrayContaining([...resource.key]))
  })

  it('lets screens publish only what asks for a right or a sign-in', () => {
    for (const [name, channel] of Object.entries(channels)) expect(channel.access, name).not.toBe('public')
  })
})
