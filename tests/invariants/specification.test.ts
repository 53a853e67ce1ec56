import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { dataChanges } from '../../contract/data-change.ts'
import {
  capabilityOf,
  deviceType,
  deviceTypes,
  measuresVoltage,
} from '../../contract/devices/kinds/registry.ts'
import { CATEGORIES } from '../../contract/devices/kinds/device-kind.ts'
import { channels, endpoints } from '../../contract/index.ts'
import type { AnyChannel } from '../../contract/kernel/define-channel.ts'
import type { HomeWithRooms } from '../../contract/homes/home.ts'
import { pathOf, paths } from '../../src/navigation/paths.ts'
import { screens } from '../../src/screens.ts'
import { menuOf, type MenuEntry } from '../../src/shell/menu.ts'
import { VIEW_PATHS } from '../../src/sign-in/views.ts'
import { readWords, type Tree } from '../support/read-words.ts'
import { BEHAVIOURS } from './specification/behaviours.ts'
import { CALLS } from './specification/calls.ts'
import { CONSTANTS } from './specification/constants.ts'
import { DEFERRED } from './specification/deferred.ts'
import {
  DEFERRED_STATUS_FIELDS,
  ENTITIES,
  HIDDEN_TYPES,
  STATUS_FIELDS,
  SWITCHES,
  TYPES,
  WITHOUT_VOLTAGE,
} from './specification/entities.ts'
import type { Fact } from './specification/fact.ts'
import { OPTIONS } from './specification/options.ts'
import { MENU, ROUTES, SIGNED_OUT_ROUTES, UNDER_HOME } from './specification/routes.ts'
import { DATA_CHANGES, DEFERRED_ENTITIES, SCREEN, TIMESTAMPED, TOPICS } from './specification/topics.ts'
import { DEFERRED_WORDS, WORDS } from './specification/words.ts'

/**
 * Customer's specification, line by line: each is in a table next to this file with the corresponding code. A line that is not built is
 * listed as deferred, and the test fails when it exists; an intentionally different one names the decision with the reason.
 */
const ROOT = join(import.meta.dirname, '../..')
const words = (text: string) => text.trim().split(/\s+/)
const once = (list: readonly string[]) => expect(list).toEqual([...new Set(list)])

describe('section 2, routes', () => {
  it.each(ROUTES)('$path opens $page', ({ path, page, features }) => {
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string)
    const params = Object.fromEntries(names.map((name) => [name, `a-${name}`]))
    expect(pathOf(path.replace(/\{(\w+)\}/g, 'a-$1'))).toEqual({ name: page, params })
    expect(paths[page].features).toEqual(features)
    expect(paths[page].operation).toBeUndefined()
  })

  it('have a screen', () => {
    expect(ROUTES.filter(({ page }) => !screens[page])).toEqual([])
    once(ROUTES.map(({ path }) => path))
  })

  it('for who is not signed in are views of the sign-in', () => {
    for (const [path, view] of Object.entries(SIGNED_OUT_ROUTES)) expect(VIEW_PATHS[view]).toBe(path)
  })

  it('end at the page that is not found', () => {
    expect(pathOf('/any/other/path')).toBeUndefined()
  })

  it('hang directly under Home where the specification says so', () => {
    expect(UNDER_HOME.filter((page) => paths[page].crumb.under !== 'root')).toEqual([])
  })

  it('are offered by the side menu in the order of the specification', () => {
    const room = { HomeID: 'h', RoomID: 0, RoomName: 'r', PeripheralList: [], ThingNameList: [] }
    const home: HomeWithRooms = {
      HomeID: 'h',
      HomeName: 'h',
      TimeZone: 'Asia/Taipei',
      ThreadNetworkKey: null,
      Latitude: null,
      Longitude: null,
      RoomList: [room],
    }
    const subject = { isRoot: true, permissions: [] }
    const menu = menuOf({ subject, home, categories: new Map([['Door', 1]]), hasScreen: () => true })
    const specified = new Set(MENU.flatMap((line) => line.match(/\w+/g) ?? []))
    const lineOf = ({ key, children }: MenuEntry) => {
      const pages = (children ?? []).map((child) => child.key).filter((name) => specified.has(name))
      return pages.length > 0 ? `${key}: ${pages.join(', ')}` : key
    }
    expect(menu.filter(({ key }) => specified.has(key)).map(lineOf)).toEqual(MENU)
  })
})

describe('section 3, entities', () => {
  it.each(ENTITIES)('$says has its fields', ({ fields, where }) => {
    expect(words(fields).length).toBeGreaterThan(0)
    expect(words(fields).filter((field) => !(field in where.shape))).toEqual([])
  })

  it('have the fields of a live status among the capabilities of device types', () => {
    const reported = new Set(
      deviceTypes.flatMap(({ capabilities }) => capabilities.flatMap(({ status }) => Object.keys(status))),
    )
    expect(words(STATUS_FIELDS).filter((field) => !reported.has(field))).toEqual([])
    expect(DEFERRED_STATUS_FIELDS.filter((field) => reported.has(field))).toEqual([])
  })

  it.each(TYPES)('know the type codes %j as %s of category %s', (codes, kind, category) => {
    for (const code of codes) expect(deviceType(String(code))).toMatchObject({ kind, category })
    expect(CATEGORIES).toContain(category)
  })

  it('know of each type whether it is hidden, its switches and whether it measures voltage', () => {
    const codes = TYPES.flatMap(([codes]) => codes)
    expect(codes.filter((code) => deviceType(String(code))?.hidden)).toEqual(HIDDEN_TYPES)
    for (const [code, count] of Object.entries(SWITCHES))
      expect(Object.keys(capabilityOf(code, 'switches')?.status ?? {})).toHaveLength(count)
    const clamps = deviceTypes.filter(({ kind }) => kind === 'clampMeter').map(({ type }) => Number(type))
    expect(clamps.filter((code) => !measuresVoltage(String(code)))).toEqual(WITHOUT_VOLTAGE)
  })
})

describe('sections 1 to 9, option lists, constants and rules', () => {
  const facts: readonly Fact[] = [...OPTIONS, ...CONSTANTS, ...BEHAVIOURS]

  it.each(facts)('$says', ({ actual, expected }) => {
    expect(actual()).toEqual(expected)
  })

  it('differ only by a decision that exists', () => {
    const decisions = facts.flatMap(({ adr }) => adr ?? [])
    expect(decisions.length).toBeGreaterThan(0)
    expect(decisions.filter((file) => !existsSync(join(ROOT, 'docs/decisions', file)))).toEqual([])
    once(facts.map(({ says }) => says))
  })
})

describe('section 7, calls', () => {
  it.each(CALLS)('$method $path takes its fields by $by', ({ path, fields, method, by }) => {
    const call = endpoints.find((endpoint) => endpoint.path === path)
    expect(call).toBeDefined()
    if (!call) return
    expect(fields.filter((field) => !(field in call.input.shape) && !(field in call.aliases))).toEqual([])
    expect(call.method).toBe(method)
    expect(call.access === 'public').toBe(by === 'api key')
    expect(call.accessToken).toBe(by === 'access token')
  })

  it('are named once', () => {
    const named = CALLS.map(({ path }) => path)
    expect(new Set(named).size).toBe(named.length)
  })
})

describe('section 7, realtime channel', () => {
  const all: readonly AnyChannel[] = Object.values(channels)
  const channelOf = (topic: string) => all.find((channel) => channel.match(topic) !== undefined)

  it.each(TOPICS)('screens $screens: $says', ({ topic, screens }) => {
    const channel = channelOf(topic)
    expect(channel?.[screens === 'publish' ? 'publishers' : 'subscribers']).toContain(SCREEN)
  })

  it.each(TIMESTAMPED)('a request on %s carries a Timestamp', (topic) => {
    const payload = channelOf(topic)?.payload
    expect(payload?.parse({ Timestamp: 1 })).toEqual({ Timestamp: 1 })
  })

  it.each(DATA_CHANGES)('tells of %s', (change) => {
    const [entity = '', event = ''] = change.split('/')
    const known: Readonly<Record<string, object>> = dataChanges
    expect(Object.keys(known[entity] ?? {})).toContain(event)
  })

  it('tells of nothing that is deferred', () => {
    expect(DEFERRED_ENTITIES.filter((entity) => entity in dataChanges)).toEqual([])
  })
})

describe('section 8, messages', () => {
  const texts = (language: string) => {
    const found = new Map<string, string>()
    const walk = (tree: Tree, path: string) => {
      for (const [key, value] of Object.entries(tree))
        if (typeof value === 'string') found.set(path + key, value)
        else walk(value, `${path}${key}.`)
    }
    for (const [namespace, tree] of Object.entries(readWords(language))) walk(tree, `${namespace}:`)
    return found
  }
  const [en, zh] = [texts('en-US'), texts('zh-TW')]

  it.each(WORDS)('%s says "%s" and "%s"', (key, english, chinese) => {
    expect(en.get(key)).toContain(english)
    expect(zh.get(key)).toContain(chinese)
  })

  it('that are deferred are said by no text', () => {
    const said = [...en.values()].map((text) => text.toLowerCase())
    expect(
      DEFERRED_WORDS.filter((deferred) => said.some((text) => text.includes(deferred.toLowerCase()))),
    ).toEqual([])
  })
})

describe('what is not built', () => {
  const sources = execFileSync('git', ['ls-files', '-z', 'contract', 'gateway', 'src'], { cwd: ROOT })
    .toString()
    .split('\0')
    .filter((file) => /\.tsx?$/.test(file) && existsSync(join(ROOT, file)))
    .map((file) => [file, readFileSync(join(ROOT, file), 'utf8')] as const)

  it.each(DEFERRED)('$says is found nowhere', ({ sign, example }) => {
    expect(example).toMatch(sign)
    expect(sources.length).toBeGreaterThan(500)
    expect(sources.filter(([, text]) => sign.test(text)).map(([file]) => file)).toEqual([])
  })
})
